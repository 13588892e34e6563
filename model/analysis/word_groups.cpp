#include "model/analysis/word_groups.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "model/core/parallel.h"
#include "model/text/graphemes.h"
#include "model/text/utf8.h"
#include "model/text/words.h"

namespace headlight {

namespace {

constexpr std::string_view kContinued = "@@", kContinues = "##", kSpaceBefore = "▁", kByteSpace = "Ġ";

// The byte of "<0xE4>".
std::optional<char> fallback_byte(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
  int value = 0;
  for (const char c : token.substr(3, 2)) {
    if (!std::isxdigit(static_cast<unsigned char>(c))) return std::nullopt;
    value = 16 * value + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return static_cast<char>(value);
}

std::string with_byte(std::string_view token) {
  const auto byte = fallback_byte(token);
  return byte ? std::string(1, *byte) : std::string(token);
}

// The tokens one behind the other, and where each begins.
struct Joined {
  std::string text;
  std::vector<std::size_t> begins;
  std::vector<std::string> parts;
  std::vector<bool> inside;  // this token goes on with what the one before has begun

  void add(const std::string& part, bool space_before) {
    if (space_before) text += ' ';
    begins.push_back(text.size());
    text += part;
    parts.push_back(part);
  }

  // Tokens that begin within one of these ranges go on.
  template <class Ranges>
  void mark(const Ranges& ranges) {
    inside.resize(begins.size());
    std::size_t token = 0;
    for (const Word& range : ranges) {
      while (token < begins.size() && begins[token] <= range.begin) ++token;
      for (; token < begins.size() && begins[token] < range.end; ++token)
        if (!parts[token].empty()) inside[token] = true;
    }
  }

  std::vector<TokenGroup> groups() const {
    std::vector<TokenGroup> made;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      if (!inside[i] || made.empty()) made.push_back({static_cast<Index>(i), 0, {}});
      ++made.back().count;
      made.back().text += parts[i];
    }
    return made;
  }
};

std::vector<Word> graphemes(std::string_view text) {
  std::vector<Word> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = grapheme_length(text, at);
    if (length > 1) found.push_back({at, at + length});
    at += length;
  }
  return found;
}

// Words of letters or digits: signs within a word, as of "1994-09-27", end it here.
std::vector<Word> plain_words(std::string_view text) {
  std::vector<Word> parts;
  for (const Word& word : split_words(text)) {
    std::size_t begin = word.begin;
    for (std::size_t at = begin; at <= word.end; ++at) {
      if (at < word.end && text[at] != '-' && text[at] != '.' && text[at] != ',') continue;
      if (at > begin) parts.push_back({begin, at});
      begin = at + 1;
    }
  }
  return parts;
}

// Bytes of the sign in front of a token that stands for a space.
std::size_t space_before(const std::string& token) {
  for (const std::string_view sign : {kSpaceBefore, kByteSpace, std::string_view(" ")})
    if (token.starts_with(sign)) return sign.size();
  return 0;
}

enum class Convention { none, end, continued, continues, before };

Convention convention_of(const std::vector<std::string>& tokens) {
  for (const std::string& token : tokens) {
    if (token.size() > kWordEnd.size() && token.ends_with(kWordEnd)) return Convention::end;
    if (token.size() > kContinued.size() && token.ends_with(kContinued)) return Convention::continued;
    if (token.size() > kContinues.size() && token.starts_with(kContinues)) return Convention::continues;
    if (space_before(token) > 0 || fallback_byte(token)) return Convention::before;
  }
  return Convention::none;
}

// A token without its mark, and whether a word begins with it; `open`: the one before asked for more.
struct Piece {
  std::string text;
  bool begins = true, open = false;
};

Piece piece_of(const std::string& token, Convention convention, bool open) {
  Piece piece{with_byte(token), true, false};
  std::string& text = piece.text;
  switch (convention) {
    case Convention::none:
      break;
    case Convention::end:
      piece.begins = !open;
      piece.open = !text.ends_with(kWordEnd);
      if (!piece.open) text.resize(text.size() - kWordEnd.size());
      break;
    case Convention::continued:
      piece.begins = !open;
      piece.open = text.size() > kContinued.size() && text.ends_with(kContinued);
      if (piece.open) text.resize(text.size() - kContinued.size());
      break;
    case Convention::continues:
      piece.begins = !(text.size() > kContinues.size() && text.starts_with(kContinues));
      if (!piece.begins) text.erase(0, kContinues.size());
      break;
    case Convention::before:
      piece.begins = space_before(text) > 0;
      text.erase(0, space_before(text));
      break;
  }
  return piece;
}

}  // namespace

