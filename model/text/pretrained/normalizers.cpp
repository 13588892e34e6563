// 2. of tokenizer.h: normalizers.

#include <algorithm>
#include <array>
#include <cstring>

#include "model/core/effort.h"
#include "model/core/errors.h"
#include "model/text/graphemes.h"
#include "model/text/pretrained/parts.h"

namespace headlight::pretrained {

namespace {

std::array<char32_t, 256> byte_characters() {
  std::array<char32_t, 256> table{};
  char32_t next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    const bool visible = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    table[static_cast<std::size_t>(byte)] = visible ? static_cast<char32_t>(byte) : next++;
  }
  return table;
}

bool in(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

// Units of the double array; see the Darts-clone library. Each step is checked: the file is a stranger's.
class CharacterMap {
 public:
  CharacterMap(const std::string& map, const std::string& where) {
    const auto fail = [&] { throw FormatError(where + ": the precompiled map is damaged"); };
    std::uint32_t size = 0;
    if (map.size() < sizeof(size)) fail();
    std::memcpy(&size, map.data(), sizeof(size));
    if (size % 4 != 0 || size == 0 || size > map.size() - sizeof(size)) fail();
    units_.resize(size / 4);
    std::memcpy(units_.data(), map.data() + sizeof(size), size);
    texts_ = map.substr(sizeof(size) + size);
  }
  // What stands for the beginning of `text`, and how many bytes that beginning has. The shortest match, or the longest.
  std::optional<std::pair<std::string_view, std::size_t>> find(std::string_view text, bool longest) const {
    std::optional<std::pair<std::string_view, std::size_t>> found;
    std::size_t at = offset(units_[0]);
    for (std::size_t i = 0; i < text.size() && text[i] != '\0'; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      at ^= byte;
      if (at >= units_.size() || (units_[at] & (1u << 31 | 0xff)) != byte) break;
      const bool leaf = units_[at] >> 8 & 1;
      at ^= offset(units_[at]);
      Effort::spend(5);
      if (!leaf) continue;
      if (at >= units_.size()) break;
      const std::size_t begin = units_[at] & ((1u << 31) - 1);
      if (begin < texts_.size()) {
        const std::string_view rest = std::string_view(texts_).substr(begin);
        found = {rest.substr(0, rest.find('\0')), i + 1};
      }
      if (!longest) break;
    }
    return found;
  }

 private:
  static std::size_t offset(std::uint32_t unit) {
    return static_cast<std::size_t>(unit >> 10) << ((unit & (1u << 9)) >> 6);
  }
  std::vector<std::uint32_t> units_;
  std::string texts_;
};

std::size_t character_count(std::string_view text) {
  std::size_t count = 0;
  for_each_character(text, [&](char32_t, std::size_t, std::size_t) { ++count; });
  return count;
}

// `from` becomes `to`: characters one for one, what is more is put in, what is less goes with the last one.
void add_replacement(AlignedText::Changes& changes, std::string_view from, std::string_view to) {
  Effort::hold(changes.size() + to.size());
  const auto before = static_cast<int>(character_count(from));
  int after = 0;
  for_each_character(to, [&](char32_t c, std::size_t, std::size_t) {
    changes.emplace_back(c, after < before ? 0 : 1);
    ++after;
  });
  if (after < before && !changes.empty()) changes.back().second += after - before;
}

void map_graphemes(AlignedText& text, const CharacterMap& map) {
  constexpr std::size_t kLongest = 6;  // a longer grapheme is looked up character by character
  AlignedText::Changes changes;
  const std::string_view all = text.text();
  bool changed = false;
  for (std::size_t at = 0; at < all.size();) {
    const std::string_view grapheme = all.substr(at, std::max<std::size_t>(grapheme_length(all, at), 1));
    at += grapheme.size();
    const auto whole = grapheme.size() < kLongest ? map.find(grapheme, false) : std::nullopt;
    if (whole) {
      changed = true;
      add_replacement(changes, grapheme, whole->first);
      continue;
    }
    for_each_character(grapheme, [&](char32_t c, std::size_t begin, std::size_t length) {
      const std::string_view one = grapheme.substr(begin, length);
      const auto found = map.find(one, false);
      changed |= found.has_value();
      if (found)
        add_replacement(changes, one, found->first);
      else
        changes.emplace_back(c, 0);
    });
  }
  if (changed) text.transform(changes);
}

void map_longest(AlignedText& text, const CharacterMap& map) {
  const std::string all = text.text();
  // From the end, so that the places of what comes before stay.
  std::vector<std::pair<std::size_t, std::size_t>> places;
  std::vector<std::string_view> contents;  // of the map
  for (std::size_t at = 0; at < all.size();) {
    const auto found = map.find(std::string_view(all).substr(at), true);
    if (found) {
      places.emplace_back(at, at + found->second);
      contents.push_back(found->first);
      at += found->second;
    } else {
      std::size_t length = 1;
      while (at + length < all.size() && (static_cast<unsigned char>(all[at + length]) & 0xc0) == 0x80) ++length;
      at += length;
    }
  }
  AlignedText::Changes changes;
  std::size_t at = 0;
  const auto keep = [&](std::size_t end) {
    for_each_character(std::string_view(all).substr(at, end - at),
                       [&](char32_t c, std::size_t, std::size_t) { changes.emplace_back(c, 0); });
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    keep(places[i].first);
    add_replacement(changes, std::string_view(all).substr(places[i].first, places[i].second - places[i].first),
                    contents[i]);
    at = places[i].second;
  }
  keep(all.size());
  if (!places.empty()) text.transform(changes);
}

}  // namespace

char32_t character_of_byte(unsigned char byte) {
  static const std::array<char32_t, 256> table = byte_characters();
  return table[byte];
}

Normalizer in_sequence(std::vector<Normalizer> steps) {
  return [steps = std::move(steps)](AlignedText& text) {
    for (const Normalizer& step : steps) step(text);
  };
}

// 2. The four in the library's order: clean_text, handle_chinese_chars, strip_accents, lowercase.
Normalizer bert_normalizer(const BertNormalizing& settings) {
  return [settings](AlignedText& text) {
    if (settings.clean_text) {
      text.keep_if([](char32_t c) { return c != 0 && c != 0xfffd && !is_dropped_by_cleaning(c); });
      text.map([](char32_t c) { return is_white_space(c) ? U' ' : c; });
    }
    if (settings.ideographs) {
      AlignedText::Changes changes;
      for (const char32_t c : text.characters()) {
        const bool apart = is_ideograph(c);
        if (apart) changes.emplace_back(U' ', 0);
        changes.emplace_back(c, apart ? 1 : 0);
        if (apart) changes.emplace_back(U' ', 1);
      }
      text.transform(changes);
    }
    if (settings.strip_accents.value_or(settings.lower_case)) {
      text.transform(normal_form(text.characters(), NormalForm::nfd));
      text.keep_if([](char32_t c) { return !is_old_nonspacing_mark(c); });
    }
    if (settings.lower_case) text.lower_case();
  };
}

Normalizer to_normal_form(NormalForm form) {
  return [form](AlignedText& text) { text.transform(normal_form(text.characters(), form)); };
}
Normalizer lower_casing() {
  return [](AlignedText& text) { text.lower_case(); };
}
Normalizer without_accents() {
  return [](AlignedText& text) { text.keep_if([](char32_t c) { return !is_mark(c); }); };
}

Normalizer stripped(bool left, bool right) {
  return [left, right](AlignedText& text) {
    std::size_t first = 0, last = text.text().size(), end = 0;
    bool leading = true;
    for_each_character(text.text(), [&](char32_t c, std::size_t at, std::size_t length) {
      const bool white = is_white_space(c);
      leading = leading && white;
      if (leading && left) first = at + length;
      if (!white) end = at + length;
    });
    if (right) last = std::max(end, first);
    text = text.slice(first, last);
  };
}

Normalizer replaced(Pattern pattern, std::string content) {
  return [pattern = std::move(pattern), content = std::move(content)](AlignedText& text) {
    text.replace(pattern(text.text()), content);
  };
}
Normalizer prepended(std::string before) {
  return [before = std::move(before)](AlignedText& text) { text.prepend(before); };
}

Normalizer bytes_as_characters() {
  return [](AlignedText& text) {
    AlignedText::Changes changes;
    for_each_character(text.text(), [&](char32_t, std::size_t at, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i)
        changes.emplace_back(character_of_byte(static_cast<unsigned char>(text.text()[at + i])), i > 0 ? 1 : 0);
    });
    text.transform(changes);
  };
}

Normalizer nmt() {
  return [](AlignedText& text) {
    text.keep_if([](char32_t c) {
      return !in(c, 1, 8) && c != 0xb && !in(c, 0xe, 0x1f) && c != 0x7f && c != 0x8f && c != 0x9f;
    });
    text.map([](char32_t c) {
      const bool space = in(c, 9, 0xd) || c == 0x1680 || in(c, 0x200b, 0x200f) || c == 0x2028 || c == 0x2029 ||
                         c == 0x2581 || c == 0xfeff || c == 0xfffd;
      return space ? U' ' : c;
    });
  };
}

Normalizer precompiled_map(const std::string& map, bool longest, const std::string& where) {
  if (map.empty()) return [](AlignedText&) {};
  auto shared = std::make_shared<const CharacterMap>(map, where);
  return [shared, longest](AlignedText& text) {
    if (longest)
      map_longest(text, *shared);
    else
      map_graphemes(text, *shared);
  };
}

}  // namespace headlight::pretrained
