// What convolutional sequence models are made of (Gehring et al. 2017), besides products and GLU.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// E[id] + P[first + position] (section 3.1): ids [N x L], table E [V x f], positions P [M x f] -> [N x L x f]. Throws
// UsageError for an id outside [0, V).
Tensor embedding_at(const Tensor& ids, const Tensor& table, const Tensor& positions, Index first);

// What a kernel of width k sees from every position: row t holds x_{t−left} … x_{t−left+k−1}, oldest first, so that a
// convolution is linear(windows(x, k, left), W) with W [(k·d) x M]. Rows in front of the sequence are those of `before`
// [N x left x d], or zeros; rows behind it are zeros. x [N x L x d] -> [N x L x (k·d)].
Tensor windows(const Tensor& x, Index k, Index left, const Tensor& before = {});

// W_j = g_j v_j / ‖v_j‖ for each column j (Salimans & Kingma 2016, eq. 2): v [K x M], g [M] -> [K x M]. A column of
// zeros stays zero.
Tensor weight_norm(const Tensor& v, const Tensor& g);

// k (a + b), same shapes: a residual that keeps the variance of its sides (Gehring et al. 2017, section 3.5).
Tensor scaled_sum(const Tensor& a, const Tensor& b, Scalar k);
// k (x W + b + r): x [.. x K], W [K x M], bias b [M], r [.. x M] -> [.. x M].
Tensor scaled_linear(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& residual, Scalar k);
// c_t = k_n Σ_j a_tj v_j: weights [N x T x S], values [N x S x A], factors [N] (constants) -> [N x T x A].
Tensor scaled_weighted_sum(const Tensor& weights, const Tensor& values, const Tensor& factors);

// The mean of tensors of one shape. For the eye only: no gradient.
Tensor mean_of(const std::vector<Tensor>& tensors);

}  // namespace headlight
