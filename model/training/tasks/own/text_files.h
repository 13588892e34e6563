// Reading files of running text: strangers' bytes, whole.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

// The text of each file, packed ones (.gz) as well. A byte-order mark is left out, "\r\n" and "\r" become "\n"; all
// else stays. Throws FileError; FormatError with file and line for broken UTF-8, a NUL byte (no text has one), and an
// empty file; BudgetError beyond kMostTextBytes in all.
std::vector<std::string> read_texts(const std::vector<std::filesystem::path>& files);

// A text that comes with the program, in resources/texts (or HEADLIGHT_TEXTS): "harbour", "kitchen". Throws FileError.
std::filesystem::path bundled_text(const std::string& name);

}  // namespace headlight
