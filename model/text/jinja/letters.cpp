#include "model/text/jinja/letters.h"

#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>

#include <algorithm>

#include "model/text/utf8.h"

namespace headlight::jinja {

bool is_space(char32_t c) {
  return (c >= 0x9 && c <= 0xd) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_line_end(char32_t c) {
  return (c >= 0xa && c <= 0xd) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

std::u32string letters(std::string_view text) {
  std::u32string found;
  found.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = code_point_length(text, at);
    found += bytes == 0 ? U'\uFFFD' : code_point(text.substr(at, bytes));
    at += std::max<std::size_t>(bytes, 1);
  }
  return found;
}

std::string utf8(std::u32string_view all) {
  std::string text;
  text.reserve(all.size());
  for (const char32_t c : all) {
    if (c < 0x80) {
      text += static_cast<char>(c);
      continue;
    }
    const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    text += static_cast<char>((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | (c >> 6 * more));
    for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (c >> 6 * i & 0x3f));
  }
  return text;
}

std::size_t letter_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

namespace {

template <class Map>
std::string mapped(std::string_view text, const Map& map) {
  UErrorCode status = U_ZERO_ERROR;
  static UCaseMap* const cases = ucasemap_open("", 0, &status);
  std::string made(text.size() + 16, '\0');
  for (int round = 0; round < 2; ++round) {
    status = U_ZERO_ERROR;
    const std::int32_t size = map(cases, made.data(), static_cast<std::int32_t>(made.size()), text.data(),
                                  static_cast<std::int32_t>(text.size()), &status);
    made.resize(static_cast<std::size_t>(size));
    if (status != U_BUFFER_OVERFLOW_ERROR) break;
  }
  return made;
}

bool is_cased(char32_t c) {
  const auto letter = static_cast<UChar32>(c);
  return u_hasBinaryProperty(letter, UCHAR_CASED);
}

}  // namespace

std::string upper(std::string_view text) { return mapped(text, ucasemap_utf8ToUpper); }
std::string lower(std::string_view text) { return mapped(text, ucasemap_utf8ToLower); }

// A letter behind one that has a case is small, all others are title case.
std::string title(std::string_view text) {
  std::string made;
  bool inside = false;
  for (const char32_t c : letters(text)) {
    const auto letter = static_cast<UChar32>(c);
    if (inside) {
      made += lower(utf8({&c, 1}));
    } else {
      const char32_t titled = static_cast<char32_t>(u_totitle(letter));
      made += titled == c && u_toupper(letter) == letter ? upper(utf8({&c, 1})) : utf8({&titled, 1});
    }
    inside = is_cased(c);
  }
  return made;
}

std::string capitalized(std::string_view text) {
  const std::u32string all = letters(text);
  if (all.empty()) return {};
  const char32_t first = static_cast<char32_t>(u_totitle(static_cast<UChar32>(all[0])));
  return utf8({&first, 1}) + lower(utf8(std::u32string_view(all).substr(1)));
}

std::string swapped(std::string_view text) {
  std::string made;
  for (const char32_t c : letters(text)) {
    const std::string one = utf8({&c, 1});
    made += is_of(c, LetterClass::upper) ? lower(one) : is_of(c, LetterClass::lower) ? upper(one) : one;
  }
  return made;
}

bool is_of(char32_t c, LetterClass kind) {
  const auto letter = static_cast<UChar32>(c);
  const int numeric = u_getIntPropertyValue(letter, UCHAR_NUMERIC_TYPE);
  switch (kind) {
    case LetterClass::alpha:
      return u_isalpha(letter);
    case LetterClass::decimal:
      return numeric == U_NT_DECIMAL;
    case LetterClass::digit:
      return numeric == U_NT_DECIMAL || numeric == U_NT_DIGIT;
    case LetterClass::numeric:
      return numeric != U_NT_NONE;
    case LetterClass::alnum:
      return u_isalpha(letter) || numeric != U_NT_NONE;
    case LetterClass::upper:
      return u_hasBinaryProperty(letter, UCHAR_UPPERCASE);
    case LetterClass::lower:
      return u_hasBinaryProperty(letter, UCHAR_LOWERCASE);
    case LetterClass::title:
      return u_charType(letter) == U_TITLECASE_LETTER;
    case LetterClass::space:
      return is_space(c);
    case LetterClass::word:
      return u_isalnum(letter) || numeric != U_NT_NONE || c == '_' || u_hasBinaryProperty(letter, UCHAR_ALPHABETIC);
    case LetterClass::printable: {
      const int type = u_charType(letter);
      if (c == ' ') return true;
      return type != U_UNASSIGNED && type != U_CONTROL_CHAR && type != U_FORMAT_CHAR && type != U_SURROGATE &&
             type != U_PRIVATE_USE_CHAR && type != U_LINE_SEPARATOR && type != U_PARAGRAPH_SEPARATOR &&
             type != U_SPACE_SEPARATOR;
    }
  }
  return false;
}

namespace {

template <class Goes>
std::string without(std::string_view text, Side side, const Goes& goes) {
  const std::u32string all = letters(text);
  std::size_t begin = 0, end = all.size();
  if (side != Side::right)
    while (begin < end && goes(all[begin])) ++begin;
  if (side != Side::left)
    while (end > begin && goes(all[end - 1])) --end;
  return utf8(std::u32string_view(all).substr(begin, end - begin));
}

}  // namespace

std::string stripped(std::string_view text, Side side) { return without(text, side, is_space); }

std::string stripped(std::string_view text, std::string_view which, Side side) {
  const std::u32string set = letters(which);
  return without(text, side, [&](char32_t c) { return set.find(c) != std::u32string::npos; });
}

std::vector<std::string> lines_of(std::string_view text, bool with_ends) {
  std::vector<std::string> lines;
  const std::u32string all = letters(text);
  for (std::size_t at = 0; at < all.size();) {
    std::size_t end = at;
    while (end < all.size() && !is_line_end(all[end])) ++end;
    const std::size_t next = end + (end + 1 < all.size() && all[end] == '\r' && all[end + 1] == '\n' ? 2 : 1);
    lines.push_back(utf8(std::u32string_view(all).substr(at, (with_ends ? next : end) - at)));
    at = next;
  }
  return lines;
}

}  // namespace headlight::jinja
