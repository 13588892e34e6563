// Reads the desktop's colours once, before ours replace them.

#include "app/appearance.h"

#include <QAction>
#include <QApplication>
#include <QGuiApplication>
#include <QPalette>
#include <QWidget>
#include <algorithm>
#include <array>

#include "app/language.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/number_words.h"

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
  set_lesson_language(settings.lesson_language());
  Theme::instance().set_font_scale(settings.font_scale());
  apply_theme(settings.theme());
  Style::set_less_motion(settings.less_motion());
  set_first_number(settings.first_number());
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

Appearance::Appearance(Actions* actions, bool remember, QObject* parent)
    : QObject(parent), actions_(*actions), remember_(remember) {
  if (remember_) theme_ = settings_.theme();
  const auto on = [this](const char* id, auto what) { connect(actions_[id], &QAction::triggered, this, what); };
  on("theme",
     [this] { set_theme(Theme::instance().mode() == Theme::Mode::dark ? ThemeChoice::light : ThemeChoice::dark); });
  on("theme_system", [this] { set_theme(ThemeChoice::system); });
  on("theme_light", [this] { set_theme(ThemeChoice::light); });
  on("theme_dark", [this] { set_theme(ThemeChoice::dark); });
  on("language_en", [this] { set_language(QStringLiteral("en")); });
  on("language_zh_CN", [this] { set_language(QStringLiteral("zh_CN")); });
  connect(actions_["less_motion"], &QAction::toggled, this, [this](bool less) {
    if (remember_) settings_.set_less_motion(less);
    Style::set_less_motion(less);
  });
  connect(actions_["count_from_zero"], &QAction::toggled, this, [this](bool from_0) { count_from(from_0 ? 0 : 1); });
  on("larger", [this] { change_type(1); });
  on("smaller", [this] { change_type(-1); });
  on("normal_size", [this] { change_type(0); });
  connect(&Theme::instance(), &Theme::changed, &actions_, &Actions::recolour);
  check_actions();
}

void Appearance::set_theme(ThemeChoice choice) {
  theme_ = choice;
  if (remember_) settings_.set_theme(choice);
  apply_theme(choice);
  check_actions();
}

void Appearance::set_font_scale(double scale) {
  if (remember_) settings_.set_font_scale(scale);
  Theme::instance().set_font_scale(scale);
}

void Appearance::change_type(int direction) {
  if (type_taker_ && type_taker_(direction)) return;
  set_font_scale(direction == 0 ? 1 : next_font_scale(Theme::instance().font_scale(), direction));
}

void Appearance::set_language(const QString& language) {
  if (remember_) settings_.set_language(language);
  headlight::set_language(language);
  check_actions();
}

void Appearance::set_lesson_language(const QString& language) {
  if (remember_) settings_.set_lesson_language(language);
  headlight::set_lesson_language(language);
}

// All texts are written anew, as for another language.
void Appearance::count_from(int first) {
  if (first == first_number()) return;
  if (remember_) settings_.set_first_number(first);
  set_first_number(first);
  for (QWidget* each : QApplication::topLevelWidgets())
    QCoreApplication::postEvent(each, new QEvent(QEvent::LanguageChange));
}

void Appearance::check_actions() {
  actions_["theme_system"]->setChecked(theme_ == ThemeChoice::system);
  actions_["theme_light"]->setChecked(theme_ == ThemeChoice::light);
  actions_["theme_dark"]->setChecked(theme_ == ThemeChoice::dark);
  actions_["less_motion"]->setChecked(Style::less_motion());
  actions_["count_from_zero"]->setChecked(first_number() == 0);
  const bool chinese = current_language() == "zh_CN";
  actions_["language_en"]->setChecked(!chinese);
  actions_["language_zh_CN"]->setChecked(chinese);
}

}  // namespace headlight
