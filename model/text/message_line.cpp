#include "model/text/message_line.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "model/text/utf8.h"

namespace headlight {

namespace {

// In characters. Longer than any path that somebody would read, and than any list of names that we give ourselves.
constexpr std::size_t kLongestWord = 200, kLongestLine = 1200;
// Of texts of megabytes, as many bytes at each end are looked at: more than the longest line needs.
constexpr std::size_t kSeen = 8 * kLongestLine;

// What a line is cut into: one character, or one escape.
using Units = std::vector<std::string>;

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

std::string escape(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  char text[16];
  std::snprintf(text, sizeof text,
                c < 0x80      ? "\\x%02x"
                : c < 0x10000 ? "\\u%04x"
                              : "\\U%08x",
                static_cast<unsigned>(c));
  return text;
}

void append_units(std::string_view text, Units& units) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (length == 0) {
      char byte[8];
      std::snprintf(byte, sizeof byte, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(text[at])));
      units.emplace_back(byte);
      ++at;
      continue;
    }
    const std::string_view bytes = text.substr(at, length);
    const char32_t c = code_point(bytes);
    units.push_back(is_harmful(c) ? escape(c) : std::string(bytes));
    at += length;
  }
}

// Characters of a unit: an escape has as many as bytes.
std::size_t width(const std::string& unit) {
  return (static_cast<unsigned char>(unit.front()) & 0x80) != 0 ? 1 : unit.size();
}

using Place = Units::const_iterator;

// Appends what stands between two places, at most `most` characters of it.
void append_short(Place begin, Place end, std::size_t most, Units& to) {
  std::size_t all = 0;
  for (Place at = begin; at != end; ++at) all += width(*at);
  if (all <= most) return void(to.insert(to.end(), begin, end));
  const auto fitting = [](auto at, std::size_t room) {
    for (; width(*at) <= room; ++at) room -= width(*at);
    return at;
  };
  const Place head = fitting(begin, 3 * most / 5);
  const Place tail = fitting(std::make_reverse_iterator(end), most - 3 * most / 5 - 1).base();
  to.insert(to.end(), begin, head);
  to.emplace_back("…");
  to.insert(to.end(), tail, end);
}

std::string joined(const Units& units) {
  std::string text;
  for (const std::string& unit : units) text += unit;
  return text;
}

}  // namespace

bool is_harmful(char32_t c) {
  return c < 0x20 || in(c, 0x7f, 0x9f) || c == 0xad || c == 0x61c || c == 0x180e || c == 0x200b || c == 0x200e ||
         c == 0x200f || in(c, 0x2028, 0x202e) || in(c, 0x2060, 0x206f) || c == 0xfeff || in(c, 0xfff9, 0xfffb) ||
         in(c, 0xfdd0, 0xfdef) || (c & 0xfffe) == 0xfffe || in(c, 0xe0000, 0xe007f);
}

std::string escaped_line(std::string_view text) {
  Units units;
  append_units(text, units);
  return joined(units);
}

std::string message_line(std::string_view text) {
  Units units, words, line;
  if (text.size() <= 2 * kSeen) {
    append_units(text, units);
  } else {  // a character that is cut in two here is cut out below
    append_units(text.substr(0, kSeen), units);
    units.emplace_back("…");
    append_units(text.substr(text.size() - kSeen), units);
  }
  for (Place at = units.begin(); at != units.end();) {
    const Place space = std::find(at, units.cend(), " ");
    append_short(at, space, kLongestWord, words);
    at = space;
    if (at != units.end()) words.push_back(*at++);
  }
  append_short(words.begin(), words.end(), kLongestLine, line);
  return joined(line);
}

}  // namespace headlight
