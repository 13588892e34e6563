#include "model/text/words.h"

#include <unicode/uchar.h>

#include "model/text/utf8.h"

namespace headlight {

namespace {

enum class Sort { space, sign, apostrophe, inner, letter, digit, alone };

bool is_ideograph_or_kana(char32_t c) {
  if (u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_IDEOGRAPHIC)) return true;
  const int block = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_BLOCK);
  return block == UBLOCK_HIRAGANA || block == UBLOCK_KATAKANA;
}
// Signs that are as wide as ideographs: no space stands beside them either.
bool is_wide_sign(char32_t c) {
  const int width = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_EAST_ASIAN_WIDTH);
  return u_ispunct(static_cast<UChar32>(c)) &&
         (width == U_EA_WIDE || width == U_EA_FULLWIDTH || width == U_EA_HALFWIDTH);
}

Sort sort_of(char32_t c) {
  const auto code = static_cast<UChar32>(c);
  if (c == '\'' || c == 0x2019) return Sort::apostrophe;
  if (c == '-' || c == '.' || c == ',') return Sort::inner;
  if (c == '_') return Sort::letter;
  if (is_ideograph_or_kana(c)) return Sort::alone;
  const uint32_t category = U_GET_GC_MASK(code);
  const bool unseen = category & U_GC_CF_MASK && u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
  if (unseen || category & (U_GC_Z_MASK | U_GC_CC_MASK)) return Sort::space;
  if (category & (U_GC_P_MASK | U_GC_S_MASK)) return Sort::sign;
  return category & U_GC_ND_MASK ? Sort::digit : Sort::letter;
}

struct Unit {
  std::size_t begin, length;
  Sort sort;
  char32_t code;
};

Unit unit_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {at, 0, Sort::space, 0};
  const std::size_t length = code_point_length(text, at);
  if (length == 0) return {at, 1, Sort::alone, 0};
  const char32_t code = code_point(text.substr(at, length));
  return {at, length, sort_of(code), code};
}

bool is_word(Sort sort) { return sort == Sort::letter || sort == Sort::digit; }

// Whether a sign between two units keeps them together.
bool joins(const Unit& before, const Unit& sign, const Unit& after) {
  if (sign.code == '-') return is_word(before.sort) && is_word(after.sort);
  return sign.sort == Sort::inner && before.sort == Sort::digit && after.sort == Sort::digit;
}

char32_t first_code(const std::string& text) { return unit_at(text, 0).code; }

char32_t last_code(const std::string& text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && code_point_length(text, at) == 0) --at;
  return unit_at(text, at).code;
}

bool is_wide(char32_t c) { return is_ideograph_or_kana(c) || is_wide_sign(c); }

}  // namespace

std::vector<Word> split_words(std::string_view text) {
  std::vector<Word> words;
  bool open = false;  // the last word may grow
  Unit before{0, 0, Sort::space, 0};
  for (std::size_t at = 0; at < text.size();) {
    const Unit unit = unit_at(text, at), after = unit_at(text, at + unit.length);
    const bool ends = unit.sort == Sort::apostrophe && is_word(before.sort) && is_word(after.sort);
    if (is_word(unit.sort) || ends || joins(before, unit, after)) {
      if (!open) words.push_back({at, at});
      words.back().end = at + unit.length;
      open = !ends;
    } else {
      if (unit.sort != Sort::space) words.push_back({at, at + unit.length});
      open = false;
    }
    before = unit;
    at += unit.length;
  }
  return words;
}

std::string join_words(const std::vector<std::string>& words) {
  static const std::string_view closing = ".,!?;:)]}%…", opening = "([{";
  std::string text;
  for (const std::string& word : words) {
    if (word.empty()) continue;
    if (!text.empty()) {
      const char32_t left = last_code(text), right = first_code(word);
      const bool closes = closing.find(word) != std::string_view::npos;
      const bool opens = left < 0x80 && opening.find(static_cast<char>(left)) != std::string_view::npos;
      const bool elided = sort_of(left) == Sort::apostrophe && text.size() > 1 && text[text.size() - 2] != ' ';
      if (!closes && !opens && !elided && !(is_wide(left) && is_wide(right))) text += ' ';
    }
    text += word;
  }
  return text;
}

}  // namespace headlight
