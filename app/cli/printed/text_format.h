// Texts for lines of the terminal.
#pragma once

#include <cstdio>
#include <string>

namespace headlight {

// "a, b, c"
inline std::string joined(const auto& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// printf into a string.
std::string format(const char* pattern, auto... values) {
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, pattern, values...)), '\0');
  std::snprintf(text.data(), text.size() + 1, pattern, values...);
  return text;
}

}  // namespace headlight
