// Multi-head attention (Vaswani et al. 2017, section 3.2.2), for a Transformer's own text and for what it reads.
//
// Heads are folded into the batch: [(N·H) x T x k], index n·H + h. The sites of all heads are published together, the
// head on their first axis.
#pragma once

#include <optional>

#include "model/layers/norm.h"
#include "model/layers/parameters.h"
#include "model/layers/rotary.h"
#include "model/ops/positions.h"
#include "model/trace/pass.h"

namespace headlight {

// Scores of content with position, and of position with content (He et al. 2021, section 3.1).
struct Disentangled {
  DistanceRows rows;
  bool c2p = true, p2c = true;
  bool shared = false;  // distances go through the projections of keys and queries
  bool norm = false;    // and through a norm before
};

struct MultiHeadSettings {
  Index model = 0, heads = 1, key_value_heads = 1, head_size = 1;  // d, H, G, k
  double scale = 1;                                                // of the scores
  double cap = 0;  // scores are c tanh(s / c) (Gemma Team 2024); 0: as they are
  bool bias = true, out_bias = true;
  bool identity = false;                // no projections of query, key and value
  std::optional<NormSettings> qk_norm;  // of each head's query and key
  std::optional<Rotary> rotary;
  std::optional<Disentangled> distances;
  double dropout = 0;  // of the weights
  Init init = Init::glorot();
};

class MultiHeadAttention {
 public:
  // W_q [d x H·k], W_k, W_v [d x G·k], W_o [H·k x d] with their biases; q_norm.gamma, k_norm.gamma [k]. Of
  // distances, where they have projections of their own: W_kd, W_qd [d x H·k], b_kd, b_qd.
  MultiHeadAttention(const ParameterBuilder& parameters, const MultiHeadSettings& settings);

  struct KeysValues {
    Tensor keys, values;  // [(N·G) x C x k], undefined: none yet
    Index length = 0;     // S of the C rows are there, behind them is room
    // How many rows there will be, with room or without.
    Index columns_after(Index count, bool room) const;
    // With room, what comes next is written behind what is there, and not all copied: whoever reads has to mask the
    // rows that are not there yet. Only without a graph.
    void append(const KeysValues& more, bool room);
    void select(const std::vector<Index>& rows, Index batch);
  };
  // Where the queries may look, and what is added to their scores.
  struct Reach {
    Tensor keep;       // [1|N x T x S] or undefined: everywhere
    Tensor bias;       // [H x T x S] or undefined
    Tensor distances;  // embeddings of those that the text has [N x R x d], or undefined
  };
  struct Read {
    Tensor out;      // [N x T x d]
    Tensor weights;  // [(N·H) x T x S]
  };

  // Where rows stand, for rotary: positions [N x T] in a text of `length` tokens so far.
  struct At {
    Tensor positions;
    Index length = 0;
  };
  // x [N x T x d] -> [(N·H) x T x k]. Publishes place.head.q and, where it has them, q_normed and q_rotated; the same
  // for keys and values.
  Tensor queries(const Tensor& x, const At& at, const SitePath& place, const Tap& tap) const;
  KeysValues keys_values(const Tensor& x, const At& at, const SitePath& place, const Tap& tap) const;
  // Publishes place.head.{scores_raw, c2p, p2c, bias, scores, scores_capped}, place.keep, place.head.{scores_masked,
  // weights, out}, place.concat and place.out.
  Read read(const Tensor& queries, const KeysValues& memory, const Reach& reach, const SitePath& place,
            const Pass& pass) const;

 private:
  SiteWords projection_words(const std::string& name) const;
  SiteWords rotated_words(const std::string& name, const At& at) const;
  SiteWords score_words(const Reach& reach) const;
  Tensor projected(const Tensor& x, const Tensor& weight, const Tensor& bias, Index heads) const;
  Tensor rotated(const Tensor& x, const At& at) const;
  // What distances add to the products q · k_j.
  Tensor with_distances(Tensor scores, const Tensor& queries, const Tensor& keys, const Tensor& distances,
                        const SitePath& place, const Tap& tap) const;
  Tensor weights_in_parts(const Tensor& queries, const Tensor& keys, const Reach& reach, const SitePath& place,
                          const Tap& tap) const;

  MultiHeadSettings settings_;
  Tensor W_q_, b_q_, W_k_, b_k_, W_v_, b_v_, W_o_, b_o_, q_gamma_, k_gamma_, W_kd_, b_kd_, W_qd_, b_qd_;
};

// Mean of the heads, for the eye and for coverage: [(N·H) x T x S] -> [N x T x S].
Tensor mean_over_heads(const Tensor& weights, Index batch);

}  // namespace headlight
