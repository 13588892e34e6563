// The products of an attention read, for T queries over S keys and values at once.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// s_tj = q_t · k_j (Luong et al. 2015, eq. 8, dot): queries [N x T x K], keys [N x S x K] -> [N x T x S].
Tensor dot_scores(const Tensor& queries, const Tensor& keys);

// c_t = Σ_j a_tj v_j (Bahdanau et al. 2015, eq. 5): weights [N x T x S], values [N x S x A] -> [N x T x A].
Tensor weighted_sum(const Tensor& weights, const Tensor& values);

// The rows of that sum, a_j v_j: weights [N x 1 x S], values [N x S x A] -> [N x S x A]. For the eye only: no gradient.
Tensor weighted_rows(const Tensor& weights, const Tensor& values);

}  // namespace headlight
