// UTF-8, decoded with care: text comes from keyboards, pastes and files of strangers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight {

// Bytes of the code point at `at`, or 0 when no well-formed one starts there (a stray or missing continuation byte, an
// overlong form, a surrogate, a number above U+10FFFF).
std::size_t code_point_length(std::string_view text, std::size_t at);
bool is_utf8(std::string_view text);
// The same text with U+FFFD for each byte that belongs to no code point: what comes from outside (arguments, names of
// files) becomes text here once, for JSON, SVG and Qt take nothing else.
std::string valid_utf8(std::string_view text);
// The code point whose well-formed bytes these are.
char32_t code_point(std::string_view bytes);
// Lower case, letter by letter, where that has as many bytes, so that places in the text stay what they are; everything
// else, broken UTF-8 too, stays.
std::string lower_case(std::string_view text);

}  // namespace headlight
