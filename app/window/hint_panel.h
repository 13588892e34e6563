// "What am I looking at?": a short, kind explanation for newcomers, put away with one key.
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace headlight {

class HintPanel : public QFrame {
  Q_OBJECT
 public:
  explicit HintPanel(QWidget* parent = nullptr);

 signals:
  void dismissed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void retranslate();
  void recolour();
  QLabel *title_, *text_;
  QPushButton* close_;
};

}  // namespace headlight
