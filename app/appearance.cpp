// Reads the desktop's colours once, before ours replace them.

#include "app/appearance.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <array>

#include "app/language.h"
#include "widgets/base/theme.h"

namespace headlight {

bool desktop_is_dark() {
  static const bool dark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
  return dark;
}

void apply_theme(ThemeChoice choice) {
  const bool dark = choice == ThemeChoice::dark || (choice == ThemeChoice::system && desktop_is_dark());
  Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
}

void apply_appearance(const UserSettings& settings) {
  desktop_is_dark();
  set_language(settings.language());
  Theme::instance().set_font_scale(settings.font_scale());
  apply_theme(settings.theme());
}

double next_font_scale(double now, int direction) {
  static constexpr std::array kSteps = {0.75, 0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.5};
  if (direction > 0) {
    const auto* up = std::upper_bound(kSteps.begin(), kSteps.end(), now + 0.01);
    return up == kSteps.end() ? kSteps.back() : *up;
  }
  const auto* down = std::lower_bound(kSteps.begin(), kSteps.end(), now - 0.01);
  return down == kSteps.begin() ? kSteps.front() : *(down - 1);
}

}  // namespace headlight
