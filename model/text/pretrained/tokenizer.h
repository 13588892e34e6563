// A tokenizer put together from its parts: text to tokens with their places in the text, and back.
#pragma once

#include "model/text/pretrained/parts.h"

namespace headlight::pretrained {

struct AddedToken {
  TokenNumber id = 0;
  std::string content;
  bool single_word = false;             // only where no word goes on at its ends
  bool lstrip = false, rstrip = false;  // takes the white space beside it
  bool normalized = false;              // is looked for in the normalised text, and normalised itself
  bool special = false;
};

class Tokenizer {
 public:
  struct Parts {
    Normalizer normalizer;  // empty functions: there is none
    PreTokenizer pre_tokenizer;
    std::shared_ptr<const SubwordModel> model;
    PostProcessor post_processor;
    Decoder decoder;
    std::vector<AddedToken> added;
  };
  explicit Tokenizer(Parts parts);

  // The text is valid UTF-8. Offsets count code points of the text that a token is of.
  Encoding encode(std::string_view text, bool add_special = true) const;
  Encoding encode_pair(std::string_view first, std::string_view second, bool add_special = true) const;
  std::string decode(const std::vector<TokenNumber>& ids, bool skip_special = true) const;

  const std::string* text(TokenNumber id) const;  // null: there is no such token
  std::optional<TokenNumber> find(const std::string& token) const;
  bool is_special(TokenNumber id) const;

 private:
  struct Piece {
    AlignedText text;
    std::optional<TokenNumber> id;  // of an added token
  };
  using Finder = std::vector<std::pair<std::string, const AddedToken*>>;  // by first byte, the longest first
  std::vector<Piece> split(const AlignedText& text, const Finder& finder) const;
  Encoding tokens_of(std::string_view text, int sequence) const;
  Encoding processed(std::vector<Encoding> texts, bool add_special) const;

  Parts parts_;
  std::unordered_map<TokenNumber, const AddedToken*> by_id_;
  std::unordered_map<std::string, const AddedToken*> by_text_;
  Finder plain_, normalized_;
};

}  // namespace headlight::pretrained
