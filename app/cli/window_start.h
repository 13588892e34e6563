// The window, as the command line opens it.
#pragma once

#include "app/cli/command_line.h"
#include "app/settings.h"

namespace headlight {

// Opens the window. Without a display: draws the window into a PNG, prints the alignment, says where the PNG is.
int window_command(const WindowCommand& command);
// Whether the window begins with the page of the start: at the very first start, when nobody asked for anything else.
bool begins_with_start(const WindowCommand& command, const UserSettings& settings);
// Opens the window with a lesson. Needs a display.
int lesson_window(const LessonCommand& command);

}  // namespace headlight