bool is_special_token(std::string_view token) {
  const auto all = [](std::string_view text, const auto& good) {
    return !text.empty() && std::all_of(text.begin(), text.end(), good);
  };
  if (token.size() < 3 || token.size() > 32 || is_byte_piece(token)) return false;
  const std::string_view inner = token.substr(1, token.size() - 2);
  if (token.front() == '<' && token.back() == '>' && token != kWordEnd)
    return all(inner, [](unsigned char c) { return std::isalnum(c) || c == '|' || c == '_' || c == '/'; });
  return token.front() == '[' && token.back() == ']' && all(inner, [](unsigned char c) { return std::isupper(c); });
}

bool is_byte_piece(std::string_view token) { return fallback_byte(token) || !is_utf8(token); }

std::vector<TokenGroup> character_groups(const std::vector<std::string>& tokens) {
  Joined joined;
  for (const std::string& token : tokens) joined.add(with_byte(token), is_special_token(token));
  joined.mark(graphemes(joined.text));
  return joined.groups();
}

std::vector<TokenGroup> word_groups(const std::vector<std::string>& tokens, WordMarks marks) {
  const bool by_characters = marks == WordMarks::characters;
  const Convention convention = marks == WordMarks::pieces ? convention_of(tokens) : Convention::none;
  Joined joined;
  bool open = false, after_special = false;
  for (const std::string& token : tokens) {
    const bool special = is_special_token(token);
    const Piece piece = special ? Piece{token, true, false} : piece_of(token, convention, open);
    joined.add(piece.text, special || after_special || (piece.begins && !by_characters));
    open = piece.open;
    after_special = special;
  }
  joined.mark(by_characters ? plain_words(joined.text) : split_words(joined.text));
  joined.mark(graphemes(joined.text));
  std::vector<TokenGroup> groups = joined.groups();
  for (TokenGroup& group : groups)  // a mark that stands alone: the token as it is
    if (group.text.empty()) group.text = tokens[static_cast<std::size_t>(group.first)];
  return groups;
}

bool has_pieces(const std::vector<TokenGroup>& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const TokenGroup& group) { return group.count > 1; });
}

namespace {

// What is typed is shown as typed: only byte-pair encoding cuts it into pieces. What is written is from the vocabulary.
WordMarks marks_of(const Tokenizer& tokenizer, bool typed) {
  if (tokenizer.kind() == TokenizerKind::characters) return WordMarks::characters;
  return typed && tokenizer.kind() == TokenizerKind::words ? WordMarks::words : WordMarks::pieces;
}

// Where the typed words end: their last pieces are shown as typed, without the mark that the vocabulary gives them.
std::set<std::size_t> word_ends(const Result& result) {
  std::set<std::size_t> ends;
  if (result.model->text.source.kind() != TokenizerKind::bpe) return ends;
  for (const Word& word : split_words(result.source)) ends.insert(word.end);
  return ends;
}

// What keeps neighbours of an axis apart, whatever they spell.
enum class LetterSort { source, step, padding, start };

LetterSort letter_sort(const AttentionToken& token, bool written) {
  if (token.padding) return LetterSort::padding;
  if (token.token >= 0) return LetterSort::source;
  return token.step == 0 && !written ? LetterSort::start : LetterSort::step;  // the start sign stands for no text
}

}  // namespace

std::vector<TokenGroup> word_groups(const Result& result, const std::vector<AttentionToken>& axis, bool written) {
  std::vector<TokenGroup> groups;
  const auto size = axis.size();
  if (!result.model) {  // nobody knows how it cuts words
    for (std::size_t i = 0; i < size; ++i)
      groups.push_back({static_cast<Index>(i), 1, written ? axis[i].written : axis[i].text});
    return groups;
  }
  const std::set<std::size_t> ends = word_ends(result);
  for (std::size_t begin = 0; begin < size;) {
    const LetterSort sort = letter_sort(axis[begin], written);
    std::size_t end = begin;
    std::vector<std::string> texts;
    do {
      const AttentionToken& token = axis[end];
      texts.push_back(written ? token.written : token.text);
      if (sort == LetterSort::source && !is_special_token(token.text) &&
          ends.contains(result.tokens[static_cast<std::size_t>(token.token)].end))
        texts.back() += kWordEnd;
      ++end;
    } while (end < size && sort != LetterSort::start && letter_sort(axis[end], written) == sort &&
             (sort != LetterSort::source || axis[end].token == axis[end - 1].token + 1));
    const auto first = static_cast<Index>(begin);
    if (sort == LetterSort::padding || sort == LetterSort::start) {
      groups.push_back({first, static_cast<Index>(end - begin), texts.front()});
    } else {
      const TextRules& text = result.model->text;
      const bool typed = sort == LetterSort::source;
      for (TokenGroup& group : word_groups(texts, marks_of(typed ? text.source : text.target, typed))) {
        group.first += first;
        groups.push_back(std::move(group));
      }
    }
    begin = end;
  }
  return groups;
}

