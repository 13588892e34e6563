// Numbers as files and people write them, with a point whatever the locale says.
#pragma once

#include <charconv>
#include <string_view>

namespace headlight {

// As std::from_chars, which some libraries have for whole numbers only. Beyond the range of a double the number is
// infinite, or zero, and the error says so.
std::from_chars_result parse_number(const char* from, const char* end, double& value);

// The same for a text that is a number and nothing else.
bool parse_number(std::string_view text, double& value);

}  // namespace headlight
