#include "widgets/base/focus.h"

#include <QWidget>

namespace headlight {

void forget_keyboard_in(const QWidget& moved) {
  for (const QWidget* around = moved.parentWidget(); around; around = around->parentWidget())
    if (QWidget* had = around->focusWidget(); had && (had == &moved || moved.isAncestorOf(had))) had->clearFocus();
}

}  // namespace headlight
