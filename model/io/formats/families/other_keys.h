// Keys of config.json that no number depends on.
#pragma once

#include <string>

#include "model/io/json_file.h"

namespace headlight::families {

// Known to change nothing that is computed, whatever its value.
bool changes_nothing(const std::string& key);
// Read by what stands around a model: its name, its classes, its special tokens.
bool is_read_elsewhere(const std::string& key);
// A remark ("_note", "//"), or a value that says no more than a missing key does: null, false, "", [], {}.
bool says_nothing(const std::string& key, const Json& value);

}  // namespace headlight::families
