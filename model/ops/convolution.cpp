#include "model/ops/convolution.h"

#include <algorithm>
#include <cmath>

#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

namespace headlight {

namespace {

// --- tokens at their positions: attributes.i[0] is the first position
void embedding_at_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& ids = node.inputs[0];
  const Index length = ids.dim(1), first = node.attributes.i[0];
  add_to_rows(graph, node.inputs[1], gradient, [&](Index i) { return static_cast<Index>(ids[i]); });
  add_to_rows(graph, node.inputs[2], gradient, [&](Index i) { return first + i % length; });
}

Explanation embedding_at_explain(const Node& node, Index cell) {
  const Tensor &ids = node.inputs[0], &table = node.inputs[1];
  const Index f = table.columns(), i = cell / f, position = node.attributes.i[0] + i % ids.dim(1);
  const Cell word{table, static_cast<Index>(ids[i]) * f + cell % f}, place{node.inputs[2], position * f + cell % f};
  return explaining::sum(
      node, cell, {explaining::term("E[id]", word.value(), {word, {ids, i}}), explaining::itself("P[p]", place)});
}

const Op kEmbeddingAt{"embedding at a position", "y = E[id] + P[p]", "Gehring et al. 2017, section 3.1",
                      embedding_at_backward, embedding_at_explain};

// --- windows: attributes.i holds k and left
struct Window {
  Index k, left, length, d;  // length of the sequence, numbers in a position
  explicit Window(const Node& node)
      : k(node.attributes.i[0]), left(node.attributes.i[1]), length(node.inputs[0].dim(1)), d(node.inputs[0].dim(2)) {}
  Window(Index kernel, Index before, const Tensor& x) : k(kernel), left(before), length(x.dim(1)), d(x.dim(2)) {}

  // Row t sees positions [from(t), to(t)) of the sequence; they stand in one run.
  Index from(Index t) const { return std::max<Index>(0, t - left); }
  Index to(Index t) const { return std::min(length, t - left + k); }
  // Taps of row t that lie in front of the sequence.
  Index ahead(Index t) const { return std::clamp<Index>(left - t, 0, k); }
};

// A run of positions of row n.
ArrayMap run(Tensor& t, Index n, Index position, Index count) {
  return {t.data() + (n * t.dim(1) + position) * t.dim(2), count * t.dim(2)};
}
ConstArrayMap run(const Tensor& t, Index n, Index position, Index count) {
  return {t.data() + (n * t.dim(1) + position) * t.dim(2), count * t.dim(2)};
}

void windows_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &before = node.inputs[1];
  const Window w(node);
  const auto row = [&](Index n, Index t) { return gradient.data() + (n * w.length + t) * w.k * w.d; };
  if (graph.wants(x)) {
    Tensor dx = Tensor::zeros(x.shape());
    for (Index n = 0; n < x.dim(0); ++n)
      for (Index t = 0; t < w.length; ++t)
        run(dx, n, w.from(t), w.to(t) - w.from(t)) +=
            ConstArrayMap(row(n, t) + w.ahead(t) * w.d, (w.to(t) - w.from(t)) * w.d);
    graph.add(x, dx);
  }
  if (before.defined() && graph.wants(before)) {
    Tensor db = Tensor::zeros(before.shape());
    for (Index n = 0; n < x.dim(0); ++n)
      for (Index t = 0; t < std::min(w.left, w.length); ++t)
        run(db, n, t, w.ahead(t)) += ConstArrayMap(row(n, t), w.ahead(t) * w.d);
    graph.add(before, db);
  }
}

Explanation windows_explain(const Node& node, Index cell) {
  const Tensor &x = node.inputs[0], &before = node.inputs[1];
  const Window w(node);
  const Index i = cell % w.d, tap = cell / w.d % w.k, t = cell / (w.d * w.k) % w.length;
  const Index n = cell / (w.d * w.k * w.length), position = t - w.left + tap;
  if (position >= 0 && position < w.length)
    return explaining::copy(node, cell, {x, (n * w.length + position) * w.d + i});
  if (position < 0 && before.defined())
    return explaining::copy(node, cell, {before, (n * w.left + w.left + position) * w.d + i});
  Explanation padding;
  padding.op = node.op;
  return padding;
}

