// The vocabulary of somebody's own files: what is counted in them, and which of it a model knows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/text/tokenizer.h"

namespace headlight {

// Of kTokenizerNames. Throws UsageError that names the task.
TokenizerKind tokenizer_kind(const std::string& name, const std::string& task);

// A text cut into what is counted, in normal form: words (of byte pairs, too), or characters.
std::vector<std::string> counted_pieces(const std::string& text, TokenizerKind kind, bool lower_case);

using PieceCounts = std::map<std::string, Index>;
// Those that occur at least so often, the most frequent first.
std::vector<std::string> frequent_pieces(const PieceCounts& counts, Index least);

}  // namespace headlight
