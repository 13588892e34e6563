// A tokenizer put together from its parts: text to tokens with their places in the text, and back.
#pragma once

#include "model/text/pretrained/added_tokens.h"

namespace headlight::pretrained {

class Tokenizer {
 public:
  struct Parts {
    Normalizer normalizer;  // empty functions: there is none
    PreTokenizer pre_tokenizer;
    std::shared_ptr<const SubwordModel> model;
    PostProcessor post_processor;
    Decoder decoder;
    AddedTokens added;

    std::optional<TokenNumber> find(const std::string& token) const;
  };
  explicit Tokenizer(Parts parts);
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // The text is valid UTF-8. Offsets count code points of the text that a token is of. Throws FormatError, and
  // BudgetError for a text on which these parts take too long or that they make too large.
  Encoding encode(std::string_view text, bool add_special = true) const;
  Encoding encode_pair(std::string_view first, std::string_view second, bool add_special = true) const;
  std::string decode(const std::vector<TokenNumber>& ids, bool skip_special = true) const;

  const std::string* text(TokenNumber id) const;  // null: there is no such token
  std::optional<TokenNumber> find(const std::string& token) const { return parts_.find(token); }
  bool is_special(TokenNumber id) const;

 private:
  Encoding tokens_of(std::string_view text, int sequence) const;
  Encoding processed(std::vector<Encoding> texts, bool add_special) const;

  Parts parts_;
};

}  // namespace headlight::pretrained
