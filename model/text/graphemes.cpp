#include "model/text/graphemes.h"

#include <unicode/uchar.h>

#include "model/text/utf8.h"

namespace headlight {

namespace {

UGraphemeClusterBreak kind_of(char32_t c) {
  return static_cast<UGraphemeClusterBreak>(
      u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_GRAPHEME_CLUSTER_BREAK));
}

bool is_picture(char32_t c) { return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC); }

bool is_control(UGraphemeClusterBreak kind) { return kind == U_GCB_CONTROL || kind == U_GCB_CR || kind == U_GCB_LF; }

// GB6 to GB8: letters that make a syllable of Hangul.
bool makes_syllable(UGraphemeClusterBreak left, UGraphemeClusterBreak right) {
  const bool vowel = right == U_GCB_V, tail = right == U_GCB_T;
  if (left == U_GCB_L) return vowel || right == U_GCB_L || right == U_GCB_LV || right == U_GCB_LVT;
  if (left == U_GCB_V || left == U_GCB_LV) return vowel || tail;
  return (left == U_GCB_T || left == U_GCB_LVT) && tail;
}

}  // namespace

// The rules are applied here, on the properties of ICU: its iterators copy the text, and are asked for many short ones.
std::size_t grapheme_length(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  std::size_t length = code_point_length(text, at);
  if (length == 0) return 1;
  const char32_t first = code_point(text.substr(at, length));
  UGraphemeClusterBreak before = kind_of(first);
  bool picture = is_picture(first);                // so far: a picture and what extends it
  bool joiner = false;                             // and a joiner right behind them
  bool flag = before == U_GCB_REGIONAL_INDICATOR;  // the first letter of two
  for (;;) {
    const std::size_t next = code_point_length(text, at + length);
    if (next == 0) return length;
    const char32_t c = code_point(text.substr(at + length, next));
    const UGraphemeClusterBreak kind = kind_of(c);
    if (before == U_GCB_CR && kind == U_GCB_LF) return length + next;  // GB3
    if (is_control(before) || is_control(kind)) return length;         // GB4, GB5
    const bool goes_on = makes_syllable(before, kind) ||               //
                         kind == U_GCB_EXTEND || kind == U_GCB_ZWJ ||  // GB9
                         kind == U_GCB_SPACING_MARK ||                 // GB9a
                         before == U_GCB_PREPEND ||                    // GB9b
                         (joiner && is_picture(c)) ||                  // GB11
                         (flag && kind == U_GCB_REGIONAL_INDICATOR);   // GB12, GB13
    if (!goes_on) return length;
    flag = before == U_GCB_PREPEND && kind == U_GCB_REGIONAL_INDICATOR;
    joiner = picture && kind == U_GCB_ZWJ;
    picture = is_picture(c) || (picture && kind == U_GCB_EXTEND);
    before = kind;
    length += next;
  }
}

}  // namespace headlight
