// Languages of models that translate between many: a code that is a token of its own ("eng_Latn", "de_DE", "__de__")
// stands with the signs around a text.
#pragma once

#include "model/text/pretrained/tokenizer.h"

namespace headlight::pretrained {

bool is_language_code(std::string_view token);

// The codes among the first `count` tokens, that of the signs first; none where no code is among the signs.
std::vector<std::string> language_codes(const Tokenizer& tokenizer, TokenNumber count);

// As Tokenizer::encode; but a code that is typed in front of the text takes the place of that among the signs.
Encoding encode_in_language(const Tokenizer& tokenizer, std::string_view text, bool add_special = true);

}  // namespace headlight::pretrained
