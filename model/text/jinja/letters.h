// Texts as Python sees them: code points, its white space, its upper and lower case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::jinja {

bool is_space(char32_t letter);     // str.isspace()
bool is_line_end(char32_t letter);  // str.splitlines()
std::u32string letters(std::string_view text);
std::string utf8(std::u32string_view letters);
std::size_t letter_count(std::string_view text);

std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string title(std::string_view text);        // str.title()
std::string capitalized(std::string_view text);  // str.capitalize()
std::string swapped(std::string_view text);
enum class LetterClass { alpha, digit, decimal, numeric, alnum, upper, lower, title, space, word, printable };
bool is_of(char32_t letter, LetterClass kind);

enum class Side { both, left, right };
// Without white space at its ends, or without these letters.
std::string stripped(std::string_view text, Side side = Side::both);
std::string stripped(std::string_view text, std::string_view letters, Side side = Side::both);
std::vector<std::string> lines_of(std::string_view text, bool with_ends = false);

}  // namespace headlight::jinja
