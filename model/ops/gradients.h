// Helpers for Op::backward: handing gradients on.
#pragma once

#include "model/core/graph.h"
#include "model/ops/elementwise.h"

namespace headlight {

// Hands an input its gradient, where it wants one: fill(d) writes every number of it.
template <class F>
void add_gradient(Graph& graph, const Tensor& input, F fill) {
  if (!graph.wants(input)) return;
  Tensor d(input.shape());
  fill(d);
  graph.add(input, d);
}

// Of an input that was used again and again: the sum over its runs of the gradient.
inline void add_runs(Graph& graph, const Tensor& input, const Tensor& gradient) {
  if (!graph.wants(input)) return;
  ArrayMap sum = graph.target(input).array();
  for (Index at = 0; at < gradient.size(); at += input.size()) sum += ConstArrayMap(gradient.data() + at, input.size());
}

// Of a table whose rows were taken: row(i) is the one that row i of the output came from.
template <class F>
void add_to_rows(Graph& graph, const Tensor& table, const Tensor& gradient, F row) {
  if (!graph.wants(table)) return;
  MatrixMap sum = graph.target(table).matrix();
  const ConstMatrixMap g = gradient.matrix();
  for (Index i = 0; i < g.rows(); ++i) sum.row(row(i)) += g.row(i);
}

// Of an op that makes each number from the one at its place: `slope` writes what comes back to the input, given the
// gradient g of the output.
template <void (*slope)(const Node& node, const ConstArrayMap& g, ArrayMap d)>
void elementwise_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  add_gradient(graph, node.inputs[0], [&](Tensor& d) { slope(node, gradient.array(), d.array()); });
}

// Of log(1 + exp(x)), whatever is added to it.
inline void softplus_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  sigmoid_of(node.inputs[0].array(), d);
  d *= g;
}

}  // namespace headlight
