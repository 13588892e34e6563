// How texts become tokens of a model and back: the same rules for training and for running.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/text/tokenizer.h"

namespace headlight {

// Special tokens have the same id on both sides where both use them.
struct TextRules {
  Tokenizer source, target;
  Index source_width = 0;       // shorter sources are padded with spaces to this many tokens; 0: they stay as they are
  Index target_length = 0;      // without `eos` and `pad` every target has this many tokens (padded with spaces), else
                                // at most this many; 0: as many as the source (with `eos`: up to twice as many and 10)
  Index longest_source = 0;     // that was trained on, in tokens; 0: not known
  TokenId bos = 0;              // starts every target
  std::optional<TokenId> eos;   // ends targets
  std::optional<TokenId> pad;   // fills up batches of different lengths
  std::optional<TokenId> mask;  // hides a word of the source that the model has to guess (kMask)
  bool source_eos = false;      // `eos` also ends sources
  bool source_bos = false;      // `bos` also begins sources: an empty text is then a source of one token
  bool writes = true;           // false: the model only reads, a run of it has no steps
  Index most_source = 0;        // tokens that the model has positions for: longer sources are cut; 0: no limit
  bool answers = false;         // its two steps are places of the source: where an answer begins and where it ends
  Index token_types = 0;        // kinds of sentences that the model knows (TextToken::type); 0: it is told of none

  // The ids that a model never writes: padding and the start sign, where they are special tokens, and the mask.
  std::vector<TokenId> never_written() const;
  // What is added to the tokens of a source: the start and the end sign, spaces up to the width, or at least one token.
  void finish_source(std::vector<TextToken>& tokens, std::size_t text_size) const;
  // split() and finish_source().
  std::vector<TextToken> source_tokens(const std::string& text) const;
  // How many tokens are added for the signs that sources begin and end with.
  Index source_signs() const { return (source_bos ? 1 : 0) + (source_eos ? 1 : 0); }
  // How many tokens a target may have, the end sign not counted, for a source of so many tokens, all counted.
  Index target_limit(Index source_count) const;
};

// Characters of one vocabulary for both sides; all sources have one width and all targets one length.
TextRules rules_of_width(const std::vector<std::string>& tokens, Index source_width, Index target_length,
                         const std::string& bos);
// Any lengths, the special tokens in front of both vocabularies, targets that end with EOS.
TextRules rules_with_end(TokenizerKind kind, const std::vector<std::string>& source,
                         const std::vector<std::string>& target, bool lower_case = false);

}  // namespace headlight
