// The golden numbers of models.md 15.2 for scores, local and hard attention, and label smoothing.
#pragma once

#include <functional>

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

struct GoldenCase {
  const char* name;
  std::function<Tensor()> compute;
  std::vector<double> expected;
};

inline Tensor golden_keys() { return fill(0, {1, 4, 3}); }   // hs, S = 4
inline Tensor golden_query() { return fill(7, {1, 1, 3}); }  // h
inline Tensor golden_scores() { return dot_scores(golden_query(), golden_keys()); }

// What every score gives rise to.
inline Tensor golden_context(const Tensor& scores) { return weighted_sum(softmax(scores), golden_keys()); }

inline Tensor golden_general() { return dot_scores(linear(golden_query(), fill(11, {3, 3})), golden_keys()); }
inline Tensor golden_additive() {
  return additive_scores(linear(golden_query(), fill(13, {3, 5})), linear(golden_keys(), fill(17, {3, 5})),
                         fill(19, {5}));
}
inline Tensor golden_cosine(Scalar beta) {
  return cosine_scores(golden_query(), golden_keys(), Tensor::full({1}, beta));
}
inline Tensor golden_location() { return columns(linear(golden_query(), fill(23, {3, 6})), 0, 4); }

// Local attention with a predicted position: S = 8, D = 2.
struct GoldenLocal {
  Tensor keys = fill(0, {1, 8, 3});
  Tensor position = scale(
      sigmoid(linear(tanh(linear(golden_query(), fill(31, {3, 3}))), reshape(fill(37, {1, 3}), {3, 1}))), Scalar(7));
  Tensor window = window_mask(position, 2, 8);
  Tensor align = softmax(dot_scores(golden_query(), keys), window);
  Tensor gauss = gaussian_window(position, 8, 1);
  Tensor weights = multiply(align, gauss);
  Tensor context = weighted_sum(weights, keys);
};

inline Tensor golden_logits() {
  Tensor logits = fill(139, {1, 5});
  logits.array() *= Scalar(4);
  return logits;
}
inline Tensor golden_loss(double smoothing) {
  return cross_entropy(golden_logits(), Tensor::of({1}, {2}), Tensor::of({1}, {1}), Scalar(1), smoothing);
}
inline Tensor golden_smoothed_gradient() {
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  Tensor logits = golden_logits();
  graph.watch(logits);
  graph.backward(cross_entropy(logits, Tensor::of({1}, {2}), Tensor::of({1}, {1}), Scalar(1), 0.1),
                 Tensor::full({1}, 1));
  return graph.gradient(logits);
}

// Three draws from the weights of the dot product.
inline Tensor golden_samples() {
  const Tensor weights = reshape(repeated(softmax(golden_scores()), 3), {1, 3, 4});
  return sample_rows(weights, Tensor::of({1, 3}, {Scalar(0.1), Scalar(0.5), Scalar(0.9)}));
}

inline std::vector<GoldenCase> golden_score_cases() {
  return {
      {"score.general scores", golden_general, {0.063327, -0.058644, 0.052787, -0.045874}},
      {"score.general weights", [] { return softmax(golden_general()); }, {0.265165, 0.234717, 0.262385, 0.237734}},
      {"score.general context", [] { return golden_context(golden_general()); }, {0.044273, 0.018223, -0.033934}},
      {"score.additive scores", golden_additive, {-0.020617, -0.105601, -0.048418, -0.076773}},
      {"score.additive weights", [] { return softmax(golden_additive()); }, {0.260654, 0.239418, 0.253508, 0.24642}},
      {"score.additive context", [] { return golden_context(golden_additive()); }, {0.035317, 0.025028, -0.021118}},
      {"score.cosine, beta 1", [] { return golden_cosine(1); }, {0.836611, -0.766442, 0.681992, -0.581879}},
      {"score.cosine, beta 1, weights",
       [] { return softmax(golden_cosine(1)); },
       {0.434763, 0.08751, 0.37248, 0.105247}},
      {"score.cosine, beta 1, context",
       [] { return golden_context(golden_cosine(1)); },
       {0.243535, -0.108418, -0.305044}},
      {"score.cosine, beta 5", [] { return golden_cosine(5); }, {4.183055, -3.832211, 3.409962, -2.909397}},
      {"score.cosine, beta 5, weights",
       [] { return softmax(golden_cosine(5)); },
       {0.683646, 0.000226, 0.31556, 0.000568}},
      {"score.cosine, beta 5, context",
       [] { return golden_context(golden_cosine(5)); },
       {0.391053, -0.17994, -0.493138}},
      {"score.location scores", golden_location, {0.061974, -0.02583, -0.076628, -0.017643}},
      {"score.location weights", [] { return softmax(golden_location()); }, {0.269543, 0.246885, 0.234657, 0.248915}},
      {"score.location context", [] { return golden_context(golden_location()); }, {0.02936, 0.031194, -0.011664}},
  };
}

inline std::vector<GoldenCase> golden_choice_cases() {
  return {
      {"local_p position", [] { return GoldenLocal().position; }, {3.44995}},
      {"local_p window", [] { return GoldenLocal().window; }, {0, 1, 1, 1, 1, 1, 0, 0}},
      {"local_p align",
       [] { return GoldenLocal().align; },
       {0.0, 0.146065, 0.270581, 0.160177, 0.244166, 0.17901, 0.0, 0.0}},
      {"local_p gauss",
       [] { return GoldenLocal().gauss; },
       {0.002603, 0.049731, 0.349526, 0.903728, 0.859609, 0.300794, 0.038721, 0.001834}},
      {"local_p weights",
       [] { return GoldenLocal().weights; },
       {0.0, 0.007264, 0.094575, 0.144757, 0.209888, 0.053845, 0.0, 0.0}},
      {"local_p sum", [] { return sum(GoldenLocal().weights); }, {0.510329}},
      {"local_p context", [] { return GoldenLocal().context; }, {0.025286, -0.033096, -0.044062}},
      {"hard sample", golden_samples, {0, 1, 3}},
      {"hard argmax", [] { return argmax_rows(softmax(golden_scores())); }, {0}},
      {"entropy in bits",
       [] {
         return scale(entropy(Tensor::of({1, 1, 3}, {Scalar(0.7), Scalar(0.2), Scalar(0.1)})),
                      Scalar(1 / std::log(2.0)));
       },
       {1.15678}},
      {"xent nll", [] { return golden_loss(0); }, {3.882123}},
      {"xent smoothed_uniform_V", [] { return golden_loss(0.1); }, {3.735979}},
      // 1 − ε on the target and ε / (V − 1) on the others: the same as a share of ε V / (V − 1) for all.
      {"xent smoothed_excl", [] { return golden_loss(0.1 * 5 / 4); }, {3.699443}},
      {"xent dlogits_smoothed", golden_smoothed_gradient, {0.591469, 0.199395, -0.899393, -0.004989, 0.113518}},
  };
}

}  // namespace headlight::testing
