#include "model/layers/attention_history.h"

#include "model/ops/attention.h"
#include "model/ops/basic.h"

namespace headlight {

namespace {

Tensor plus(const Tensor& total, const Tensor& term) { return total.defined() ? add(total, term) : term; }

// Columns [first, first + count) of mask [N x T], times a factor for each row.
Tensor coefficients(const Tensor& mask, Index first, Index count, const Tensor& factors) {
  Tensor out({mask.dim(0), count});
  for (Index n = 0; n < mask.dim(0); ++n)
    for (Index t = 0; t < count; ++t) out[n * count + t] = factors[n] * mask[n * mask.dim(1) + first + t];
  return out;
}

}  // namespace

Tensor AttentionHistory::shown() const {
  if (shown_from_ >= reads_.size()) return {};
  const Tensor& first = reads_[shown_from_].weights;
  if (shown_from_ + 1 == reads_.size()) return first;
  const auto t_count = static_cast<Index>(reads_.size() - shown_from_);
  const Index batch = first.dim(0), s_count = first.dim(2);
  Tensor all({batch, t_count, s_count});
  for (Index t = 0; t < t_count; ++t)
    for (Index n = 0; n < batch; ++n)
      ArrayMap(all.data() + (n * t_count + t) * s_count, s_count) =
          ConstArrayMap(reads_[shown_from_ + static_cast<std::size_t>(t)].weights.data() + n * s_count, s_count);
  return all;
}

Tensor AttentionHistory::reinforce(const AttentionLosses& losses, const Tensor& sequence_nll, const Tensor& mask,
                                   double baseline, double scale) const {
  Tensor total;
  Index first = 0;
  for (const Attention::Read& read : reads_) {
    const Index batch = read.weights.dim(0), count = read.weights.dim(1);
    if (read.sampled.defined()) {
      Tensor reward({batch}), even({batch});
      for (Index n = 0; n < batch; ++n) {
        const double advantage = -static_cast<double>(sequence_nll[n]) - baseline;
        reward[n] = static_cast<Scalar>(-scale * losses.reinforce * advantage) * read.sampled[n];
        even[n] = static_cast<Scalar>(-scale * losses.entropy);
      }
      total = plus(total,
                   sum(multiply(log_of_choice(read.weights, read.indices), coefficients(mask, first, count, reward))));
      if (losses.entropy != 0)
        total = plus(total, sum(multiply(entropy(read.weights), coefficients(mask, first, count, even))));
    }
    first += count;
  }
  return total;
}

Tensor AttentionHistory::doubly_stochastic(const Tensor& mask, double factor) const {
  Tensor seen;  // Σ_t α_t [N x 1 x S]
  Index first = 0;
  for (const Attention::Read& read : reads_) {
    const Index batch = read.weights.dim(0), count = read.weights.dim(1);
    const Tensor counted = coefficients(mask, first, count, Tensor::full({batch}, 1));
    seen = plus(seen, weighted_sum(counted.view(0, {batch, 1, count}), read.weights));
    first += count;
  }
  Tensor wanted = Tensor::full(seen.shape(), 1);
  if (reads_.front().keep.defined()) wanted.array() = reads_.front().keep.array();  // nobody has to look at padding
  const Tensor missing = headlight::add(wanted, headlight::scale(seen, -1));
  return headlight::scale(sum(multiply(missing, missing)), static_cast<Scalar>(factor));
}

Tensor AttentionHistory::loss(const AttentionLosses& losses, const Tensor& sequence_nll, const Tensor& mask,
                              double baseline, double scale) const {
  if (reads_.empty()) return {};
  Tensor total = reinforce(losses, sequence_nll, mask, baseline, scale);
  if (losses.doubly_stochastic != 0) total = plus(total, doubly_stochastic(mask, losses.doubly_stochastic * scale));
  return total;
}

}  // namespace headlight
