// Colours, text size and language of the whole program, as the user chose them.
#pragma once

#include "app/settings.h"

namespace headlight {

// Light or dark, as the desktop says. The first call must come before any theme was applied.
bool desktop_is_dark();
void apply_appearance(const UserSettings& settings);  // theme, font size, language
void apply_theme(ThemeChoice choice);
// Steps of the text size: 0.75 .. 2.5.
double next_font_scale(double now, int direction);

}  // namespace headlight
