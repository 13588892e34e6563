// Blanks and letters of ASCII, as file formats mean them; what people write is ICU's (model/text).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

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

// What stands between the blanks: a long list of names reads best as one text.
inline std::vector<std::string> words_in(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(kBlanks, at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace headlight
