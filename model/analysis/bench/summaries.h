// What each head does, in numbers (analysis.md 1): of all heads of one kind of attention in one text.
#pragma once

#include <vector>

#include "model/analysis/bench/numbers.h"
#include "model/core/cancel.h"

namespace headlight {

// The weights of each layer [H x T x S], rows queries, columns keys.
struct HeadMaps {
  std::vector<Tensor> layers;
  bool self = true;  // queries and keys are the same tokens
  bool causal = false;

  Index heads() const { return layers.empty() ? 0 : layers.front().dim(0); }
  Index rows() const { return layers.empty() ? 0 : layers.front().dim(1); }
  Index keys() const { return layers.empty() ? 0 : layers.front().dim(2); }
  ConstMatrixMap map(Index layer, Index head) const {
    const Tensor& weights = layers[static_cast<std::size_t>(layer)];
    return {weights.data() + head * rows() * keys(), rows(), keys()};
  }
};

// Which keys a row can see [T x S], 1 or 0: the earlier ones, and those that any head of the layer gives a weight (a
// window leaves the others at 0).
DoubleMatrix visible_keys(const HeadMaps& maps, Index layer);

// Of each head [L x H], and where a row is named [L x H x T], or [L x H x S].
struct HeadSummaries {
  NumberArray entropy, entropy_normalised, max, distance;  // of each row
  NumberArray self, previous, next, first, special;        // of each head
  NumberArray received;                                    // of each key
  NumberArray sink_share;                                  // [S]: of all heads, those that give a key more than 0.3
  NumberArray visible;                                     // [L x T]: how many keys a row sees
  std::vector<const NumberArray*> all() const;
};
// `special`: the keys that stand for no text. Distances, and shares of neighbours, are of self-attention only; else
// they are 0.
HeadSummaries head_summaries(const HeadMaps& maps, const std::vector<Index>& special, const CancelToken& cancel = {});

// −Σ a log2 a of a row of numbers, with 0·log 0 = 0.
template <class Row>
double entropy_bits(const Row& row) {
  double sum = 0;
  for (Index i = 0; i < row.size(); ++i)
    if (const auto a = static_cast<double>(row[i]); a > 0) sum -= a * std::log2(a);
  return sum;
}

}  // namespace headlight
