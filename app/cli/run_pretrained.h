// Commands on models of other libraries.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "model/core/scalar.h"

namespace headlight {

// Whether this path is a folder of such a model, or a GGUF file.
bool is_pretrained(const std::string& path);
// "1,2,3", the value of an option. Throws UsageError.
std::vector<TokenId> numbers_of_option(const std::string& text, const char* option);
// The numbers of the tokens of a text, as the model's tokenizer cuts it. Throws FormatError for those that the model,
// which has so many, does not have.
std::vector<TokenId> numbers_of_text(const std::string& model, const std::string& text, Index rows);
// Whether something is asked for that the run of a model of ours has: an edit, a setting, another way of decoding.
// Throws UsageError where that is mixed with options that only the library's run has.
bool wants_what_ours_have(const RunCommand& command);
// 'headlight run' and 'headlight verify' of it. Throw Error.
int run_pretrained(const RunCommand& command);
int verify_pretrained(const VerifyCommand& command);
// 'headlight evaluate' of it on texts: how probable it finds what follows. Throws Error.
int evaluate_pretrained(const EvaluateCommand& command);

}  // namespace headlight
