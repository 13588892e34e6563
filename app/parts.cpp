#include "app/parts.h"

#include <QWidget>

#include "widgets/base/theme.h"

namespace headlight {

QFont strong_font(double relative) {
  QFont font = Theme::instance().ui_font(relative);
  font.setWeight(QFont::DemiBold);
  return font;
}

void name_button(QWidget* button, const QString& name) {
  button->setToolTip(name);
  button->setAccessibleName(name);
}

}  // namespace headlight
