// A text, or a column of controls, that is scrolled where it is higher than its place. It has the keyboard for that,
// and shows that it has.
#pragma once

#include <QScrollArea>

namespace headlight {

class Sheet : public QScrollArea {
  Q_OBJECT
 public:
  explicit Sheet(QWidget* parent = nullptr);

 protected:
  bool event(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
};

}  // namespace headlight
