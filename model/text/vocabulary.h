// Vocabularies: tokens and their ids.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/core/scalar.h"

namespace headlight {

// Whose words a token is of: the second of two texts, or whoever speaks in a chat.
enum class Voice : std::uint8_t { none, second, system, user, assistant, tool };
// Of the role of a message: "developer" is a system, what is not known none.
Voice voice_of(const std::string& role);

// A piece of a text as the model sees it, and where it stands in the text.
struct TextToken {
  std::string text;       // UTF-8, as typed
  std::size_t begin = 0;  // byte range in the text; begin == end for what the task adds
  std::size_t end = 0;
  std::optional<TokenId> id;    // none: not in the vocabulary, left out of the run
  bool padding = false;         // a space that the task adds to fill up the width, not typed
  bool unknown = false;         // not in the vocabulary; `id` is then that of <unk>, if there is one
  int sentence = 0;             // of a pair of texts: 0 the first, 1 the second, whose places begin and end are then
  int type = 0;                 // which kind of sentence the model is told that it is of (token type, segment)
  Voice speaker = Voice::none;  // in a chat
  bool is_second() const { return sentence != 0 || type != 0; }
  Voice voice() const { return speaker == Voice::none && is_second() ? Voice::second : speaker; }
};

class Vocabulary {
 public:
  Vocabulary() = default;
  // Throws FormatError for an empty or repeated token.
  explicit Vocabulary(std::vector<std::string> tokens);
  // Tokens that are only shown: they may be any bytes and repeat, and find() knows none.
  static Vocabulary shown(std::vector<std::string> tokens) {
    Vocabulary made;
    made.tokens_ = std::move(tokens);
    return made;
  }

  Index size() const { return static_cast<Index>(tokens_.size()); }
  const std::string& text(TokenId id) const;  // throws UsageError outside [0, size)
  std::optional<TokenId> find(std::string_view token) const;
  const std::vector<std::string>& tokens() const { return tokens_; }

  // One token for each character (code point; a broken UTF-8 byte stands alone and is never in the vocabulary).
  std::vector<TextToken> split_characters(std::string_view text) const;

 private:
  std::vector<std::string> tokens_;
  std::unordered_map<std::string, TokenId> ids_;
};

}  // namespace headlight
