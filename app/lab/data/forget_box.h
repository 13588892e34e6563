// "Forget all": asks in its place, without a window that stops everything else.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace headlight {

class ForgetBox : public QWidget {
  Q_OBJECT
 public:
  explicit ForgetBox(QWidget* parent = nullptr);
  void set_lines(int lines);  // that would go
  void ask(bool asked);
  bool asking() const { return asking_; }

 signals:
  void agreed();

 private:
  void retranslate();

  QPushButton *forget_, *yes_, *no_;
  QLabel* question_;
  QWidget* asked_;
  int lines_ = 0;
  bool asking_ = false;
};

}  // namespace headlight
