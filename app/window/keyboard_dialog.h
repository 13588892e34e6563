// Help > Keyboard: every key, made from the tables of painted views (widgets/canvas/canvas_keys.h) and of actions.
#pragma once

#include <QDialog>

namespace headlight {

class KeyboardDialog : public QDialog {
  Q_OBJECT
 public:
  explicit KeyboardDialog(QWidget* parent = nullptr);
};

}  // namespace headlight
