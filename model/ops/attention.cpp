#include "model/ops/attention.h"

#include "model/ops/explaining.h"

namespace headlight {

namespace {

// Matrix n of a [N x R x C] tensor.
ConstMatrixMap slice(const Tensor& t, Index n) { return {t.data() + n * t.dim(1) * t.dim(2), t.dim(1), t.dim(2)}; }
MatrixMap slice(Tensor& t, Index n) { return {t.data() + n * t.dim(1) * t.dim(2), t.dim(1), t.dim(2)}; }

void dot_scores_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &queries = node.inputs[0], &keys = node.inputs[1];
  const Index batch = queries.dim(0);
  if (graph.wants(queries)) {
    Tensor d(queries.shape());
    for (Index n = 0; n < batch; ++n) slice(d, n).noalias() = slice(gradient, n) * slice(keys, n);
    graph.add(queries, d);
  }
  if (graph.wants(keys)) {
    Tensor& d = graph.target(keys);
    for (Index n = 0; n < batch; ++n) slice(d, n).noalias() += slice(gradient, n).transpose() * slice(queries, n);
  }
}

Explanation dot_scores_explain(const Node& node, Index cell) {
  const Tensor &queries = node.inputs[0], &keys = node.inputs[1];
  const Index s_count = keys.dim(1), k = keys.dim(2), t_count = queries.dim(1);
  const Index n = cell / (t_count * s_count), t = cell / s_count % t_count, j = cell % s_count;
  std::vector<Term> terms;
  for (Index i = 0; i < k; ++i)
    terms.push_back(
        explaining::product("q·k", {queries, (n * t_count + t) * k + i}, {keys, (n * s_count + j) * k + i}));
  return explaining::sum(node, cell, std::move(terms));
}

const Op kDotScores{"dot score", "s_j = q · k_j", "Luong et al. 2015, eq. 8 (dot)", dot_scores_backward,
                    dot_scores_explain};

void weighted_sum_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &weights = node.inputs[0], &values = node.inputs[1];
  const Index batch = weights.dim(0);
  if (graph.wants(weights)) {
    Tensor d(weights.shape());
    for (Index n = 0; n < batch; ++n) slice(d, n).noalias() = slice(gradient, n) * slice(values, n).transpose();
    graph.add(weights, d);
  }
  if (graph.wants(values)) {
    Tensor& d = graph.target(values);
    for (Index n = 0; n < batch; ++n) slice(d, n).noalias() += slice(weights, n).transpose() * slice(gradient, n);
  }
}

Explanation weighted_sum_explain(const Node& node, Index cell) {
  const Tensor &weights = node.inputs[0], &values = node.inputs[1];
  const Index s_count = values.dim(1), a = values.dim(2), t_count = weights.dim(1);
  const Index n = cell / (t_count * a), t = cell / a % t_count, i = cell % a;
  std::vector<Term> terms;
  for (Index j = 0; j < s_count; ++j)
    terms.push_back(
        explaining::product("a·v", {weights, (n * t_count + t) * s_count + j}, {values, (n * s_count + j) * a + i}));
  return explaining::sum(node, cell, std::move(terms));
}

const Op kWeightedSum{"weighted sum", "c = Σ_j a_j v_j", "Bahdanau et al. 2015, eq. 5", weighted_sum_backward,
                      weighted_sum_explain};

Explanation weighted_rows_explain(const Node& node, Index cell) {
  const Tensor &weights = node.inputs[0], &values = node.inputs[1];
  return explaining::sum(node, cell, {explaining::product("a·v", {weights, cell / values.dim(2)}, {values, cell})});
}

const Op kWeightedRows{"weighted values", "a_j v_j", "Bahdanau et al. 2015, eq. 5", nullptr, weighted_rows_explain};

}  // namespace

Tensor dot_scores(const Tensor& queries, const Tensor& keys) {
  require_shape(
      queries.rank() == 3 && keys.rank() == 3 && queries.dim(0) == keys.dim(0) && queries.dim(2) == keys.dim(2),
      "dot score", "keys of the queries' size " + queries.shape().text(), keys.shape());
  Tensor scores({queries.dim(0), queries.dim(1), keys.dim(1)});
  for (Index n = 0; n < queries.dim(0); ++n)
    slice(scores, n).noalias() = slice(queries, n) * slice(keys, n).transpose();
  return recorded(kDotScores, {queries, keys}, std::move(scores));
}

Tensor weighted_sum(const Tensor& weights, const Tensor& values) {
  require_shape(
      weights.rank() == 3 && values.rank() == 3 && weights.dim(0) == values.dim(0) && weights.dim(2) == values.dim(1),
      "weighted sum", "one value for each weight of " + weights.shape().text(), values.shape());
  Tensor context({weights.dim(0), weights.dim(1), values.dim(2)});
  for (Index n = 0; n < weights.dim(0); ++n) slice(context, n).noalias() = slice(weights, n) * slice(values, n);
  return recorded(kWeightedSum, {weights, values}, std::move(context));
}

Tensor weighted_rows(const Tensor& weights, const Tensor& values) {
  require_shape(weights.size() == values.rows(), "weighted values", std::to_string(values.rows()) + " weights",
                weights.shape());
  Tensor y(values.shape());
  for (Index r = 0; r < values.rows(); ++r) y.matrix().row(r) = values.matrix().row(r) * weights[r];
  return recorded(kWeightedRows, {weights, values}, std::move(y));
}

}  // namespace headlight
