// The reads of one decoding: what is shown of them, and the losses that depend on them.
#pragma once

#include <vector>

#include "model/layers/attention.h"

namespace headlight {

struct AttentionLosses {
  double reinforce = 1;          // λ_r
  double entropy = 0;            // λ_e
  double doubly_stochastic = 0;  // λ
};

class AttentionHistory {
 public:
  void clear_shown() { shown_from_ = reads_.size(); }  // a new advance() begins
  void add(const Attention::Read& read) { reads_.push_back(read); }
  // Weights of the reads since clear_shown(): [N x T x S]. Values only.
  Tensor shown() const;

  // scale · Σ_n [ −λ_r (log p_n − b) Σ_t log α_t(s_t) − λ_e Σ_t H(α_t) + λ Σ_j (1 − Σ_t α_tj)² ]
  // (Xu et al. 2015, eq. 11, 12 and 14), the first two for sampled reads only; undefined when nothing is asked for.
  // `sequence_nll` [N] = −log p, `mask` [N x T]; both are constants here: no gradient flows into the reward.
  Tensor loss(const AttentionLosses& losses, const Tensor& sequence_nll, const Tensor& mask, double baseline,
              double scale) const;

 private:
  Tensor reinforce(const AttentionLosses& losses, const Tensor& sequence_nll, const Tensor& mask, double baseline,
                   double scale) const;
  Tensor doubly_stochastic(const Tensor& mask, double factor) const;

  std::vector<Attention::Read> reads_;
  std::size_t shown_from_ = 0;
};

}  // namespace headlight
