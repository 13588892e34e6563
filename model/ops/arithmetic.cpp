// Sums and products of numbers at the same place, and the sum of all.

#include "model/ops/basic.h"
#include "model/ops/elementwise.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

namespace headlight {

namespace {

void multiply_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  for (int side = 0; side < 2; ++side) {
    const Tensor &input = node.inputs[static_cast<std::size_t>(side)],
                 &other = node.inputs[static_cast<std::size_t>(1 - side)];
    add_gradient(graph, input, [&](Tensor& d) { d.array() = gradient.array() * other.array(); });
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

void scale_slope(const Node& node, const ConstArrayMap& g, ArrayMap d) {
  d = g * static_cast<Scalar>(node.attributes.x);
}

Explanation scale_explain(const Node& node, Index cell) {
  const Cell a{node.inputs[0], cell};
  return explaining::sum(node, cell, {explaining::term("k·a", node.attributes.x * a.value(), {a})});
}

const Op kScale{"scale", "y = k a", "", elementwise_backward<scale_slope>, scale_explain};

void interpolate_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &z = node.inputs[0], &a = node.inputs[1], &b = node.inputs[2];
  const ConstArrayMap g = gradient.array();
  add_gradient(graph, z, [&](Tensor& d) { d.array() = g * (b.array() - a.array()); });
  add_gradient(graph, a, [&](Tensor& d) { d.array() = g * (Scalar(1) - z.array()); });
  add_gradient(graph, b, [&](Tensor& d) { d.array() = g * z.array(); });
}

Explanation interpolate_explain(const Node& node, Index cell) {
  const Cell z{node.inputs[0], cell}, a{node.inputs[1], cell}, b{node.inputs[2], cell};
  return explaining::sum(
      node, cell, {explaining::term("(1−z)⊙a", (1 - z.value()) * a.value(), {z, a}), explaining::product("z⊙b", z, b)});
}

const Op kInterpolate{"interpolate", "y = (1 − z) ⊙ a + z ⊙ b", "Cho et al. 2014, eq. 7", interpolate_backward,
                      interpolate_explain};

void sum_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], Tensor::full(node.inputs[0].shape(), gradient[0]));
}

Explanation sum_explain(const Node& node, Index cell) {
  const auto term = [&](Index i) { return explaining::itself("x", {node.inputs[0], i}); };
  return explaining::sum(node, cell, explaining::terms(node.inputs[0].size(), term));
}

const Op kSum{"sum", "y = Σ_i x_i", "", sum_backward, sum_explain};

// Slice n of x times factor n.
Tensor scaled_rows(const Tensor& x, const Tensor& factors) {
  Tensor y(x.shape());
  const Index size = factors.size() == 0 ? 0 : x.size() / factors.size();
  for (Index n = 0; n < factors.size(); ++n)
    ArrayMap(y.data() + n * size, size) = ConstArrayMap(x.data() + n * size, size) * factors[n];
  return y;
}

void scale_rows_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], scaled_rows(gradient, node.inputs[1]));
}

Explanation scale_rows_explain(const Node& node, Index cell) {
  const Tensor &x = node.inputs[0], &factors = node.inputs[1];
  return explaining::sum(node, cell,
                         {explaining::product("k_n·x", {factors, cell / (x.size() / factors.size())}, {x, cell})});
}

const Op kScaleRows{"scale rows", "y_n = k_n x_n", "", scale_rows_backward, scale_rows_explain};

Explanation gradient_scale_explain(const Node& node, Index cell) {
  return explaining::copy(node, cell, {node.inputs[0], cell});
}

const Op kGradientScale{"scale the gradient", "y = x, dx = k dy", "Gehring et al. 2017, section 3.5",
                        elementwise_backward<scale_slope>, gradient_scale_explain};

}  // namespace

Tensor multiply(const Tensor& a, const Tensor& b) {
  require_shape(a.shape() == b.shape(), "multiply", a.shape().text(), b.shape());
  const auto f = [](const ConstArrayMap& u, const ConstArrayMap& v, ArrayMap to) { to = u * v; };
  return recorded(kMultiply, {a, b}, elementwise(a, b, kCheap, f));
}

Tensor add(const Tensor& a, const Tensor& b) {
  require_shape(a.shape() == b.shape(), "add", a.shape().text(), b.shape());
  const auto f = [](const ConstArrayMap& u, const ConstArrayMap& v, ArrayMap to) { to = u + v; };
  return recorded(kAdd, {a, b}, elementwise(a, b, kCheap, f));
}

Tensor scale(const Tensor& a, Scalar k) {
  const auto f = [k](const ConstArrayMap& u, ArrayMap to) { to = u * k; };
  return recorded(kScale, {a}, elementwise(a, kCheap, f), {.x = static_cast<double>(k)});
}

Tensor interpolate(const Tensor& z, const Tensor& a, const Tensor& b) {
  require_shape(z.shape() == a.shape(), "interpolate", z.shape().text(), a.shape());
  require_shape(z.shape() == b.shape(), "interpolate", z.shape().text(), b.shape());
  Tensor y(z.shape());
  y.array() = (Scalar(1) - z.array()) * a.array() + z.array() * b.array();
  return recorded(kInterpolate, {z, a, b}, std::move(y));
}

Tensor sum(const Tensor& x) {
  double total = 0;
  for (Index i = 0; i < x.size(); ++i) total += static_cast<double>(x[i]);
  return recorded(kSum, {x}, Tensor::full({1}, static_cast<Scalar>(total)));
}

Tensor scale_rows(const Tensor& x, const Tensor& factors) {
  require_shape(x.rank() > 0 && factors.size() == x.dim(0), "scale rows", std::to_string(x.dim(0)) + " factors",
                factors.shape());
  return recorded(kScaleRows, {x, factors}, scaled_rows(x, factors));
}

Tensor gradient_scale(const Tensor& x, Scalar k) {
  return recorded(kGradientScale, {x}, x.view(0, x.shape()), {.x = static_cast<double>(k)});
}

}  // namespace headlight
