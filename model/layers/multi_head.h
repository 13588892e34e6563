// Multi-head attention (Vaswani et al. 2017, section 3.2.2), for a Transformer's own text and for what it reads.
//
// Heads are folded into the batch: [(N·H) x T x k], index n·H + h. The sites of all heads are published together, the
// head on their first axis.
#pragma once

#include <optional>

#include "model/layers/latent.h"
#include "model/layers/multi_head_parts.h"

namespace headlight {

class MultiHeadAttention {
 public:
  // W_q [d x H·k], W_k, W_v [d or memory x G·k], W_o [H·k x d] with their biases; q_norm.gamma [k], [H x k] or [H·k],
  // k_norm.gamma with G, and beta; sinks [H]. Latent: see latent.h. Of distances, where they have projections of
  // their own: W_kd, W_qd [d x H·k], b_kd, b_qd.
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
    Tensor keep;          // [1|N x T x S] or undefined: everywhere
    Tensor bias;          // [H x T x S] or undefined
    bool slopes = false;  // the bias is m_h · j, else learned for each distance
    Tensor distances;     // embeddings of those that the text has [N x R x d], or undefined
  };
  struct Read {
    Tensor out;      // [N x T x d]
    Tensor weights;  // [(N·H) x T x S]
  };

  using At = RowsAt;
  // x [N x T x d] -> [(N·H) x T x k]. Publishes place.head.q and, where it has them, q_normed, q_clipped and q_rotated;
  // the same for keys and values.
  Tensor queries(const Tensor& x, const At& at, const SitePath& place, const Tap& tap) const;
  KeysValues keys_values(const Tensor& x, const At& at, const SitePath& place, const Tap& tap) const;
  // Publishes place.head.{scores_raw, c2p, p2c, bias, scores, scores_capped}, place.keep, place.head.{scores_masked,
  // weights, sink, out}, place.concat and place.out.
  Read read(const Tensor& queries, const KeysValues& memory, const Reach& reach, const SitePath& place,
            const Pass& pass) const;

 private:
  SiteWords projection_words(const std::string& name) const;
  SiteWords rotated_words(const std::string& name, const At& at) const;
  SiteWords score_words(const Reach& reach) const;
  SiteWords norm_words(const std::string& name) const;
  // q or k as it is compared, by its first letter.
  Tensor prepared(Tensor x, const std::string& name, const At& at, const SitePath& place, const Tap& tap) const;
  Tensor clipped_to(const Tensor& x, const std::string& name, const SitePath& place, const Tap& tap) const;
  Tensor normed(const Tensor& x, const Tensor& gamma, const Tensor& beta, Index heads) const;
  Tensor projected(const Tensor& x, const Tensor& weight, const Tensor& bias, Index heads) const;
  Tensor rotated(const Tensor& x, const At& at) const { return turned_rows(x, *settings_.rotary, at); }
  Tensor with_sinks(const Tensor& scores) const;
  // What distances add to the products q · k_j.
  Tensor with_distances(Tensor scores, const Tensor& queries, const Tensor& keys, const Tensor& distances,
                        const SitePath& place, const Tap& tap) const;
  Tensor weights_in_parts(const Tensor& queries, const Tensor& keys, const Reach& reach, const SitePath& place,
                          const Tap& tap) const;

  MultiHeadSettings settings_;
  Tensor W_q_, b_q_, W_k_, b_k_, W_v_, b_v_, W_o_, b_o_, q_gamma_, k_gamma_, q_beta_, k_beta_, sinks_, W_kd_, b_kd_,
      W_qd_, b_qd_;
  std::optional<LatentProjections> latent_;
};

// Mean of the heads, for the eye and for coverage: [(N·H) x T x S] -> [N x T x S].
Tensor mean_over_heads(const Tensor& weights, Index batch);

}  // namespace headlight
