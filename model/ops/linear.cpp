// y = x W + a and y = x Eᵀ + b, the operations that most of a model's time goes into.

#include "model/core/product.h"
#include "model/ops/basic.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"
#include "model/ops/known_rows.h"

namespace headlight {

namespace {

// y = x W (or x Wᵀ) + start: undefined (zeros), a bias or like y. A batch of a training multiplies by the same weights
// at every time step.
void multiply(const Tensor& x, const Tensor& weight, bool transposed, const Tensor& start, Tensor& y) {
  constexpr Index kBatch = 8;  // fewer rows gain nothing from packing
  Graph* graph = Graph::current();
  const PackedMatrix* packed = graph && x.rows() >= kBatch ? graph->packed(weight, transposed) : nullptr;
  if (!packed) return product(x, weight, transposed, start, y);
  if (!start.defined() || start.size() == y.size()) return packed->multiply(x, start, y);
  y.matrix().rowwise() = start.matrix().row(0);
  packed->multiply(x, y, y);
}

// Rows from `first` on.
Tensor rows_from(const Tensor& t, Index first) { return t.view(first * t.columns(), {t.rows() - first, t.columns()}); }

void check_addend(const char* operation, const Tensor& addend, const Tensor& y) {
  if (!addend.defined() || addend.size() == y.size()) return;
  require_shape(addend.size() == y.columns(), operation, "addend [" + std::to_string(y.columns()) + "]",
                addend.shape());
}

bool is_bias(const Node& node) { return node.inputs[2].defined() && node.inputs[2].size() != node.output.size(); }

void addend_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& addend = node.inputs[2];
  if (!addend.defined() || !graph.wants(addend)) return;
  if (is_bias(node)) {
    graph.target(addend).matrix() += gradient.matrix().colwise().sum();
  } else {
    graph.add(addend, gradient);
  }
}

void linear_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &weight = node.inputs[1];
  add_gradient(graph, x, [&](Tensor& dx) { multiply(gradient, weight, true, {}, dx); });
  if (graph.wants(weight)) graph.add_outer_product(weight, x, gradient);
  addend_backward(node, gradient, graph);
}

// Entry i of column j of the weight is its cell i · row_step + j · column_step.
Explanation explain_product(const Node& node, Index cell, const char* label, Index row_step, Index column_step) {
  const Tensor &x = node.inputs[0], &weight = node.inputs[1], &addend = node.inputs[2];
  const Index m = node.output.columns(), row = cell / m, column = cell % m, k = x.columns();
  std::vector<Term> terms = explaining::terms(k, [&](Index i) {
    return explaining::product(label, {x, row * k + i}, {weight, i * row_step + column * column_step});
  });
  if (addend.defined()) {
    const bool bias = is_bias(node);
    terms.push_back(explaining::itself(bias ? "b" : "+", {addend, bias ? column : cell}));
  }
  return explaining::sum(node, cell, std::move(terms));
}

Explanation linear_explain(const Node& node, Index cell) {
  return explain_product(node, cell, "x·W", node.output.columns(), 1);
}

const Op kLinear{"linear", "y = x W + b", "", linear_backward, linear_explain};

void linear_transposed_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &table = node.inputs[1];
  add_gradient(graph, x, [&](Tensor& dx) { multiply(gradient, table, false, {}, dx); });
  if (graph.wants(table)) graph.add_outer_product(table, gradient, x);
  addend_backward(node, gradient, graph);
}

Explanation linear_transposed_explain(const Node& node, Index cell) {
  return explain_product(node, cell, "x·E", 1, node.inputs[0].columns());
}

const Op kLinearTransposed{"linear, transposed", "y = x Eᵀ + b", "Press and Wolf 2017, section 2",
                           linear_transposed_backward, linear_transposed_explain};

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& addend) {
  require_shape(weight.rank() == 2, "linear", "weight [K x M]", weight.shape());
  require_shape(x.columns() == weight.dim(0), "linear", "input [.. x " + std::to_string(weight.dim(0)) + "]",
                x.shape());
  Tensor y(x.shape().with_last(weight.dim(1)));
  check_addend("linear", addend, y);
  const bool own_rows = !addend.defined() || addend.is_parameter();  // a row of y depends on its row of x alone
  if (const Index known = own_rows ? KnownRows::copy(x, weight, y) : 0; known == 0) {
    multiply(x, weight, false, addend, y);
  } else if (known < y.rows()) {
    Tensor rest = rows_from(y, known);
    multiply(rows_from(x, known), weight, false, addend, rest);
  }
  if (own_rows) KnownRows::note(x, weight, y);
  return recorded(kLinear, {x, weight, addend}, std::move(y));
}

Tensor linear_transposed(const Tensor& x, const Tensor& table, const Tensor& bias) {
  require_shape(table.rank() == 2, "linear, transposed", "table [V x d]", table.shape());
  require_shape(x.columns() == table.dim(1), "linear, transposed", "input [.. x " + std::to_string(table.dim(1)) + "]",
                x.shape());
  Tensor y(x.shape().with_last(table.dim(0)));
  check_addend("linear, transposed", bias, y);
  multiply(x, table, true, bias, y);
  return recorded(kLinearTransposed, {x, table, bias}, std::move(y));
}

}  // namespace headlight
