// Latent attention (DeepSeek-AI 2024, section 2.1): keys and values of all heads are computed from one short row for
// each token, and what turns with the position stands beside it, once for all heads.
#pragma once

#include "model/layers/multi_head_parts.h"

namespace headlight {

class LatentProjections {
 public:
  // W_q [d x H·k] or W_q_a [d x r_q], q_norm.gamma, W_q_b [r_q x H·k]; W_kv_a [d x (r + k_r)], kv_norm.gamma, W_kv_b [r
  // x H·(k − k_r + v)]; b_q_a, b_kv_a where there are biases.
  LatentProjections(const ParameterBuilder& parameters, const MultiHeadSettings& settings);
  // As MultiHeadAttention has them. Publish place.q_latent, place.head.{q, q_rotated} and place.{latent, latent_rope},
  // place.head.{k, k_rotated, v}.
  Tensor queries(const Tensor& x, const RowsAt& at, const SitePath& place, const Tap& tap) const;
  std::pair<Tensor, Tensor> keys_values(const Tensor& x, const RowsAt& at, const SitePath& place, const Tap& tap) const;

 private:
  Index plain() const { return heads_size_ - latent_.rope; }  // columns of a head that do not turn

  LatentSettings latent_;
  Rotary rotary_;
  Index heads_ = 1, heads_size_ = 1;
  Tensor W_q_, W_q_a_, b_q_a_, q_gamma_, W_q_b_, W_kv_a_, b_kv_a_, kv_gamma_, W_kv_b_;
};

}  // namespace headlight
