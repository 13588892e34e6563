// Blanks and letters of ASCII, as file formats mean them; what people write is ICU's (model/text).
#pragma once

#include <string>
#include <string_view>

namespace headlight {

// Without blanks and ends of lines at both ends.
inline std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks), end = text.find_last_not_of(kBlanks);
  return begin == text.npos ? std::string() : std::string(text.substr(begin, end - begin + 1));
}

inline std::string lower_ascii(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace headlight
