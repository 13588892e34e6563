// Colours of a choice.
#include "widgets/base/choice_button.h"

#include "widgets/base/theme.h"

namespace headlight {

ChoiceButton::ChoiceButton(QWidget* parent) : QToolButton(parent) {
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(this, &QToolButton::toggled, this, &ChoiceButton::recolour);
  connect(&theme(), &Theme::changed, this, &ChoiceButton::recolour);
}

void ChoiceButton::recolour() {
  QPalette palette = theme().palette();
  if (isChecked()) {
    const QColor fill = theme().weight(0.62);
    palette.setColor(QPalette::Button, fill);
    palette.setColor(QPalette::ButtonText, Theme::readable_on(fill));
  }
  setPalette(palette);
}

}  // namespace headlight