const Op kWindows{"windows", "y_t = [x_{t−p}; …; x_{t−p+k−1}], 0 outside", "Gehring et al. 2017, section 3.2",
                  windows_backward, windows_explain};

// --- weight normalisation; saved: ‖v_j‖
void weight_norm_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &v = node.inputs[0], &g = node.inputs[1];
  const ConstMatrixMap dw = gradient.matrix();
  const auto m = v.columns();
  Eigen::Array<double, 1, Eigen::Dynamic> sums = Eigen::Array<double, 1, Eigen::Dynamic>::Zero(m);  // Σ_i dW_ij v_ij
  for (Index i = 0; i < v.rows(); ++i) sums += (dw.row(i).array() * v.matrix().row(i).array()).cast<double>();
  const Eigen::Array<double, 1, Eigen::Dynamic> norms = node.saved.array().cast<double>().transpose();
  const Eigen::Array<double, 1, Eigen::Dynamic> inverse = (norms > 0).select(1 / norms, 0);
  add_gradient(graph, g, [&](Tensor& dg) { dg.array() = (sums * inverse).transpose().cast<Scalar>(); });
  if (!graph.wants(v)) return;
  // dv = (g/‖v‖) (dW − v Σ/‖v‖²)
  using Row = Eigen::Array<Scalar, 1, Eigen::Dynamic>;
  const Row scale = (g.array().cast<double>().transpose() * inverse).cast<Scalar>();
  const Row along = (g.array().cast<double>().transpose() * inverse.cube() * sums).cast<Scalar>();
  Tensor dv(v.shape());
  for (Index i = 0; i < v.rows(); ++i)
    dv.matrix().row(i) = dw.row(i).array() * scale - v.matrix().row(i).array() * along;
  graph.add(v, dv);
}

Explanation weight_norm_explain(const Node& node, Index cell) {
  const Index m = node.output.columns();
  const Cell v{node.inputs[0], cell}, g{node.inputs[1], cell % m}, norm{node.saved, cell % m};
  const double value = norm.value() == 0 ? 0 : g.value() * v.value() / norm.value();
  return explaining::sum(node, cell, {explaining::term("g·v/‖v‖", value, {g, v, norm})});
}

const Op kWeightNorm{"weight norm", "W_j = g_j v_j / ‖v_j‖", "Salimans & Kingma 2016, eq. 2", weight_norm_backward,
                     weight_norm_explain};

// --- sums times a constant, attributes.x
Tensor times(const Tensor& x, double k) {
  Tensor y(x.shape());
  y.array() = x.array() * static_cast<Scalar>(k);
  return y;
}

void scaled_sum_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor d = times(gradient, node.attributes.x);
  for (const Tensor& input : node.inputs)
    if (graph.wants(input)) graph.add(input, d);
}

Explanation scaled_sum_explain(const Node& node, Index cell) {
  const Cell a{node.inputs[0], cell}, b{node.inputs[1], cell};
  return explaining::sum(node, cell,
                         {explaining::term("k·a", node.attributes.x * a.value(), {a}),
                          explaining::term("k·b", node.attributes.x * b.value(), {b})});
}

const Op kScaledSum{"scaled sum", "y = k (a + b)", "Gehring et al. 2017, section 3.5", scaled_sum_backward,
                    scaled_sum_explain};

void scaled_linear_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &weight = node.inputs[1], &bias = node.inputs[2], &residual = node.inputs[3];
  const Tensor d = times(gradient, node.attributes.x);
  add_gradient(graph, x, [&](Tensor& dx) { dx.matrix().noalias() = d.matrix() * weight.matrix().transpose(); });
  if (graph.wants(weight)) graph.add_outer_product(weight, x, d);
  if (graph.wants(bias)) graph.target(bias).matrix() += d.matrix().colwise().sum();
  if (graph.wants(residual)) graph.add(residual, d);
}

Explanation scaled_linear_explain(const Node& node, Index cell) {
  const Tensor &x = node.inputs[0], &weight = node.inputs[1];
  const Index m = node.output.columns(), row = cell / m, column = cell % m, in = x.columns();
  const double k = node.attributes.x;
  std::vector<Term> terms = explaining::terms(in, [&](Index i) {
    const Cell a{x, row * in + i}, b{weight, i * m + column};
    return explaining::term("k·x·W", k * a.value() * b.value(), {a, b});
  });
  const Cell bias{node.inputs[2], column}, residual{node.inputs[3], cell};
  terms.push_back(explaining::term("k·b", k * bias.value(), {bias}));
  terms.push_back(explaining::term("k·r", k * residual.value(), {residual}));
  return explaining::sum(node, cell, std::move(terms));
}

