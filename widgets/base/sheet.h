// A text, or a column of controls, that is scrolled where it is higher than its place. It has the keyboard for that.
#pragma once

#include <QScrollArea>

namespace headlight {

class Sheet : public QScrollArea {
  Q_OBJECT
 public:
  explicit Sheet(QWidget* parent = nullptr);
};

}  // namespace headlight
