// Commands on models of other libraries.
#pragma once

#include <string>

#include "app/cli/command_line.h"

namespace headlight {

// Whether this path is a folder of such a model.
bool is_pretrained(const std::string& path);
// 'headlight run' and 'headlight verify' of it. Throw Error.
int run_pretrained(const RunCommand& command);
int verify_pretrained(const VerifyCommand& command);

}  // namespace headlight
