#include "model/training/tasks/own/file_vocabulary.h"

#include <algorithm>
#include <utility>

#include "model/core/errors.h"

namespace headlight {

TokenizerKind tokenizer_kind(const std::string& name, const std::string& task) {
  for (int kind = 0; kind < 3; ++kind)
    if (name == kTokenizerNames[kind]) return static_cast<TokenizerKind>(kind);
  throw UsageError("the task '" + task + "' has tokenizers characters, words and bpe, not '" + name + "'");
}

std::vector<std::string> counted_pieces(const std::string& text, TokenizerKind kind, bool lower_case) {
  // A tokenizer without a vocabulary knows no word, but where each one stands.
  const auto cut = kind == TokenizerKind::characters ? kind : TokenizerKind::words;
  std::vector<std::string> found;
  for (const TextToken& token : Tokenizer(Vocabulary(), cut).split(text))
    found.push_back(normal_form(token.text, kind, lower_case));
  return found;
}

std::vector<std::string> frequent_pieces(const PieceCounts& counts, Index least) {
  std::vector<std::pair<std::string, Index>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> tokens;
  for (const auto& [token, count] : order)
    if (count >= least) tokens.push_back(token);
  return tokens;
}

}  // namespace headlight
