// What a query may attend to, and what is added to its scores beforehand.

#include <limits>

#include "model/ops/explaining.h"
#include "model/ops/gradients.h"
#include "model/ops/heads.h"

namespace headlight {

namespace {

// The cell of `shared` [B' x T x S] beside a cell of scores [B x T x S]: each slice of keep stands beside all heads of
// its sentence, the slices of a bias beside the heads of every sentence.
Index keep_cell(const Tensor& scores, const Tensor& keep, Index cell) {
  const Index size = scores.dim(1) * scores.dim(2), heads = scores.dim(0) / keep.dim(0);
  return cell / size / heads * size + cell % size;
}

// --- masks
Tensor masked(const Tensor& x, const Tensor& keep, Scalar otherwise) {
  Tensor y(x.shape());
  const Index size = x.dim(1) * x.dim(2);
  for (Index b = 0; b < x.dim(0); ++b) {
    const ConstArrayMap mask(keep.data() + keep_cell(x, keep, b * size), size);
    ArrayMap(y.data() + b * size, size) =
        (mask != Scalar(0)).select(ConstArrayMap(x.data() + b * size, size), otherwise);
  }
  return y;
}

void mask_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], masked(gradient, node.inputs[1], 0));
}

Explanation mask_explain(const Node& node, Index cell) {
  const Cell score{node.inputs[0], cell}, keep{node.inputs[1], keep_cell(node.output, node.inputs[1], cell)};
  if (keep.value() != 0) return explaining::copy(node, cell, score);
  return explaining::sum(node, cell,
                         {explaining::term("masked", -std::numeric_limits<double>::infinity(), {keep, score})});
}

const Op kMask{"mask scores", "s_tj, −∞ where not kept", "Vaswani et al. 2017, section 3.2.3", mask_backward,
               mask_explain};

// --- biases
void bias_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], gradient);
  add_runs(graph, node.inputs[1], gradient);
}

Explanation bias_explain(const Node& node, Index cell) {
  const Tensor &scores = node.inputs[0], &bias = node.inputs[1];
  return explaining::sum(
      node, cell, {explaining::itself("s", {scores, cell}), explaining::itself("b", {bias, cell % bias.size()})});
}

const Op kBias{"add bias", "s_tj + b_tj", "Raffel et al. 2020, section 2.1", bias_backward, bias_explain};

// Whether query row t may look at key j, padding aside.
bool in_reach(Index row, Index j, bool causal, Index window) {
  if (causal && j > row) return false;
  return window <= 0 || std::abs(row - j) < window;
}

}  // namespace

void require_part(const char* operation, const Tensor& scores, const Tensor& part) {
  require_shape(scores.rank() == 3, operation, "scores [(N·H) x T x S]", scores.shape());
  require_shape(part.rank() == 3 && part.dim(0) > 0 && scores.dim(0) % part.dim(0) == 0 &&
                    part.dim(1) == scores.dim(1) && part.dim(2) == scores.dim(2),
                operation, "a part of " + scores.shape().text(), part.shape());
}

Tensor attention_keep(Index t_count, Index s_count, Index first, bool causal, Index window, const Tensor& padding) {
  if (padding.defined())
    require_shape(padding.columns() == s_count, "attention mask", "padding [N x " + std::to_string(s_count) + "]",
                  padding.shape());
  const bool padded = padding.defined() && (padding.array() == Scalar(0)).any();
  Tensor keep({padded ? padding.rows() : 1, t_count, s_count});
  bool all = true;
  for (Index i = 0; i < keep.size(); ++i) {
    const Index j = i % s_count, t = i / s_count % t_count, n = i / s_count / t_count;
    const bool kept = in_reach(first + t, j, causal, window) && (!padded || padding[n * s_count + j] != 0);
    keep[i] = kept ? Scalar(1) : Scalar(0);
    all = all && kept;
  }
  return all ? Tensor() : keep;
}

Tensor mask_scores(const Tensor& scores, const Tensor& keep) {
  if (!keep.defined()) return scores;
  require_part("mask scores", scores, keep);
  return recorded(kMask, {scores, keep}, masked(scores, keep, -std::numeric_limits<Scalar>::infinity()));
}

Tensor add_bias(const Tensor& scores, const Tensor& bias) {
  require_part("add bias", scores, bias);
  Tensor y(scores.shape());
  for (Index at = 0; at < y.size(); at += bias.size())
    ArrayMap(y.data() + at, bias.size()) = ConstArrayMap(scores.data() + at, bias.size()) + bias.array();
  return recorded(kBias, {scores, bias}, std::move(y));
}

}  // namespace headlight
