// What an attention with several heads is made of: its settings, and how its rows turn.
#pragma once

#include <optional>

#include "model/layers/norm.h"
#include "model/layers/parameters.h"
#include "model/layers/rotary.h"
#include "model/ops/positions.h"
#include "model/trace/pass.h"

namespace headlight {

struct LatentSettings {
  Index rank = 1;        // r: what keys and values are computed from
  Index query_rank = 0;  // r_q: the same of queries; 0: they are computed from the row itself
  Index rope = 2;        // k_r: the last columns of each head's query and key turn
  Index value = 1;       // v: columns of each head's value
};

// Queries and keys made about equally large: each head by itself, with one weight for all heads (Henry et al. 2020) or
// one for each, or all heads as one row.
struct QueryKeyNorm {
  NormSettings norm;
  enum class Span { head, each_head, whole } span = Span::head;
};
inline const std::vector<std::string> kQueryKeyNormSpans = {"head", "each_head", "whole"};

// Scores of content with position, and of position with content (He et al. 2021, section 3.1).
struct Disentangled {
  DistanceRows rows;
  bool c2p = true, p2c = true;
  bool shared = false;  // distances go through the projections of keys and queries
  bool norm = false;    // and through a norm before
};

struct MultiHeadSettings {
  Index model = 0, heads = 1, key_value_heads = 1, head_size = 1;  // d, H, G, k
  Index memory = 0;                                                // width of what keys and values are made from; 0: d
  double scale = 1;                                                // of the scores
  double cap = 0;  // scores are c tanh(s / c) (Gemma Team 2024); 0: as they are
  bool bias = true, out_bias = true;
  bool identity = false;  // no projections of query, key and value
  bool sink = false;      // each head has one more score, which nothing stands behind (OpenAI 2025)
  std::optional<QueryKeyNorm> qk_norm;
  double clip = 0;  // queries, keys and values lie within ± so much; 0: they are as they are
  std::optional<Rotary> rotary;
  std::optional<Disentangled> distances;
  std::optional<LatentSettings> latent;  // with rotary; G = H
  double dropout = 0;                    // of the weights
  Init init = Init::glorot();
};

// Where rows stand, for rotary: positions [N x T] in a text of `length` tokens so far.
struct RowsAt {
  Tensor positions;
  Index length = 0;
};
// x [(N·H) x T x k], turned.
Tensor turned_rows(const Tensor& x, const Rotary& rotary, const RowsAt& at);

}  // namespace headlight
