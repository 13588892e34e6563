// y = x W + a, the operation that most of a model's time goes into.

#include "model/ops/basic.h"
#include "model/ops/explaining.h"

namespace headlight {

namespace {

// y = x W (or x Wᵀ) + start, undefined (zeros) or like y. A batch of a training multiplies by the same weights at every
// time step.
void multiply(const Tensor& x, const Tensor& weight, bool transposed, const Tensor& start, Tensor& y) {
  constexpr Index kBatch = 8;  // fewer rows gain nothing from packing
  Graph* graph = Graph::current();
  if (const PackedMatrix* packed = graph && x.rows() >= kBatch ? graph->packed(weight, transposed) : nullptr)
    return packed->multiply(x, start, y);
  if (!start.defined()) {
    y.array().setZero();
  } else if (start.data() != y.data()) {
    y.array() = start.array();
  }
  if (transposed) {
    y.matrix().noalias() += x.matrix() * weight.matrix().transpose();
  } else {
    y.matrix().noalias() += x.matrix() * weight.matrix();
  }
}

bool is_bias(const Node& node) { return node.inputs[2].defined() && node.inputs[2].size() != node.output.size(); }

void linear_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &weight = node.inputs[1], &addend = node.inputs[2];
  if (graph.wants(x)) {
    Tensor dx(x.shape());
    multiply(gradient, weight, true, {}, dx);
    graph.add(x, dx);
  }
  if (graph.wants(weight)) graph.add_outer_product(weight, x, gradient);
  if (!addend.defined() || !graph.wants(addend)) return;
  if (is_bias(node)) {
    graph.target(addend).matrix() += gradient.matrix().colwise().sum();
  } else {
    graph.add(addend, gradient);
  }
}

Explanation linear_explain(const Node& node, Index cell) {
  const Tensor &x = node.inputs[0], &weight = node.inputs[1], &addend = node.inputs[2];
  const Index m = node.output.columns(), row = cell / m, column = cell % m, k = x.columns();
  std::vector<Term> terms;
  terms.reserve(static_cast<std::size_t>(k) + 1);
  for (Index i = 0; i < k; ++i) terms.push_back(explaining::product("x·W", {x, row * k + i}, {weight, i * m + column}));
  if (addend.defined()) {
    const bool bias = is_bias(node);
    terms.push_back(explaining::itself(bias ? "b" : "+", {addend, bias ? column : cell}));
  }
  return explaining::sum(node, cell, std::move(terms));
}

const Op kLinear{"linear", "y = x W + b", "", linear_backward, linear_explain};

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& addend) {
  require_shape(weight.rank() == 2, "linear", "weight [K x M]", weight.shape());
  require_shape(x.columns() == weight.dim(0), "linear", "input [.. x " + std::to_string(weight.dim(0)) + "]",
                x.shape());
  Tensor y(x.shape().with_last(weight.dim(1)));
  Tensor start = addend;
  if (addend.defined() && addend.size() != y.size()) {
    require_shape(addend.size() == y.columns(), "linear", "addend [" + std::to_string(y.columns()) + "]",
                  addend.shape());
    y.matrix().rowwise() = addend.matrix().row(0);
    start = y;
  }
  multiply(x, weight, false, start, y);
  return recorded(kLinear, {x, weight, addend}, std::move(y));
}

}  // namespace headlight
