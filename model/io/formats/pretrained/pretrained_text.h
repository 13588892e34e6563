// Tokenizers of other libraries as tokenizers of ours, and their tokens made readable.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/models/bundle.h"
#include "model/text/pretrained/tokenizer.h"
#include "model/text/tokenizer.h"

namespace headlight {

// What each of `count` ids is shown as: a space where the library writes "Ġ" or "▁", bytes as they are; "<7>" for what
// has no name.
std::vector<std::string> shown_tokens(const pretrained::Tokenizer* tokenizer, Index count);

// The same of a list of tokens, as somebody stored them.
std::vector<std::string> readable_tokens(std::vector<std::string> tokens);

// `signs`: the special tokens around a text are put in. Without a tokenizer a text is the numbers of its tokens.
std::shared_ptr<const OtherTokenizer> as_tokenizer(std::shared_ptr<const pretrained::Tokenizer> tokenizer,
                                                   std::vector<std::string> shown, bool signs);

// Says of a model of many languages, among whose `count` tokens are codes of them, how it is told which, and puts its
// own code in front of the examples.
void tell_languages(ModelBundle& bundle, const pretrained::Tokenizer& tokenizer, Index count);

}  // namespace headlight
