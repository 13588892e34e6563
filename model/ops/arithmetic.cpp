// Element-wise sums and products.

#include "model/ops/basic.h"
#include "model/ops/explaining.h"

namespace headlight {

namespace {

void multiply_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  for (int side = 0; side < 2; ++side) {
    const Tensor &input = node.inputs[static_cast<std::size_t>(side)],
                 &other = node.inputs[static_cast<std::size_t>(1 - side)];
    if (!graph.wants(input)) continue;
    Tensor d(input.shape());
    d.array() = gradient.array() * other.array();
    graph.add(input, d);
  }
}

Explanation multiply_explain(const Node& node, Index cell) {
  return explaining::sum(node, cell, {explaining::product("a⊙b", {node.inputs[0], cell}, {node.inputs[1], cell})});
}

const Op kMultiply{"multiply", "y = a ⊙ b", "", multiply_backward, multiply_explain};

void add_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  graph.add(node.inputs[0], gradient);
  graph.add(node.inputs[1], gradient);
}

Explanation add_explain(const Node& node, Index cell) {
  return explaining::sum(
      node, cell, {explaining::itself("a", {node.inputs[0], cell}), explaining::itself("b", {node.inputs[1], cell})});
}

const Op kAdd{"add", "y = a + b", "", add_backward, add_explain};

void scale_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (!graph.wants(node.inputs[0])) return;
  Tensor d(gradient.shape());
  d.array() = gradient.array() * static_cast<Scalar>(node.attributes.x);
  graph.add(node.inputs[0], d);
}

Explanation scale_explain(const Node& node, Index cell) {
  const Cell a{node.inputs[0], cell};
  return explaining::sum(node, cell, {explaining::term("k·a", node.attributes.x * a.value(), {a})});
}

const Op kScale{"scale", "y = k a", "", scale_backward, scale_explain};

}  // namespace

Tensor multiply(const Tensor& a, const Tensor& b) {
  require_shape(a.shape() == b.shape(), "multiply", a.shape().text(), b.shape());
  Tensor y(a.shape());
  y.array() = a.array() * b.array();
  return recorded(kMultiply, {a, b}, std::move(y));
}

Tensor add(const Tensor& a, const Tensor& b) {
  require_shape(a.shape() == b.shape(), "add", a.shape().text(), b.shape());
  Tensor y(a.shape());
  y.array() = a.array() + b.array();
  return recorded(kAdd, {a, b}, std::move(y));
}

Tensor scale(const Tensor& a, Scalar k) {
  Tensor y(a.shape());
  y.array() = a.array() * k;
  Attributes attributes;
  attributes.x = static_cast<double>(k);
  return recorded(kScale, {a}, std::move(y), attributes);
}

}  // namespace headlight
