// Colours, text size and language of the whole program, as the user chose them.
#pragma once

#include <QObject>
#include <functional>

#include "app/actions.h"
#include "app/settings.h"

namespace headlight {

// Light or dark, as the desktop says. The first call must come before any theme was applied.
bool desktop_is_dark();
void apply_appearance(const UserSettings& settings);  // theme, font size, language
void apply_theme(ThemeChoice choice);
// Steps of the text size: 0.75 .. 2.5.
double next_font_scale(double now, int direction);

// The actions that change them; `remember`: in the settings, too.
class Appearance : public QObject {
  Q_OBJECT
 public:
  Appearance(Actions* actions, bool remember, QObject* parent = nullptr);

  ThemeChoice theme() const { return theme_; }
  void set_theme(ThemeChoice choice);
  void set_font_scale(double scale);
  void set_language(const QString& language);
  void set_lesson_language(const QString& language);  // empty: that of the window
  // Whoever shows type of its own for a while is asked first: larger (1), smaller (-1) or as at first (0).
  void set_type_taker(std::function<bool(int direction)> taker) { type_taker_ = std::move(taker); }

 private:
  void change_type(int direction);
  void count_from(int first);
  void check_actions();

  Actions& actions_;
  bool remember_;
  UserSettings settings_;
  ThemeChoice theme_ = ThemeChoice::light;
  std::function<bool(int)> type_taker_;
};

}  // namespace headlight
