// Everything that needs a QApplication: the window, and views drawn into files.
#pragma once

#include "app/cli/command_line.h"

namespace headlight {

// Opens the window. Without a display: draws the window into a PNG, prints the alignment, says where the PNG is.
int window_command(const WindowCommand& command);
int render_command(const RenderCommand& command);

}  // namespace headlight
