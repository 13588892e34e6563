// Texts in tables that other programs read.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

// A text that a spreadsheet shows and does not compute: behind an apostrophe where it begins as a formula does (=, +, -,
// @, their wide forms, a tab, the end of a line). Tokens and names come from strangers. "-0.5" is a number and stays one.
std::string not_computed(std::string_view text);

// The same as one field of a CSV line (RFC 4180): in quotes only where it must be.
std::string csv_cell(std::string_view text);

}  // namespace headlight
