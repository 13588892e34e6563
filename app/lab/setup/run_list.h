// The trainings of this session as a list: to choose one, to put one beside the one in front, to take one out.
#pragma once

#include <QWidget>

#include "app/lab/setup/lab_runs.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace headlight {

class RunList : public QWidget {
  Q_OBJECT
 public:
  explicit RunList(LabRuns* runs, QWidget* parent = nullptr);
  QListWidget* list() const { return list_; }
  QPushButton* compare() const { return compare_; }
  QPushButton* remove() const { return remove_; }

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void show_runs();
  void show_buttons();
  void ask_to_remove();
  void retranslate();

  LabRuns* runs_;
  QLabel* title_;
  QListWidget* list_;
  QPushButton *compare_, *remove_;
};

}  // namespace headlight
