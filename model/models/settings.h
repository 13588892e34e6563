// Reading a model's settings with bounds, so that an absurd configuration is refused before memory is taken.
#pragma once

#include <string>
#include <vector>

#include "model/core/json.h"
#include "model/core/json_library.h"
#include "model/core/tensor.h"

namespace headlight {

// A whole number in [low, high]; throws FormatError that names the key, the bounds and what was found.
Index read_index(const Json& config, const char* key, Index low, Index high);
// A number in [low, high].
double read_number(const Json& config, const char* key, double low, double high);
// One of `names`; returns its index. The error lists them.
std::size_t read_choice(const Json& config, const char* key, const std::vector<std::string>& names);
// true or false.
bool read_flag(const Json& config, const char* key);
// An object among the settings, with what it leaves out; throws FormatError for what `defaults` does not know.
Json object_with(const char* key, const Json& settings, Json defaults);

}  // namespace headlight
