#include "model/ops/lstm.h"

#include <cmath>

#include "model/ops/elementwise.h"
#include "model/ops/explaining.h"

namespace headlight {

namespace {

constexpr const char* kPaper = "Hochreiter & Schmidhuber 1997; forget gate: Gers et al. 2000";
enum Block : Index { kForget, kCandidate, kInput, kOutput };

// Block `b` of row n of gates [N x 4H].
ConstArrayMap block(const Tensor& gates, Index n, Block b, Index h) { return {gates.data() + n * 4 * h + b * h, h}; }
ArrayMap block(Tensor& gates, Index n, Block b, Index h) { return {gates.data() + n * 4 * h + b * h, h}; }
ConstArrayMap row_of(const Tensor& t, Index n, Index h) { return {t.data() + n * h, h}; }
ArrayMap row_of(Tensor& t, Index n, Index h) { return {t.data() + n * h, h}; }

void gates_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (!graph.wants(node.inputs[0])) return;
  const Tensor& y = node.output;
  const Index h = y.columns() / 4;
  Tensor d(y.shape());
  for (Index n = 0; n < y.rows(); ++n) {
    for (const Block b : {kForget, kInput, kOutput}) {
      const ConstArrayMap s = block(y, n, b, h);
      block(d, n, b, h) = block(gradient, n, b, h) * s * (Scalar(1) - s);
    }
    block(d, n, kCandidate, h) = block(gradient, n, kCandidate, h) * (Scalar(1) - block(y, n, kCandidate, h).square());
  }
  graph.add(node.inputs[0], d);
}

Explanation gates_explain(const Node& node, Index cell) {
  const Index h = node.output.columns() / 4;
  const bool candidate = cell % (4 * h) / h == kCandidate;
  return explaining::function(node, cell, candidate ? "tanh" : "σ",
                              candidate ? explaining::tangent : explaining::logistic,
                              {explaining::itself("A", {node.inputs[0], cell})});
}

const Op kGates{"LSTM gates", "f, i, o = σ(A), g = tanh(A)", kPaper, gates_backward, gates_explain};

void cell_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &gates = node.inputs[0], &previous = node.inputs[1];
  const Index h = previous.columns();
  const bool wants_previous = graph.wants(previous);
  Tensor dprevious = wants_previous ? Tensor(previous.shape()) : Tensor();
  Tensor* dgates = graph.wants(gates) ? &graph.target(gates) : nullptr;
  for (Index n = 0; n < previous.rows(); ++n) {
    const ConstArrayMap dc = row_of(gradient, n, h);
    if (dgates) {
      block(*dgates, n, kForget, h) += dc * row_of(previous, n, h);
      block(*dgates, n, kCandidate, h) += dc * block(gates, n, kInput, h);
      block(*dgates, n, kInput, h) += dc * block(gates, n, kCandidate, h);
    }
    if (wants_previous) row_of(dprevious, n, h) = dc * block(gates, n, kForget, h);
  }
  if (wants_previous) graph.add(previous, dprevious);
}

Explanation cell_explain(const Node& node, Index cell) {
  const Tensor &gates = node.inputs[0], &previous = node.inputs[1];
  const Index h = previous.columns(), base = cell / h * 4 * h + cell % h;
  return explaining::sum(node, cell,
                         {explaining::product("f⊙c′", {gates, base + kForget * h}, {previous, cell}),
                          explaining::product("g⊙i", {gates, base + kCandidate * h}, {gates, base + kInput * h})});
}

const Op kCell{"LSTM cell", "c = f ⊙ c′ + g ⊙ i", kPaper, cell_backward, cell_explain};

// saved: tanh(c)
void hidden_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &gates = node.inputs[0], &cell = node.inputs[1], &squashed = node.saved;
  const Index h = cell.columns();
  Tensor dcell(cell.shape());
  Tensor* dgates = graph.wants(gates) ? &graph.target(gates) : nullptr;
  for (Index n = 0; n < cell.rows(); ++n) {
    const ConstArrayMap dh = row_of(gradient, n, h), t = row_of(squashed, n, h);
    if (dgates) block(*dgates, n, kOutput, h) += dh * t;
    row_of(dcell, n, h) = dh * block(gates, n, kOutput, h) * (Scalar(1) - t.square());
  }
  graph.add(cell, dcell);
}

Explanation hidden_explain(const Node& node, Index cell) {
  const Tensor &gates = node.inputs[0], &c = node.inputs[1];
  const Index h = c.columns();
  const Cell gate{gates, cell / h * 4 * h + kOutput * h + cell % h}, state{c, cell};
  return explaining::sum(node, cell,
                         {explaining::term("o⊙tanh(c)", gate.value() * std::tanh(state.value()), {gate, state})});
}

const Op kHidden{"LSTM output", "h = o ⊙ tanh(c)", kPaper, hidden_backward, hidden_explain};

}  // namespace

Tensor lstm_gates(const Tensor& pre) {
  require_shape(pre.columns() % 4 == 0, "LSTM gates", "[N x 4H]", pre.shape());
  const Index h = pre.columns() / 4;
  Tensor gates(pre.shape());
  for (Index n = 0; n < pre.rows(); ++n) {
    for (const Block b : {kForget, kInput, kOutput}) sigmoid_of(block(pre, n, b, h), block(gates, n, b, h));
    block(gates, n, kCandidate, h) = block(pre, n, kCandidate, h).tanh();
  }
  return recorded(kGates, {pre}, std::move(gates));
}

Tensor lstm_cell(const Tensor& gates, const Tensor& previous) {
  const Index h = previous.columns();
  require_shape(gates.columns() == 4 * h && gates.rows() == previous.rows(), "LSTM cell",
                "gates [N x " + std::to_string(4 * h) + "]", gates.shape());
  Tensor cell(previous.shape());
  for (Index n = 0; n < previous.rows(); ++n)
    row_of(cell, n, h) = block(gates, n, kForget, h) * row_of(previous, n, h) +
                         block(gates, n, kCandidate, h) * block(gates, n, kInput, h);
  return recorded(kCell, {gates, previous}, std::move(cell));
}

Tensor lstm_hidden(const Tensor& gates, const Tensor& cell) {
  const Index h = cell.columns();
  require_shape(gates.columns() == 4 * h && gates.rows() == cell.rows(), "LSTM output",
                "gates [N x " + std::to_string(4 * h) + "]", gates.shape());
  Tensor squashed(cell.shape()), hidden(cell.shape());
  squashed.array() = cell.array().tanh();
  for (Index n = 0; n < cell.rows(); ++n) row_of(hidden, n, h) = block(gates, n, kOutput, h) * row_of(squashed, n, h);
  return recorded(kHidden, {gates, cell}, std::move(hidden), {}, squashed);
}

}  // namespace headlight
