// Addressing and writing an external memory (Graves et al. 2014). N_m slots of width W; one weighting for each example.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// w_c(i) = exp(β K(i)) / Σ_k exp(β K(k)) (eq. 5): similarity K [N x N_m], beta [N x 1] -> [N x N_m].
Tensor content_weights(const Tensor& similarity, const Tensor& beta);

// w_g(i) = g w_c(i) + (1 − g) w′(i) (eq. 7): gate [N x 1], content and previous [N x N_m] -> [N x N_m].
Tensor gated_weights(const Tensor& gate, const Tensor& content, const Tensor& previous);

// w̃(i) = s(−1) w(i+1) + s(0) w(i) + s(+1) w(i−1), slots counted in a circle (eq. 8): weights [N x N_m], shift [N x 3],
// in the order −1, 0, +1 -> [N x N_m].
Tensor shifted_weights(const Tensor& weights, const Tensor& shift);

// w(i) = w̃(i)^γ / Σ_k w̃(k)^γ (eq. 9), each w̃ with 1e-16 added: weights [N x N_m], gamma [N x 1] -> [N x N_m].
Tensor sharpened_weights(const Tensor& weights, const Tensor& gamma);

// 1 + log(1 + e^x), a sharpening of at least 1 (Graves et al. 2014, section 3.3.2): [..] -> [..].
Tensor one_plus_softplus(const Tensor& x);

// M(i) ⊙ (1 − w(i) e) + w(i) a (eq. 3 and 4): memory [N x N_m x W], weights [N x N_m], erase and add [N x W] ->
// [N x N_m x W].
Tensor write_memory(const Tensor& memory, const Tensor& weights, const Tensor& erase, const Tensor& add);

}  // namespace headlight
