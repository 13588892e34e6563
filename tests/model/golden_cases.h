// The golden numbers of models.md 15.2 that the core computes today, as one table for both precisions. The expected
// values come from an independent script in NumPy (double precision, 6 decimals).
#pragma once

#include "model/layers/attention.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/lstm.h"
#include "model/ops/softmax.h"
#include "model/training/optimiser.h"
#include "tests/model/golden_attention.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

inline Tensor golden_keep() { return Tensor::of({1, 4}, {1, 1, 0, 1}); }

// Block b of the gates f, g, i, o.
inline Tensor golden_gates() {
  const Tensor x = fill(41, {1, 2}), h = fill(43, {1, 3}), b = fill(61, {12});
  return lstm_gates(linear(h, fill(59, {3, 12}), linear(x, fill(53, {2, 12}), b)));
}
inline Tensor golden_cell() { return lstm_cell(golden_gates(), fill(47, {1, 3})); }

inline Tensor golden_softmax_gradient() {
  Graph graph(Graph::Keep::gradients);
  const Graph::Scope scope(&graph);
  Tensor scores = golden_scores();
  graph.watch(scores);
  const Tensor weights = softmax(scores);
  graph.backward(weights, fill(29, {1, 1, 4}));
  return graph.gradient(scores);
}

// How far the first update moves a parameter whose gradient is 0.1, in thousandths.
inline Tensor golden_adam(const char* optimiser) {
  ParameterTable table;
  table.add("x", Tensor::zeros({1}));
  Optimiser(optimiser, {}, table).update(table, {Tensor::full({1}, Scalar(0.1))});
  return Tensor::full({1}, Scalar(-1000) * table.all()[0].value[0]);
}

inline std::vector<GoldenCase> golden_basic_cases() {
  return {
      {"fill hs",
       golden_keys,
       {0.420735, -0.139708, -0.499995, -0.378401, 0.206059, 0.495304, 0.328493, -0.268286, -0.480699, -0.272011,
        0.325144, 0.456473}},
      {"fill h", golden_query, {0.494679, 0.210084, -0.375494}},
      {"score.dot scores", golden_scores, {0.366524, -0.329881, 0.286636, -0.237653}},
      {"score.dot weights", [] { return softmax(golden_scores()); }, {0.336914, 0.167909, 0.311045, 0.184132}},
      {"score.dot context",
       [] { return weighted_sum(softmax(golden_scores()), golden_keys()); },
       {0.130305, -0.03605, -0.150757}},
      {"score.dot as a layer",
       [] { return attend(golden_query(), golden_keys(), golden_keys(), SitePath("decoder"), Tap()); },
       {0.130305, -0.03605, -0.150757}},
      {"score.scaled_dot scores",
       [] { return scale(golden_scores(), Scalar(1) / std::sqrt(Scalar(3))); },
       {0.211613, -0.190457, 0.165489, -0.137209}},
      {"score.scaled_dot weights",
       [] { return softmax(scale(golden_scores(), Scalar(1) / std::sqrt(Scalar(3)))); },
       {0.300356, 0.200919, 0.286818, 0.211907}},
      {"dot masked weights",
       [] { return softmax(golden_scores(), golden_keep()); },
       {0.489022, 0.243716, 0.0, 0.267262}},
      {"dot masked context",
       [] { return weighted_sum(softmax(golden_scores(), golden_keep()), golden_keys()); },
       {0.040828, 0.068798, -0.001797}},
      {"softmax backward", golden_softmax_gradient, {-0.163689, -0.034576, 0.118423, 0.079843}},
      {"lstm gates f, g, i, o",
       golden_gates,
       {0.433982, 0.37482, 0.493847, 0.460249, 0.297642, -0.312667, 0.379785, 0.51131, 0.626242, 0.561577, 0.407169,
        0.38682}},
      {"lstm c", golden_cell, {0.008092, 0.226388, 0.049358}},
      {"lstm h", [] { return lstm_hidden(golden_gates(), golden_cell()); }, {0.004544, 0.090635, 0.019077}},
      {"adam_epsilon_hat, step 1", [] { return golden_adam("adam_epsilon_hat"); }, {0.999968378}},
      {"adam, step 1", [] { return golden_adam("adam"); }, {0.9999999}},
  };
}

inline const std::vector<GoldenCase>& golden_cases() {
  static const std::vector<GoldenCase> rows = [] {
    std::vector<GoldenCase> all;
    for (const auto& group : {golden_basic_cases(), golden_score_cases(), golden_choice_cases()})
      all.insert(all.end(), group.begin(), group.end());
    return all;
  }();
  return rows;
}

// The rows of the data-driven test, and its body.
inline void add_golden_rows() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < golden_cases().size(); ++i) QTest::newRow(golden_cases()[i].name) << static_cast<int>(i);
}
inline bool golden_row_holds(double tolerance) {
  QFETCH(int, row);
  const GoldenCase& golden = golden_cases()[static_cast<std::size_t>(row)];
  return same(difference(golden.compute(), golden.expected, tolerance), golden.name);
}

}  // namespace headlight::testing
