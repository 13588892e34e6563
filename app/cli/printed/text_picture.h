// A run as text for the terminal: the output, its probabilities, and the alignment in shades.
#pragma once

#include <string>

#include "model/decode/run.h"

namespace headlight {

// Columns that a text takes in a terminal: 2 for East Asian wide characters and emoji, 0 for combining marks.
int display_width(std::string_view utf8);
// The token as something that can be seen: control characters and spaces get a sign of their own.
std::string terminal_token(const std::string& token);

std::string text_picture(const Result& result);

}  // namespace headlight
