// An attention read, for T queries over S keys and values at once: scores, windows, choices, sums.
//
// Dot scores and sums may have fewer keys and values than queries and weights, G for N = G·times: slice n is served by
// ⌊n / times⌋ (grouped heads: Ainslie et al. 2023, section 2.2).
#pragma once

#include "model/core/graph.h"

namespace headlight {

// s_tj = q_t · k_j (Luong et al. 2015, section 3.1, dot): queries [N x T x K], keys [G x S x K] -> [N x T x S].
Tensor dot_scores(const Tensor& queries, const Tensor& keys);
// Its way back: adds dL/dq_t = Σ_j dL/ds_tj k_j and dL/dk_j = Σ_t dL/ds_tj q_t to the graph.
void dot_scores_gradient(const Tensor& gradient, const Tensor& queries, const Tensor& keys, Graph& graph);

// Throw ShapeError: where queries and keys [N x .. x K], or weights [.. x S] and values [N x S x ..], do not go
// together. `grouped`: fewer of the latter may serve, see above.
void require_pair(const char* operation, const Tensor& queries, const Tensor& keys, bool grouped = false);
void require_values(const char* operation, const Tensor& weights, const Tensor& values, bool grouped = false);

enum class Squash { tanh, relu, none };
// s_tj = v · f(q_t + k_j) (+ b), queries and keys already projected (Bahdanau et al. 2015, A.1.2; the "concat" of Luong
// et al. 2015, eq. 8): queries [N x T x n], keys [N x S x n], v [n], bias [1] or undefined -> [N x T x S].
Tensor additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& v, const Tensor& bias = {},
                       Squash squash = Squash::tanh);

// s_tj = β q_t·k_j / (‖q_t‖ ‖k_j‖ + 1e-8) (Graves et al. 2014, eq. 5 and 6): queries [N x T x K], keys [N x S x K],
// beta [1] or one for each query [N x T x 1] -> [N x T x S]. A zero vector scores 0 and gets no gradient.
Tensor cosine_scores(const Tensor& queries, const Tensor& keys, const Tensor& beta);

// exp(−(j − p_t)² / 2σ²) (Luong et al. 2015, eq. 10; positions from 0): positions [N x T x 1] -> [N x T x S].
Tensor gaussian_window(const Tensor& positions, Index s_count, double sigma);
// 1 where ⌊p_t⌋ − D ≤ j ≤ ⌊p_t⌋ + D and j is kept, else 0 (Luong et al. 2015, section 3.2): centres [N x T x 1], keep
// [N x S] or undefined (all) -> [N x T x S]. No gradient.
Tensor window_mask(const Tensor& centres, Index half_width, Index s_count, const Tensor& keep = {});

// Choosing one of S by weights [N x T x S] -> [N x T]. No gradient. Of equals the lowest index; a row of zeros gives 0.
Tensor argmax_rows(const Tensor& weights);
// min { j : a_0 + … + a_j > u } (Xu et al. 2015, eq. 8), uniforms [N x T] in [0, 1).
Tensor sample_rows(const Tensor& weights, const Tensor& uniforms);
// The choice as weights: 1 at the index, else 0; a row without any weight stays 0. weights [N x T x S], indices [N x T]
// -> [N x T x S]. No gradient.
Tensor hard_choice(const Tensor& weights, const Tensor& indices);
// ln a of the chosen weight, at least ln 1e-12 (Xu et al. 2015, eq. 12): [N x T x S], [N x T] -> [N x T].
Tensor log_of_choice(const Tensor& weights, const Tensor& indices);
// −Σ_j a_j ln a_j in nats (Xu et al. 2015, section 4.1): [N x T x S] -> [N x T].
Tensor entropy(const Tensor& weights);

// Over the kept rows of x [N x S x H], keep [N x S] or undefined (all) -> [N x H]; 0 where none is kept. The gradient
// of the largest goes to the first that is.
Tensor mean_rows(const Tensor& x, const Tensor& keep = {});
Tensor max_rows(const Tensor& x, const Tensor& keep = {});

// c_t = Σ_j a_tj v_j (Bahdanau et al. 2015, eq. 5): weights [N x T x S], values [G x S x A] -> [N x T x A].
Tensor weighted_sum(const Tensor& weights, const Tensor& values);

// The rows of that sum, a_j v_j: weights [N x 1 x S], values [N x S x A] -> [N x S x A]. For the eye only: no gradient.
Tensor weighted_rows(const Tensor& weights, const Tensor& values);

}  // namespace headlight
