// What a causal decoder keeps of a text that it has read at once (its prompt), for a later run whose text begins with
// the same tokens.
#pragma once

#include <algorithm>
#include <vector>

#include "model/layers/transformer_stack.h"

namespace headlight {

struct PrefixCache {
  std::vector<TokenId> ids;
  Index length = 0;         // of the whole text
  Index longest_usual = 0;  // longer texts turn queries and keys by other angles; 0: all turn them alike
  bool serves(Index text) const { return longest_usual == 0 || std::max(length, text) <= longest_usual; }
  std::vector<TransformerStack::KeysValues> layers;  // of each layer [G x P x k]
};

}  // namespace headlight
