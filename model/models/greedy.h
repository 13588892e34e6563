// The most probable token: the one rule of greedy decoding, for running, training and evaluation.
#pragma once

#include <vector>

#include "model/core/tensor.h"

namespace headlight {

// The largest logit of each row, the first of equals; a NaN never wins, nor does an id in `never` (padding, the start
// sign). Logits [.. x V], of N rows. Returns ids [1 x N]. Values only.
Tensor greedy_choice(const Tensor& logits, const std::vector<TokenId>& never);

}  // namespace headlight
