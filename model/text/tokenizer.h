// Tokenizers: from a text to the tokens of a vocabulary, and back.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/text/vocabulary.h"
#include "model/text/word_cut.h"
#include "model/text/words.h"

namespace headlight {

// Pairs of symbols in the order in which byte-pair encoding joins them (Sennrich et al. 2016, algorithm 1). The last
// symbol of a word carries kWordEnd.
using Merges = std::vector<std::pair<std::string, std::string>>;
inline constexpr std::string_view kWordEnd = "</w>";

enum class TokenizerKind {
  characters,  // one token for each code point
  words,       // split at white space and around signs: "l'eau, donc" -> l' eau , donc
  bpe,         // words, then pieces of words (byte-pair encoding)
  other,       // that of another library; it has no name in our files
};
inline constexpr const char* kTokenizerNames[] = {"characters", "words", "bpe"};

// Special tokens, in front of the vocabularies of new tasks: ids 0 to 3. Nobody can type them.
inline constexpr const char *kPadding = "<pad>", *kStart = "<bos>", *kEnd = "<eos>", *kUnknown = "<unk>";
// Stands for a hidden word; typed as "[MASK]", "<mask>" or "___", where the vocabulary has it.
inline constexpr const char* kMask = "[MASK]";
// The end of a line, of vocabularies that have it.
inline constexpr const char* kLineEnd = "\n";
std::vector<std::string> with_special_tokens(const std::vector<std::string>& tokens);

// What is looked up for a typed piece: lower case if asked for; within words an apostrophe is one sign however typed.
std::string normal_form(std::string_view piece, TokenizerKind kind, bool lower_case);

// How texts become tokens where none of the above says it: the tokenizer of another library. Immutable.
class OtherTokenizer {
 public:
  virtual ~OtherTokenizer() = default;
  // The special tokens that it adds stand for no text: begin == end.
  virtual std::vector<TextToken> split(std::string_view text) const = 0;
  virtual std::string join(const std::vector<TokenId>& ids) const = 0;
  // How the tokens of a text come about; those of a tokenizer without rules are there at once.
  virtual std::vector<WordCut> cuts(std::string_view text) const;
  // Of two texts that are read as one, with the signs between them: each token says of which it is.
  virtual bool takes_pairs() const { return false; }
  virtual std::vector<TextToken> split_pair(std::string_view first, std::string_view second) const;
};

class Tokenizer {
 public:
  Tokenizer() = default;
  // The vocabulary is what its tokens are shown as; nothing is looked up in it.
  Tokenizer(std::shared_ptr<const OtherTokenizer> other, Vocabulary vocabulary)
      : vocabulary_(std::move(vocabulary)), kind_(TokenizerKind::other), other_(std::move(other)) {}
  // By characters, as typed, unless said otherwise. Throws FormatError for merges whose result is not in the
  // vocabulary.
  Tokenizer(Vocabulary vocabulary, TokenizerKind kind = TokenizerKind::characters, bool lower_case = false,
            Merges merges = {});

  const Vocabulary& vocabulary() const { return vocabulary_; }
  TokenizerKind kind() const { return kind_; }
  bool lower_case() const { return lower_case_; }
  const Merges& merges() const { return merges_; }

  // Every piece of the text (of words and bpe: all but white space) with its place. A piece that is not in the
  // vocabulary is marked unknown and has the id of kUnknown, or none when the vocabulary has no such token. Any bytes
  // may be given. A mask, however typed, is one token that reads "[MASK]"; where a vocabulary of words or byte pairs
  // has kLineEnd, the end of a line is a token, too.
  std::vector<TextToken> split(std::string_view text) const;
  // Whether two texts can be read as one, and their tokens; without a second text, those of split().
  bool takes_pairs() const { return other_ && other_->takes_pairs(); }
  std::vector<TextToken> split_pair(std::string_view first, std::string_view second) const;
  // How these tokens come about, word by word (of characters: all of them), without the signs of another library.
  std::vector<WordCut> cuts(std::string_view text) const;
  // The text that the tokens stand for: words with spaces between them, none before "." and after "l'" and beside the
  // end of a line. Padding, start and end are left out.
  std::string join(const std::vector<TokenId>& ids) const;

 private:
  std::vector<TextToken> split_told(std::string_view text, std::vector<WordCut>* cuts) const;
  std::vector<TextToken> split_plain(std::string_view text, std::vector<WordCut>* cuts) const;
  TextToken piece(std::string_view text, std::size_t begin, std::size_t end, std::string_view key) const;
  void split_bpe(std::string_view text, const Word& word, std::vector<TextToken>& pieces, WordCut* cut) const;
  Vocabulary vocabulary_;
  TokenizerKind kind_ = TokenizerKind::characters;
  bool lower_case_ = false;
  Merges merges_;
  std::unordered_map<std::string, std::size_t> ranks_;  // "left right" -> place among the merges
  std::optional<TokenId> unknown_, mask_, line_end_;
  std::shared_ptr<const OtherTokenizer> other_;
};

// The text again and again, cut to so many tokens.
std::string text_of_length(const Tokenizer& tokenizer, const std::string& text, int length);

}  // namespace headlight