const Op kScaledLinear{"scaled linear", "y = k (x W + b + r)", "Gehring et al. 2017, sections 3.3 and 3.5",
                       scaled_linear_backward, scaled_linear_explain};

// --- an attention read times a constant of its sentence
ConstMatrixMap slice(const Tensor& t, Index n) { return {t.data() + n * t.dim(1) * t.dim(2), t.dim(1), t.dim(2)}; }
MatrixMap slice(Tensor& t, Index n) { return {t.data() + n * t.dim(1) * t.dim(2), t.dim(1), t.dim(2)}; }

void scaled_weighted_sum_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &weights = node.inputs[0], &values = node.inputs[1], &factors = node.inputs[2];
  add_gradient(graph, weights, [&](Tensor& d) {
    for (Index n = 0; n < weights.dim(0); ++n)
      slice(d, n).noalias() = factors[n] * slice(gradient, n) * slice(values, n).transpose();
  });
  if (graph.wants(values)) {
    Tensor& d = graph.target(values);
    for (Index n = 0; n < weights.dim(0); ++n)
      slice(d, n).noalias() += factors[n] * slice(weights, n).transpose() * slice(gradient, n);
  }
}

Explanation scaled_weighted_sum_explain(const Node& node, Index cell) {
  const Tensor &weights = node.inputs[0], &values = node.inputs[1];
  const Index s_count = values.dim(1), a = values.dim(2), t_count = weights.dim(1);
  const Index n = cell / (t_count * a), t = cell / a % t_count, i = cell % a;
  const Cell factor{node.inputs[2], n};
  return explaining::sum(
      node, cell, explaining::terms(s_count, [&](Index j) {
        const Cell weight{weights, (n * t_count + t) * s_count + j}, value{values, (n * s_count + j) * a + i};
        return explaining::term("k·a·v", factor.value() * weight.value() * value.value(), {factor, weight, value});
      }));
}

const Op kScaledWeightedSum{"scaled weighted sum", "c_t = k Σ_j a_tj v_j", "Gehring et al. 2017, eq. 2 and section 3.5",
                            scaled_weighted_sum_backward, scaled_weighted_sum_explain};

// --- the mean of some tensors
Explanation mean_of_explain(const Node& node, Index cell) {
  const auto count = static_cast<Index>(node.inputs.size());
  return explaining::sum(node, cell, explaining::terms(count, [&](Index l) {
                           const Cell x{node.inputs[static_cast<std::size_t>(l)], cell};
                           return explaining::term("x/L", x.value() / static_cast<double>(count), {x});
                         }));
}

const Op kMeanOf{"mean of tensors", "y = Σ_l x_l / L", "", nullptr, mean_of_explain};

}  // namespace

Tensor embedding_at(const Tensor& ids, const Tensor& table, const Tensor& positions, Index first) {
  require_shape(ids.rank() == 2, "embedding at a position", "ids [N x L]", ids.shape());
  const Index length = ids.dim(1);
  require_shape(positions.columns() == table.columns() && first >= 0 && first + length <= positions.dim(0),
                "embedding at a position", std::to_string(first + length) + " rows like those of the words",
                positions.shape());
  Tensor y;
  {
    const Graph::Scope unrecorded(nullptr);
    y = embedding(ids, table);
  }
  for (Index i = 0; i < ids.size(); ++i) y.matrix().row(i) += positions.matrix().row(first + i % length);
  return recorded(kEmbeddingAt, {ids, table, positions}, std::move(y), {.i = {first}});
}

