// "How many are needed?": the bars, and the button that has them measured.
#pragma once

#include <QWidget>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;

namespace headlight {

class NeededBars;

class NeededPanel : public QWidget {
  Q_OBJECT
 public:
  explicit NeededPanel(QWidget* parent = nullptr);
  void set_needed(std::vector<std::pair<int, double>> needed);
  void set_measuring(const QString& progress);  // empty: nothing is measured
  void set_possible(const QString& reason);     // why it cannot be measured; empty: it can
  NeededBars* bars() const { return bars_; }
  static const std::vector<int>& sizes();

 signals:
  void measured();  // there are shares to be seen
  void measureWanted();
  void stopWanted();

 private:
  void retranslate();
  void show_state();

  QLabel *title_, *about_;
  NeededBars* bars_;
  QPushButton* measure_;
  QString progress_, reason_;
  bool measured_ = false;
};

}  // namespace headlight
