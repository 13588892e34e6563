#include "model/layers/attention.h"

#include "model/ops/attention.h"
#include "model/ops/softmax.h"

namespace headlight {

Tensor attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const Place& place, const Tap& tap) {
  const Tensor query = tap(place, "attention.query", queries);
  const Tensor scores = tap(place, "attention.scores", dot_scores(query, keys));
  const Tensor weights = tap(place, "attention.weights", softmax(scores));
  if (tap.active()) tap(place, "attention.weighted", weighted_rows(weights, values));
  return tap(place, "attention.context", weighted_sum(weights, values));
}

}  // namespace headlight
