#include "model/text/pretrained/languages.h"

#include <algorithm>

namespace headlight::pretrained {

namespace {

bool all_of(std::string_view text, char first, char last) {
  return std::ranges::all_of(text, [&](char c) { return c >= first && c <= last; });
}

Encoding::iterator code_in(Encoding& tokens) {
  return std::ranges::find_if(
      tokens, [](const EncodedToken& token) { return token.special && is_language_code(token.text); });
}

}  // namespace

bool is_language_code(std::string_view token) {
  const auto is_language = [](std::string_view name) {
    return (name.size() == 2 || name.size() == 3) && all_of(name, 'a', 'z');
  };
  if (token.size() > 4 && token.starts_with("__") && token.ends_with("__"))
    return is_language(token.substr(2, token.size() - 4));
  const std::size_t line = token.find('_');
  if (line == token.npos || !is_language(token.substr(0, line))) return false;
  const std::string_view place = token.substr(line + 1);  // a country or a script: "XX", "Latn"
  return (place.size() == 2 && all_of(place, 'A', 'Z')) ||
         (place.size() == 4 && all_of(place.substr(0, 1), 'A', 'Z') && all_of(place.substr(1), 'a', 'z'));
}

std::vector<std::string> language_codes(const Tokenizer& tokenizer, TokenNumber count) {
  Encoding signs = tokenizer.encode("", true);
  const auto own = code_in(signs);
  if (own == signs.end()) return {};
  std::vector<std::string> codes = {own->text};
  for (TokenNumber id = 0; id < count; ++id)
    if (const std::string* text = tokenizer.text(id); text && *text != codes.front() && is_language_code(*text))
      codes.push_back(*text);
  return codes;
}

Encoding encode_in_language(const Tokenizer& tokenizer, std::string_view text, bool add_special) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string code(text.substr(0, end));
  const auto id = is_language_code(code) ? tokenizer.find(code) : std::nullopt;
  const std::size_t begin = std::min(text.find_first_not_of(' ', end), text.size());
  Encoding tokens = id ? tokenizer.encode(text.substr(begin), add_special) : Encoding();
  const auto sign = code_in(tokens);
  if (sign == tokens.end()) return tokenizer.encode(text, add_special);
  sign->id = *id;
  sign->text = code;
  for (EncodedToken& token : tokens)
    if (!token.special) {
      token.offsets.begin += static_cast<std::uint32_t>(begin);
      token.offsets.end += static_cast<std::uint32_t>(begin);
    }
  return tokens;
}

}  // namespace headlight::pretrained
