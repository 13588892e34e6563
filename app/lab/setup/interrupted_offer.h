// "A training was interrupted at 3,840 sentences": go on, or discard it. It waits in the panel and is in nobody's way.
#pragma once

#include <QFrame>
#include <filesystem>
#include <vector>

#include "app/lab/setup/kept_trainings.h"

class QLabel;
class QPushButton;

namespace headlight {

class InterruptedOffer : public QFrame {
  Q_OBJECT
 public:
  explicit InterruptedOffer(QWidget* parent = nullptr);
  // One after the other; none: it is not seen.
  void show_all(std::vector<KeptTraining::Interrupted> found);
  QString sentence() const;
  QPushButton* go_on() const { return go_on_; }
  QPushButton* discard() const { return discard_; }
  void set_possible(bool possible);  // to go on: nothing else is trained

 signals:
  void goOnAsked(const std::filesystem::path& folder);

 private:
  void show_first();
  void take();
  void ask_to_discard();
  std::vector<KeptTraining::Interrupted> found_;
  QLabel* sentence_;
  QPushButton *go_on_, *discard_;
};

}  // namespace headlight
