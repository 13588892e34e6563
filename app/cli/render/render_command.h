// 'headlight render': views and the window drawn into files.
#pragma once

#include "app/cli/command_line.h"

namespace headlight {

int render_command(const RenderCommand& command);

}  // namespace headlight
