// A message inside the window: what went wrong and what to do. It never blocks, and the last good picture stays below.
#pragma once

#include <QFrame>

class QAction;
class QLabel;
class QToolButton;

namespace headlight {

class MessageBanner : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBanner(QWidget* parent = nullptr);
  // Plain text, shown as it is. The action, if there is one, is a button of the message.
  void show_message(const QString& what, const QString& advice, QAction* action = nullptr);
  void dismiss();
  // What stands there is not seen for a while, unless another message comes.
  void set_aside(bool aside);
  QString message() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void recolour();
  void retranslate();
  bool aside_ = false;
  QLabel *what_, *advice_;
  QToolButton *action_, *close_;
};

}  // namespace headlight
