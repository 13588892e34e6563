// What a causal decoder keeps of a text that it has read at once (its prompt), for a later run whose text begins with
// the same tokens.
#pragma once

#include <vector>

#include "model/layers/transformer_stack.h"

namespace headlight {

struct PrefixCache {
  std::vector<TokenId> ids;
  std::vector<TransformerStack::KeysValues> layers;  // of each layer [G x P x k]
};

}  // namespace headlight