namespace {

AttentionToken merged_token(const std::vector<AttentionToken>& tokens, const TokenGroup& group, bool written) {
  AttentionToken merged = tokens[static_cast<std::size_t>(group.first)];
  (written ? merged.written : merged.text) = group.text;
  for (Index i = group.first + 1; i < group.first + group.count; ++i) {
    const AttentionToken& token = tokens[static_cast<std::size_t>(i)];
    if (token.token >= 0) merged.tokens = token.token - merged.token + 1;
    if (token.step >= 0) merged.steps = token.step - merged.step + 1;
    if (!written) merged.written += token.written;
    if (written) merged.text += token.text;
  }
  return merged;
}

Index group_of(const std::vector<TokenGroup>& groups, Index token) {
  const auto after =
      std::partition_point(groups.begin(), groups.end(), [&](const TokenGroup& group) { return group.first <= token; });
  return static_cast<Index>(after - groups.begin()) - 1;
}

// Keys, kept keys and own column of a row of the merged map.
AttentionRow merged_row(const AttentionMap& map, const TokenGroup& row, const std::vector<TokenGroup>& columns) {
  AttentionRow merged;
  std::vector<bool> kept(columns.size());
  for (Index r = row.first; r < row.first + row.count; ++r) {
    const std::vector<bool> seen = map.kept_columns(r);
    for (std::size_t g = 0; g < columns.size(); ++g)
      for (Index c = columns[g].first; c < columns[g].first + columns[g].count; ++c) {
        if (!map.has(r, c)) continue;
        merged.keys = std::max(merged.keys, static_cast<Index>(g) + 1);
        kept[g] = kept[g] || seen[static_cast<std::size_t>(c)];
      }
  }
  merged.kept = std::count(kept.begin(), kept.end(), true);
  const Index own = map.source(row.first).column;
  merged.column = own < 0 ? -1 : group_of(columns, own);
  return merged;
}

}  // namespace

AttentionMap grouped(const AttentionMap& map, const std::vector<TokenGroup>& rows,
                     const std::vector<TokenGroup>& columns) {
  const auto q = static_cast<Index>(rows.size()), k = static_cast<Index>(columns.size());
  AttentionMap merged;
  merged.kind = map.kind;
  merged.layer = map.layer;
  merged.heads = map.heads;
  merged.trace = map.trace;
  merged.are_shares = map.are_shares;
  merged.lowest = map.lowest;
  merged.highest = map.highest;
  for (Index g = 0; g < k; ++g) {
    merged.columns.push_back(merged_token(map.columns, columns[static_cast<std::size_t>(g)], false));
    merged.key_of_column.push_back(g);
  }
  for (Index g = 0; g < q; ++g) {
    const TokenGroup& row = rows[static_cast<std::size_t>(g)];
    merged.rows.push_back(merged_token(map.rows, row, !map.is_self()));
    AttentionRow source = merged_row(map, row, columns);
    source.first = g * k;
    source.head_stride = q * k;
    merged.row_sources.push_back(source);
  }
  merged.own = Tensor::zeros({map.heads, q, k});
  parallel_for(map.heads, 1, [&](Index begin, Index end) {
    for (Index head = begin; head < end; ++head)
      for (Index g = 0; g < q; ++g) {
        const TokenGroup& row = rows[static_cast<std::size_t>(g)];
        Scalar* out = merged.own.data() + (head * q + g) * k;
        for (Index r = row.first; r < row.first + row.count; ++r)
          for (Index to = 0; to < k; ++to) {
            const TokenGroup& column = columns[static_cast<std::size_t>(to)];
            for (Index c = column.first; c < column.first + column.count; ++c) out[to] += map.weight(head, r, c);
          }
        for (Index to = 0; to < k; ++to) out[to] /= static_cast<Scalar>(row.count);
      }
  });
  return merged;
}

AttentionMap between_words(const Result& result, const AttentionMap& map) {
  if (!has_pieces(result, map)) return map;
  return grouped(map, word_groups(result, map.rows, !map.is_self()), word_groups(result, map.columns, false));
}

bool has_pieces(const Result& result, const AttentionMap& map) {
  const auto real = [](const std::vector<TokenGroup>& groups, const std::vector<AttentionToken>& axis) {
    return std::any_of(groups.begin(), groups.end(), [&](const TokenGroup& group) {
      return group.count > 1 && !axis[static_cast<std::size_t>(group.first)].padding;
    });
  };
  return real(word_groups(result, map.rows, !map.is_self()), map.rows) ||
         real(word_groups(result, map.columns, false), map.columns);
}

}  // namespace headlight