Tensor windows(const Tensor& x, Index k, Index left, const Tensor& before) {
  require_shape(x.rank() == 3, "windows", "[N x L x d]", x.shape());
  require_shape(k > 0 && left >= 0 && left < k, "windows", "0 <= left < k", {k, left});
  if (before.defined())
    require_shape(before.shape() == Shape{x.dim(0), left, x.dim(2)}, "windows",
                  Shape{x.dim(0), left, x.dim(2)}.text() + " before", before.shape());
  const Window w(k, left, x);
  Tensor y({x.dim(0), w.length, k * w.d});
  for (Index n = 0; n < x.dim(0); ++n) {
    for (Index t = 0; t < w.length; ++t) {
      Scalar* row = y.data() + (n * w.length + t) * k * w.d;
      const Index ahead = w.ahead(t), count = w.to(t) - w.from(t), behind = k - ahead - count;
      if (before.defined()) {
        ArrayMap(row, ahead * w.d) = run(before, n, std::min(t, left), ahead);
      } else {
        std::fill_n(row, ahead * w.d, Scalar(0));
      }
      std::copy_n(x.data() + (n * w.length + w.from(t)) * w.d, count * w.d, row + ahead * w.d);
      std::fill_n(row + (ahead + count) * w.d, behind * w.d, Scalar(0));
    }
  }
  return recorded(kWindows, {x, before}, std::move(y), {.i = {k, left}});
}

Tensor weight_norm(const Tensor& v, const Tensor& g) {
  require_shape(v.rank() == 2, "weight norm", "v [K x M]", v.shape());
  require_shape(g.size() == v.columns(), "weight norm", "g [" + std::to_string(v.columns()) + "]", g.shape());
  Tensor norms(g.shape()), w(v.shape());
  Eigen::Array<double, 1, Eigen::Dynamic> squares = Eigen::Array<double, 1, Eigen::Dynamic>::Zero(v.columns());
  for (Index i = 0; i < v.rows(); ++i) squares += v.matrix().row(i).array().cast<double>().square();
  norms.array() = squares.sqrt().transpose().cast<Scalar>();
  const Eigen::Array<Scalar, 1, Eigen::Dynamic> factors =
      (norms.array() > Scalar(0)).select(g.array() / norms.array(), Scalar(0)).transpose();
  for (Index i = 0; i < v.rows(); ++i) w.matrix().row(i) = v.matrix().row(i).array() * factors;
  return recorded(kWeightNorm, {v, g}, std::move(w), {}, norms);
}

Tensor scaled_sum(const Tensor& a, const Tensor& b, Scalar k) {
  require_shape(a.shape() == b.shape(), "scaled sum", a.shape().text(), b.shape());
  Tensor y(a.shape());
  y.array() = (a.array() + b.array()) * k;
  return recorded(kScaledSum, {a, b}, std::move(y), {.x = static_cast<double>(k)});
}

Tensor scaled_linear(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& residual, Scalar k) {
  require_shape(weight.rank() == 2 && x.columns() == weight.dim(0), "scaled linear",
                "weight [" + std::to_string(x.columns()) + " x M]", weight.shape());
  Tensor y(x.shape().with_last(weight.dim(1)));
  require_shape(bias.size() == y.columns(), "scaled linear", "bias [" + std::to_string(y.columns()) + "]",
                bias.shape());
  require_shape(residual.shape() == y.shape(), "scaled linear", "residual " + y.shape().text(), residual.shape());
  y.matrix() = (residual.matrix().rowwise() + bias.matrix().row(0)) * k;
  y.matrix().noalias() += k * x.matrix() * weight.matrix();
  return recorded(kScaledLinear, {x, weight, bias, residual}, std::move(y), {.x = static_cast<double>(k)});
}

Tensor scaled_weighted_sum(const Tensor& weights, const Tensor& values, const Tensor& factors) {
  require_values("scaled weighted sum", weights, values);
  require_shape(factors.size() == weights.dim(0), "scaled weighted sum", std::to_string(weights.dim(0)) + " factors",
                factors.shape());
  Tensor context({weights.dim(0), weights.dim(1), values.dim(2)});
  for (Index n = 0; n < weights.dim(0); ++n)
    slice(context, n).noalias() = factors[n] * slice(weights, n) * slice(values, n);
  return recorded(kScaledWeightedSum, {weights, values, factors}, std::move(context));
}

Tensor mean_of(const std::vector<Tensor>& tensors) {
  require_shape(!tensors.empty(), "mean of tensors", "at least one tensor", {});
  Tensor y = tensors[0].clone();
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    require_shape(tensors[i].shape() == y.shape(), "mean of tensors", y.shape().text(), tensors[i].shape());
    y.array() += tensors[i].array();
  }
  y.array() /= static_cast<Scalar>(tensors.size());
  return recorded(kMeanOf, std::span<const Tensor>(tensors), std::move(y));
}

}  // namespace headlight
