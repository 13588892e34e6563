#include "model/text/pretrained/unicode.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "model/core/effort.h"

namespace headlight::pretrained {

namespace {

UChar32 icu(char32_t c) { return static_cast<UChar32>(c); }

bool is_of_unicode_8(char32_t c) {
  UVersionInfo age{};
  u_charAge(icu(c), age);
  return age[0] != 0 && age[0] <= 8;
}

// A missing data file of ICU is a defect of the installation: then nothing is normalised.
const icu::Normalizer2* instance(bool compatible) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* found =
      compatible ? icu::Normalizer2::getNFKCInstance(error) : icu::Normalizer2::getNFCInstance(error);
  return U_SUCCESS(error) ? found : nullptr;
}

struct Character {
  char32_t c;
  int change;
  std::uint8_t combining;
};

}  // namespace

std::size_t utf8_length(char32_t c) { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

void append(std::string& text, char32_t c) {
  char bytes[U8_MAX_LENGTH];
  std::size_t count = 0;
  U8_APPEND_UNSAFE(bytes, count, c);
  text.append(bytes, count);
}

bool is_white_space(char32_t c) { return u_isUWhiteSpace(icu(c)); }
bool is_numeric(char32_t c) { return (U_GET_GC_MASK(icu(c)) & U_GC_N_MASK) != 0; }
bool is_mark(char32_t c) { return (U_GET_GC_MASK(icu(c)) & U_GC_M_MASK) != 0; }
bool is_word_character(char32_t c) {
  return u_hasBinaryProperty(icu(c), UCHAR_ALPHABETIC) || u_hasBinaryProperty(icu(c), UCHAR_JOIN_CONTROL) ||
         (U_GET_GC_MASK(icu(c)) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0;
}
int script_of(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(icu(c), &error);
  return U_SUCCESS(error) && script != USCRIPT_UNKNOWN ? static_cast<int>(script) : kNoScript;
}
bool is_kana(int script) { return script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA; }
int han_script() { return USCRIPT_HAN; }

bool is_punctuation(char32_t c) {
  if (c < 0x80)
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
  return c == 0x166d || ((U_GET_GC_MASK(icu(c)) & U_GC_P_MASK) != 0 && is_of_unicode_8(c));
}
bool is_old_nonspacing_mark(char32_t c) { return (U_GET_GC_MASK(icu(c)) & U_GC_MN_MASK) != 0 && is_of_unicode_8(c); }
bool is_dropped_by_cleaning(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  const uint32_t mask = U_GET_GC_MASK(icu(c));
  return (mask & (U_GC_CC_MASK | U_GC_CO_MASK)) != 0 || ((mask & U_GC_CF_MASK) != 0 && is_of_unicode_8(c));
}

bool is_ideograph(char32_t c) {
  const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return in(0x4e00, 0x9fff) || in(0x3400, 0x4dbf) || in(0x20000, 0x2a6df) || in(0x2a700, 0x2b73f) ||
         in(0x2b740, 0x2b81f) || in(0x2b920, 0x2ceaf) || in(0xf900, 0xfaff) || in(0x2f800, 0x2fa1f);
}

std::u32string lower(char32_t c) {
  if (c == 0x130) return U"i\u0307";
  return std::u32string(1, static_cast<char32_t>(u_tolower(icu(c))));
}

std::vector<std::pair<char32_t, int>> normal_form(const std::u32string& text, NormalForm form) {
  const bool compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
  const bool composed = form == NormalForm::nfc || form == NormalForm::nfkc;
  const icu::Normalizer2 *parts = instance(compatible), *canonical = instance(false);
  std::vector<Character> characters;
  Effort::spend(100 * text.size());
  for (const char32_t c : text) {
    icu::UnicodeString decomposed;
    if (!parts || !parts->getDecomposition(icu(c), decomposed)) decomposed = icu::UnicodeString(icu(c));
    for (int32_t at = 0; at < decomposed.length(); at = decomposed.moveIndex32(at, 1)) {
      const UChar32 part = decomposed.char32At(at);
      characters.push_back({static_cast<char32_t>(part), at == 0 ? 0 : 1, u_getCombiningClass(part)});
    }
  }
  // Canonical order: marks between two starters by their class.
  for (std::size_t begin = 0; begin < characters.size();) {
    std::size_t end = begin;
    while (end < characters.size() && characters[end].combining != 0) ++end;
    std::stable_sort(characters.begin() + static_cast<std::ptrdiff_t>(begin),
                     characters.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Character& a, const Character& b) { return a.combining < b.combining; });
    begin = end == begin ? end + 1 : end;
  }
  std::vector<std::pair<char32_t, int>> result;
  std::ptrdiff_t starter = -1;
  int last = 0;  // class of the character before, of those that were kept behind the starter
  for (const Character& next : characters) {
    if (composed && canonical && starter >= 0) {
      auto& [first, change] = result[static_cast<std::size_t>(starter)];
      const bool adjacent = starter + 1 == static_cast<std::ptrdiff_t>(result.size());
      const bool blocked = !adjacent && last >= next.combining;
      const UChar32 pair = blocked ? U_SENTINEL : canonical->composePair(icu(first), icu(next.c));
      if (pair >= 0) {
        first = static_cast<char32_t>(pair);
        change += next.change - 1;
        continue;
      }
    }
    if (next.combining == 0) starter = static_cast<std::ptrdiff_t>(result.size());
    last = next.combining;
    result.emplace_back(next.c, next.change);
  }
  return result;
}

}  // namespace headlight::pretrained
