// 3. of tokenizer.h: pre-tokenizers.

#include <algorithm>

#include "model/core/effort.h"
#include "model/text/pretrained/parts.h"

namespace headlight::pretrained {

namespace {

struct Part {
  std::size_t first, last;
  bool match;
};

// The whole text as matches and what is between them.
std::vector<Part> parts_of(std::string_view text, const Ranges& matches, bool inverted) {
  std::vector<Part> parts;
  std::size_t at = 0;
  for (const auto& [first, last] : matches) {
    if (at < first) parts.push_back({at, first, inverted});
    parts.push_back({first, last, !inverted});
    at = last;
  }
  if (at < text.size()) parts.push_back({at, text.size(), inverted});
  return parts;
}

std::vector<Part> merged(const std::vector<Part>& parts, SplitKind kind) {
  std::vector<Part> all;
  bool before = false;
  const auto take = [&](const Part& part, bool joins, bool forward) {
    if (joins && !all.empty()) {
      if (forward)
        all.back().last = part.last;
      else
        all.back().first = part.first;
    } else {
      all.push_back(part);
    }
    before = part.match;
  };
  switch (kind) {
    case SplitKind::removed:
      std::copy_if(parts.begin(), parts.end(), std::back_inserter(all), [](const Part& part) { return !part.match; });
      break;
    case SplitKind::isolated:
      all = parts;
      break;
    case SplitKind::contiguous:
      for (const Part& part : parts) take(part, part.match == before, true);
      break;
    case SplitKind::merged_with_previous:
      for (const Part& part : parts) take(part, part.match && !before, true);
      break;
    case SplitKind::merged_with_next:
      std::for_each(parts.rbegin(), parts.rend(), [&](const Part& part) { take(part, part.match && !before, false); });
      std::reverse(all.begin(), all.end());
      break;
  }
  return all;
}

const Pattern& gpt2_pattern() {
  static const Pattern pattern = regular_expression(
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", "byte-level words");
  return pattern;
}

}  // namespace

PreTokenizer in_sequence(std::vector<PreTokenizer> steps) {
  return [steps = std::move(steps)](const AlignedText& text) {
    Pieces pieces{text};
    for (const PreTokenizer& step : steps) {
      Pieces next;
      std::size_t bytes = 0;
      for (const AlignedText& piece : pieces)
        for (AlignedText& part : step(piece)) {
          Effort::hold(bytes += part.text().size());
          if (!part.empty()) next.push_back(std::move(part));
        }
      pieces = std::move(next);
    }
    return pieces;
  };
}

PreTokenizer split(Pattern pattern, SplitKind kind, bool inverted) {
  return [pattern = std::move(pattern), kind, inverted](const AlignedText& text) {
    Pieces pieces;
    for (const Part& part : merged(parts_of(text.text(), pattern(text.text()), inverted), kind))
      if (part.first < part.last) pieces.push_back(text.slice(part.first, part.last));
    return pieces;
  };
}

PreTokenizer bert_words() {
  return in_sequence(std::vector<PreTokenizer>{split(characters(is_white_space), SplitKind::removed, false),
                                               split(characters(is_punctuation), SplitKind::isolated, false)});
}

PreTokenizer words_and_signs() {
  return [](const AlignedText& text) {
    enum Kind { none, word, sign };
    Pieces pieces;
    std::size_t begin = 0, end = 0;
    Kind before = none;
    const auto finish = [&] {
      if (before != none) pieces.push_back(text.slice(begin, end));
    };
    for_each_character(text.text(), [&](char32_t c, std::size_t at, std::size_t length) {
      const Kind kind = is_word_character(c) ? word : is_white_space(c) ? none : sign;
      if (kind != before) {
        finish();
        begin = at;
      }
      before = kind;
      end = at + length;
    });
    finish();
    return pieces;
  };
}

PreTokenizer by_script() {
  return [](const AlignedText& text) {
    std::vector<std::size_t> begins;
    int before = kNoScript;
    for_each_character(text.text(), [&](char32_t c, std::size_t at, std::size_t) {
      constexpr char32_t kLongVowel = 0x30fc;
      int script = c == ' ' ? kNoScript : script_of(c);
      if (c == kLongVowel || is_kana(script)) script = han_script();
      if (script == kNoScript) return;
      if (script != before) begins.push_back(at);
      before = script;
    });
    begins.push_back(text.text().size());
    Pieces pieces;
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) pieces.push_back(text.slice(begins[i], begins[i + 1]));
    return pieces;
  };
}

PreTokenizer of_length(std::size_t characters) {
  return [characters](const AlignedText& text) {
    Pieces pieces;
    std::size_t begin = 0, count = 0;
    for_each_character(text.text(), [&](char32_t, std::size_t at, std::size_t) {
      if (count++ % characters != 0 || at == 0) return;
      pieces.push_back(text.slice(begin, at));
      begin = at;
    });
    if (begin < text.text().size()) pieces.push_back(text.slice(begin, text.text().size()));
    return pieces;
  };
}

// 3. The space in front, then the words, then bytes as characters.
PreTokenizer byte_level(bool add_prefix_space, bool use_pattern) {
  return [add_prefix_space, use_pattern, bytes = bytes_as_characters()](const AlignedText& text) {
    AlignedText spaced = text;
    if (add_prefix_space && !text.text().starts_with(' ')) spaced.prepend(" ");
    Pieces pieces{spaced};
    if (use_pattern) pieces = split(gpt2_pattern(), SplitKind::isolated, false)(spaced);
    for (AlignedText& piece : pieces) bytes(piece);
    return pieces;
  };
}

// 3. Blanks become the sign, then one stands in front, then the pieces that begin with it.
PreTokenizer metaspace(std::string replacement, Prepend prepend, bool splits) {
  return [replacement = std::move(replacement), prepend, splits](const AlignedText& text) {
    AlignedText marked = text;
    marked.replace(literal(" ")(marked.text()), replacement);
    const bool wanted = prepend == Prepend::always || (prepend == Prepend::first && text.begin() == 0);
    if (wanted && !marked.text().starts_with(replacement)) marked.prepend(replacement);
    return splits ? split(literal(replacement), SplitKind::merged_with_next, false)(marked) : Pieces{marked};
  };
}

}  // namespace headlight::pretrained
