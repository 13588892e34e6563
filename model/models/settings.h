// Reading a model's settings with bounds, so that an absurd configuration is refused before memory is taken.
#pragma once

#include "model/models/model.h"

namespace headlight {

// A whole number in [low, high]; throws FormatError that names the key, the bounds and what was found.
Index setting(const Json& config, const char* key, Index low, Index high);
// true or false.
bool flag(const Json& config, const char* key);

}  // namespace headlight
