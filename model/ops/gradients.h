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
