#include "model/ops/attention.h"

#include "model/core/panels.h"
#include "model/core/parallel.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

namespace headlight {

namespace {

const Scalar* start_of(const Tensor& t, Index n) { return t.data() + n * t.dim(1) * t.dim(2); }
Scalar* start_of(Tensor& t, Index n) { return t.data() + n * t.dim(1) * t.dim(2); }
Side side(const Tensor& t, Index n) { return {start_of(t, n), t.dim(1), t.dim(2)}; }
Side transposed(const Tensor& t, Index n) { return {start_of(t, n), t.dim(2), t.dim(1), true}; }

// Where one slice of keys or values serves several of queries, those are one with all their rows. Shares the storage.
Tensor folded(const Tensor& x, Index slices) { return x.view(0, {slices, x.dim(0) / slices * x.dim(1), x.dim(2)}); }
// Slice n of queries is served by this one of `served`.
Index server_of(Index n, const Tensor& queries, const Tensor& served) { return n / (queries.dim(0) / served.dim(0)); }

bool serve(const Tensor& queries, const Tensor& served, bool grouped) {
  const Index slices = served.dim(0);
  return grouped ? slices > 0 && queries.dim(0) % slices == 0 : queries.dim(0) == slices;
}

// y_n (+)= a_n b_n for each start_of n of the batch; left(n) and right(n) are the sides.
template <class Left, class Right>
void products(Tensor& y, bool add, Index inner, Left left, Right right) {
  const Index batch = y.dim(0);
  parallel_for(batch, grain_for(batch, y.dim(1) * y.dim(2) * (inner + 8) / 8), [&](Index begin, Index end) {
    for (Index n = begin; n < end; ++n) small_product(left(n), right(n), add, start_of(y, n));
  });
}

void dot_scores_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &queries = node.inputs[0], &keys = node.inputs[1];
  dot_scores_gradient(gradient, queries, keys, graph);
}

Explanation dot_scores_explain(const Node& node, Index cell) {
  const Tensor &queries = node.inputs[0], &keys = node.inputs[1];
  const Index s_count = keys.dim(1), k = keys.dim(2), t_count = queries.dim(1);
  const Index n = cell / (t_count * s_count), t = cell / s_count % t_count, j = cell % s_count;
  return explaining::sum(node, cell, explaining::terms(k, [&](Index i) {
                           return explaining::product("q·k", {queries, (n * t_count + t) * k + i},
                                                      {keys, (server_of(n, queries, keys) * s_count + j) * k + i});
                         }));
}

const Op kDotScores{"dot score", "s_j = q · k_j", "Luong et al. 2015, section 3.1 (dot)", dot_scores_backward,
                    dot_scores_explain};

void weighted_sum_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& values = node.inputs[1];
  const Index slices = values.dim(0);
  const Tensor weights = folded(node.inputs[0], slices), of_sum = folded(gradient, slices);
  add_gradient(graph, node.inputs[0], [&](Tensor& d) {
    Tensor target = folded(d, slices);
    products(
        target, false, values.dim(2), [&](Index n) { return side(of_sum, n); },
        [&](Index n) { return transposed(values, n); });
  });
  if (graph.wants(values)) {
    products(
        graph.target(values), true, weights.dim(1), [&](Index n) { return transposed(weights, n); },
        [&](Index n) { return side(of_sum, n); });
  }
}

Explanation weighted_sum_explain(const Node& node, Index cell) {
  const Tensor &weights = node.inputs[0], &values = node.inputs[1];
  const Index s_count = values.dim(1), a = values.dim(2), t_count = weights.dim(1);
  const Index n = cell / (t_count * a), t = cell / a % t_count, i = cell % a;
  return explaining::sum(node, cell, explaining::terms(s_count, [&](Index j) {
                           return explaining::product("a·v", {weights, (n * t_count + t) * s_count + j},
                                                      {values, (server_of(n, weights, values) * s_count + j) * a + i});
                         }));
}

const Op kWeightedSum{"weighted sum", "c = Σ_j a_j v_j", "Bahdanau et al. 2015, eq. 5", weighted_sum_backward,
                      weighted_sum_explain};

Explanation weighted_rows_explain(const Node& node, Index cell) {
  const Tensor &weights = node.inputs[0], &values = node.inputs[1];
  return explaining::sum(node, cell, {explaining::product("a·v", {weights, cell / values.dim(2)}, {values, cell})});
}

const Op kWeightedRows{"weighted values", "a_j v_j", "Bahdanau et al. 2015, eq. 5", nullptr, weighted_rows_explain};

}  // namespace

void require_pair(const char* operation, const Tensor& queries, const Tensor& keys, bool grouped) {
  require_shape(
      queries.rank() == 3 && keys.rank() == 3 && serve(queries, keys, grouped) && queries.dim(2) == keys.dim(2),
      operation, "keys of the queries' size " + queries.shape().text(), keys.shape());
}

void require_values(const char* operation, const Tensor& weights, const Tensor& values, bool grouped) {
  require_shape(
      weights.rank() == 3 && values.rank() == 3 && serve(weights, values, grouped) && weights.dim(2) == values.dim(1),
      operation, "one value for each weight of " + weights.shape().text(), values.shape());
}

void dot_scores_gradient(const Tensor& gradient, const Tensor& queries, const Tensor& keys, Graph& graph) {
  const Index slices = keys.dim(0);
  const Tensor of_scores = folded(gradient, slices), all = folded(queries, slices);
  add_gradient(graph, queries, [&](Tensor& d) {
    Tensor target = folded(d, slices);
    products(
        target, false, keys.dim(1), [&](Index n) { return side(of_scores, n); },
        [&](Index n) { return side(keys, n); });
  });
  if (graph.wants(keys)) {
    products(
        graph.target(keys), true, all.dim(1), [&](Index n) { return transposed(of_scores, n); },
        [&](Index n) { return side(all, n); });
  }
}

Tensor dot_scores(const Tensor& queries, const Tensor& keys) {
  require_pair("dot score", queries, keys, true);
  Tensor scores({queries.dim(0), queries.dim(1), keys.dim(1)});
  Tensor to = folded(scores, keys.dim(0));
  const Tensor all = folded(queries, keys.dim(0));
  products(
      to, false, queries.dim(2), [&](Index n) { return side(all, n); }, [&](Index n) { return transposed(keys, n); });
  return recorded(kDotScores, {queries, keys}, std::move(scores));
}

Tensor weighted_sum(const Tensor& weights, const Tensor& values) {
  require_values("weighted sum", weights, values, true);
  Tensor context({weights.dim(0), weights.dim(1), values.dim(2)});
  Tensor to = folded(context, values.dim(0));
  const Tensor all = folded(weights, values.dim(0));
  products(
      to, false, values.dim(1), [&](Index n) { return side(all, n); }, [&](Index n) { return side(values, n); });
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
