// The attention read of an encoder-decoder model.
#pragma once

#include "model/trace/tap.h"

namespace headlight {

// Dot attention (Luong et al. 2015, eq. 7-8): s = K q, a = softmax(s), c = Σ_j a_j v_j. Queries [N x T x H], keys and
// values [N x S x H]; returns contexts [N x T x H]. Publishes place.attention.{query, scores, weights, weighted,
// context}.
Tensor attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const Place& place, const Tap& tap);

}  // namespace headlight
