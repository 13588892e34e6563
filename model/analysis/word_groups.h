// Tokens that belong together: the bytes of a character, the pieces of a word. And attention between words, with the
// weights of their pieces added up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/attention_maps.h"

namespace headlight {

// Neighbouring tokens that are shown as one.
struct TokenGroup {
  Index first = 0, count = 1;
  std::string text;  // what they spell, without marks of pieces
  bool operator==(const TokenGroup&) const = default;
};

// Whether a token is a sign of the vocabulary that stands for no text: "<s>", "</s>", "<pad>", "[MASK]",
// "<|endoftext|>".
bool is_special_token(std::string_view token);
// Whether a token is a byte that is not a character by itself: "<0xE4>" (SentencePiece's fallback), or broken UTF-8.
bool is_byte_piece(std::string_view token);

// Each character as readers see it (see grapheme_length) with the tokens that it is made of; bytes are put together.
// Every token is in one group, in order.
std::vector<TokenGroup> character_groups(const std::vector<std::string>& tokens);

// How tokens tell where words begin.
enum class WordMarks {
  characters,  // not at all: at spaces and signs
  words,       // each is one
  // By "</w>" or no "@@" at their end; by "▁", "Ġ", a space or no "##" at their beginning. Without such marks each is
  // one.
  pieces,
};
// Each word with its tokens; spaces and signs between characters stand alone, special tokens too.
std::vector<TokenGroup> word_groups(const std::vector<std::string>& tokens, WordMarks marks);

// The words of an axis of an attention map of this result: of its rows as they were written, or of what was read. A run
// of padding is one group.
std::vector<TokenGroup> word_groups(const Result& result, const std::vector<AttentionToken>& axis, bool written);
bool has_pieces(const std::vector<TokenGroup>& groups);

// Attention between groups: weights of the columns of a group are added up, rows of a group averaged, so that a row
// sums to what it did. The map holds its own weights, none of which is a cell of the trace: entry() is -1.
AttentionMap grouped(const AttentionMap& map, const std::vector<TokenGroup>& rows,
                     const std::vector<TokenGroup>& columns);

// The map between words; the map itself where no token on its axes is a piece of a word (has_pieces).
AttentionMap between_words(const Result& result, const AttentionMap& map);
bool has_pieces(const Result& result, const AttentionMap& map);

}  // namespace headlight
