// Attention with several heads: heads stand on the batch axis, head h of sentence n at n·H + h, so that everything that
// works on a batch (dot_scores, softmax, weighted_sum) works on heads. Masks, added biases, caches.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// Column block h becomes slice n·H + h (Vaswani et al. 2017, section 3.2.2): [N x T x (H·k)] -> [(N·H) x T x k]. A view
// when T is 1.
Tensor split_heads(const Tensor& x, Index heads);
// The way back, for N = `batch`: [(N·H) x T x k] -> [N x T x (H·k)]. A view when T is 1.
Tensor join_heads(const Tensor& x, Index batch);
// Each slice `times` times, one copy behind the other: G heads of keys serve G·times heads of queries (Ainslie et al.
// 2023, section 2.2): [(N·G) x S x k] -> [(N·G·times) x S x k]. Once gives x itself.
Tensor repeat_heads(const Tensor& x, Index times);
// A cache grows: the rows of x behind those of `before`, [B x L x k] (or undefined: x itself) and [B x T x k] ->
// [B x (L+T) x k].
Tensor append_rows(const Tensor& before, const Tensor& x);

// Throws ShapeError where the last two axes of `part`, a mask or a bias, are not those of the scores, or its first one
// does not divide theirs.
void require_part(const char* operation, const Tensor& scores, const Tensor& part);

// 1 where query t may attend to key j, else 0: [1 x T x S], or [N x T x S] with `padding` [N x S] (0: no token there).
// Query t stands at key column first + t. `causal` keeps j ≤ first + t (Vaswani et al. 2017, section 3.2.3); `window` w
// > 0 keeps |first + t − j| < w, that is the w last keys of a causal mask (Beltagy et al. 2020, section 3.1; Child et
// al. 2019). Undefined when all is kept. A constant: no graph node.
Tensor attention_keep(Index t_count, Index s_count, Index first, bool causal, Index window, const Tensor& padding);
// −∞ where keep is 0; an undefined keep gives the scores: [(N·H) x T x S], keep [N x T x S] or [1 x T x S]. The softmax
// of a row of −∞ is a row of zeros.
Tensor mask_scores(const Tensor& scores, const Tensor& keep);
// scores + bias, the same for each sentence (Raffel et al. 2020, section 2.1): [(N·H) x T x S], bias [H x T x S].
Tensor add_bias(const Tensor& scores, const Tensor& bias);

// softmax(mask(factor · q kᵀ + bias)) as one op: q [(N·H) x T x k], k [(N·G) x S x k] as in dot_scores, keep as in
// mask_scores, bias as in add_bias, each of them perhaps undefined -> [(N·H) x T x S]. Equals dot_scores, scale,
// add_bias, mask_scores, softmax.
Tensor attention_weights(const Tensor& q, const Tensor& k, Scalar factor, const Tensor& keep, const Tensor& bias);

}  // namespace headlight
