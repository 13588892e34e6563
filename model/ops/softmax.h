// Softmax and the losses built on it. Sums run in double.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// Row-wise a_j = exp(s_j − m) / Σ_k exp(s_k − m), m the row's maximum. `keep` (undefined: all) holds 1 where an entry
// may be attended and 0 where not; its rows [R' x S] are repeated for scores [R x S], R a multiple of R'. Entries that
// are not kept get 0, and so does a whole row that keeps nothing (models.md 1.3: never a finite constant added to
// scores).
Tensor softmax(const Tensor& scores, const Tensor& keep = {});

// One row of it; `weights` may be `scores`.
void softmax_row(const Scalar* scores, const Scalar* keep, Index n, Scalar* weights);
// From a = softmax(s) and dL/da: dL/ds = a ⊙ (dL/da − Σ_j a_j dL/da_j), row by row.
Tensor softmax_gradient(const Tensor& weights, const Tensor& gradient);

// log softmax, row by row (values only, never recorded): [.. x V] -> [.. x V].
Tensor log_softmax(const Tensor& x);
// One row of it in double: different logits stay different.
std::vector<double> log_probabilities(const Tensor& logits, Index row);

// scale · Σ_r mask_r Σ_v −q_rv log softmax(logits_r)[v]: logits [.. x V], targets and mask [..]. Returns [1]. With
// scale = 1 / Σ mask it is the mean negative log-likelihood. q is 1 at the target; with smoothing ε (Szegedy et al.
// 2016, eq. 7) it is (1 − ε) there plus ε / V everywhere, or ε / (V − 1) everywhere but at `excluded_id` (padding), if
// that is ≥ 0.
Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const Tensor& mask, Scalar scale,
                     double smoothing = 0, Index excluded_id = -1);

}  // namespace headlight
