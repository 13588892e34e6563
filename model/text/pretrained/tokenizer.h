// A tokenizer put together from its parts: text to tokens with their places in the text, and back. The steps and their
// order are those of Hugging Face tokenizers 0.23.3, whose tokenizer.json names the parts; their numbers stand again
// where they are done:
//   1. added tokens: some are looked for in the text as it is, the others (`normalized`) in what 2 gives. A match is a
//      token, and skips 2 to 4 or 3 and 4
//   2. normalizer: changes what is still text
//   3. pre-tokenizer: splits that into pieces
//   4. model: makes tokens of each piece
//   5. post-processor: puts signs around one text or two, and says the kind of sentence of each token
//   6. decoder, on the way back: makes one text of the texts of tokens
// Between 4 and 5 the library cuts a text, and behind 5 it pads it, where it is asked to: not here (see text_read.cpp).
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
  // How the bare tokens of a text came about; places count code points, as offsets do.
  std::vector<WordCut> cuts(std::string_view text) const;
  std::string decode(const std::vector<TokenNumber>& ids, bool skip_special = true) const;

  const std::string* text(TokenNumber id) const;  // null: there is no such token
  std::optional<TokenNumber> find(const std::string& token) const { return parts_.find(token); }
  bool is_special(TokenNumber id) const;

 private:
  Encoding tokens_of(std::string_view text, int sequence, std::vector<WordCut>* cuts = nullptr) const;
  Encoding processed(std::vector<Encoding> texts, bool add_special) const;

  Parts parts_;
};

}  // namespace headlight::pretrained
