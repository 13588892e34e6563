// 1. of tokenizer.h. Tokens beside the vocabulary of a model: signs, and what somebody added later. They are looked for
// in a text before anything else is done with it, or as soon as it is normalised.
#pragma once

#include <deque>

#include "model/text/pretrained/parts.h"
#include "model/text/pretrained/prefixes.h"

namespace headlight::pretrained {

struct AddedToken {
  std::string content;
  bool single_word = false;             // only where no word goes on at its ends
  bool lstrip = false, rstrip = false;  // takes the white space beside it
  bool normalized = false;              // is looked for in the normalised text, and normalised itself
  bool special = false;
  TokenNumber id = -1;  // given by AddedTokens
};

class AddedTokens {
 public:
  struct Piece {
    AlignedText text;
    std::optional<TokenNumber> id;  // of an added token
  };

  // Numbers it as the Rust library does, whatever the file says: with the number that the model's vocabulary has for
  // it, else with the next one behind the vocabulary and those added so far; `id` wins where it is given. What was
  // added before keeps its number and becomes as it is now; special it stays. One without content is none.
  void add(AddedToken token, const SubwordModel& model, std::optional<TokenNumber> id = {});
  // Special tokens that somebody types are texts like any other.
  void split_special() { splits_special_ = true; }
  // Behind the last add().
  void prepare(const Normalizer& normalizer);

  const AddedToken* find(const std::string& content) const;
  const AddedToken* at(TokenNumber id) const;
  // The leftmost one, of those that begin there the longest, and so on: those that are looked for in the text as it is,
  // or in the normalised one.
  std::vector<Piece> split(const AlignedText& text, bool normalized) const;

 private:
  std::deque<AddedToken> tokens_;  // in the order in which they came; elements stay where they are
  std::unordered_map<std::string, AddedToken*> by_content_;
  std::unordered_map<TokenNumber, AddedToken*> by_id_;
  TokenNumber next_ = 0;  // one above the largest number so far
  bool splits_special_ = false;
  std::deque<std::string> contents_;  // as they are looked for
  Prefixes plain_, normalized_;       // by their places in tokens_
};

}  // namespace headlight::pretrained
