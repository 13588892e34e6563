#include "model/ops/normalise.h"

#include <cmath>
#include <cstdio>

#include "model/core/parallel.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"
#include "model/ops/lanes.h"

namespace headlight {

namespace {

// What a row or a column is normalised with.
struct Moments {
  double mean, variance;
  double rstd(double epsilon) const { return 1 / std::sqrt(variance + epsilon); }
};

Moments moments_of_row(const Scalar* x, Index d, bool centred) {
  const auto count = static_cast<double>(d);
  const double mean = centred ? sum_in_lanes(d, [x](Index j) { return static_cast<double>(x[j]); }) / count : 0;
  const double squares = sum_in_lanes(d, [x, mean](Index j) {
    const double v = static_cast<double>(x[j]) - mean;
    return v * v;
  });
  return {mean, squares / count};
}

// Of heads, where each has a gamma of its own: which of its rows belongs to row r of x [(N·H) x T x d], times d.
bool for_heads(const Tensor& x, const Tensor& gamma) {
  return gamma.defined() && gamma.rank() == 2 && gamma.dim(0) > 1 && gamma.columns() == x.columns() && x.rank() == 3 &&
         x.dim(0) % gamma.dim(0) == 0;
}
Index gamma_of_row(const Tensor& x, const Tensor& gamma, Index r) {
  return for_heads(x, gamma) ? r / x.dim(1) % gamma.dim(0) * x.columns() : 0;
}

// Parts that are undefined are left out of the arithmetic.
void require_parts(const char* operation, const Tensor& x, std::initializer_list<const Tensor*> parts) {
  require_shape(x.rank() > 0 && x.columns() > 0, operation, "[.. x d]", x.shape());
  for (const Tensor* part : parts)
    require_shape(!part->defined() || part->size() == x.columns() || for_heads(x, *part), operation,
                  "[" + std::to_string(x.columns()) + "]", part->shape());
}

// "γ·(x − 0.02)/0.61": the numbers that a row shares stand in the label, as they are no cells.
std::string label_of(const Moments& moments, double rstd, bool centred, bool stretched) {
  std::array<char, 80> text;
  const char* gamma = stretched ? "γ·" : "";
  if (centred) {
    std::snprintf(text.data(), text.size(), "%s(x %s %.4g)/%.4g", gamma, moments.mean < 0 ? "+" : "−",
                  std::abs(moments.mean), 1 / rstd);
  } else {
    std::snprintf(text.data(), text.size(), "%sx/%.4g", gamma, 1 / rstd);
  }
  return text.data();
}

// γ (x − μ) r (+ β) of column j.
Explanation explain_entry(const Node& node, Index cell, const Moments& moments, double rstd, bool centred) {
  const Tensor &gamma = node.inputs[1], &beta = node.inputs[2];
  const Index j = cell % node.output.columns();
  const Cell x{node.inputs[0], cell};
  std::vector<Cell> factors = {x};
  if (gamma.defined())
    factors.push_back({gamma, gamma_of_row(node.inputs[0], gamma, cell / node.output.columns()) + j});
  const double stretch = gamma.defined() ? factors.back().value() : 1;
  std::vector<Term> terms{explaining::term(label_of(moments, rstd, centred, gamma.defined()),
                                           stretch * (x.value() - moments.mean) * rstd, std::move(factors))};
  if (beta.defined()) terms.push_back(explaining::itself("β", {beta, j}));
  return explaining::sum(node, cell, std::move(terms));
}

void add_beta_gradient(const Tensor& beta, const Tensor& gradient, Graph& graph) {
  if (beta.defined() && graph.wants(beta)) graph.target(beta).matrix() += gradient.matrix().colwise().sum();
}

// --- rows. inputs: x, gamma or undefined, beta or undefined; attributes: i[0] centred, x epsilon; saved: mean and rstd
// [rows x 2]
bool is_centred(const Node& node) { return node.attributes.i[0] != 0; }
Tensor or_ones(const Tensor& gamma, Index d) { return gamma.defined() ? gamma : Tensor::full({d}, 1); }

Tensor normalised_rows(const Op& op, const Tensor& x, const Tensor& gamma, const Tensor& beta, double epsilon,
                       bool centred) {
  const Index d = x.columns();
  Tensor y(x.shape()), saved({x.rows(), 2});
  const Tensor factor = or_ones(gamma, d), shift = beta.defined() ? beta : Tensor::zeros({d});
  const Scalar* b = shift.data();
  parallel_for(x.rows(), grain_for(x.rows(), 4 * d), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const Scalar* g = factor.data() + gamma_of_row(x, factor, r);
      const Scalar* from = x.data() + r * d;
      Scalar* to = y.data() + r * d;
      const Moments moments = moments_of_row(from, d, centred);
      const double mean = moments.mean, rstd = moments.rstd(epsilon);
      for (Index j = 0; j < d; ++j)
        to[j] = static_cast<Scalar>((static_cast<double>(from[j]) - mean) * rstd) * g[j] + b[j];
      saved[2 * r] = static_cast<Scalar>(mean);
      saved[2 * r + 1] = static_cast<Scalar>(rstd);
    }
  });
  return recorded(op, {x, gamma, beta}, std::move(y), {.i = {centred ? 1 : 0}, .x = epsilon}, saved);
}

// With x̂ = (x − μ) r and ĝ = g ⊙ γ: dx = r (ĝ − mean(ĝ) − x̂ mean(ĝ ⊙ x̂)), dγ = Σ g ⊙ x̂, dβ = Σ g. Uncentred: without
// mean(ĝ).
void row_norm_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &gamma = node.inputs[1];
  const Index d = x.columns();
  const Tensor factor = or_ones(gamma, d);
  const bool centred = is_centred(node), wants_x = graph.wants(x), wants_gamma = gamma.defined() && graph.wants(gamma);
  Tensor dx = wants_x ? Tensor(x.shape()) : Tensor(), dgamma = Tensor::zeros(factor.shape()), hat({d}), scaled({d});
  for (Index r = 0; r < x.rows() && (wants_x || wants_gamma); ++r) {
    const ConstArrayMap row(x.data() + r * d, d), g(gradient.data() + r * d, d);
    const Scalar rstd = node.saved[2 * r + 1];
    hat.array() = (row - node.saved[2 * r]) * rstd;
    const Index of_row = gamma_of_row(x, factor, r);
    if (wants_gamma) ArrayMap(dgamma.data() + of_row, d) += g * hat.array();
    if (!wants_x) continue;
    scaled.array() = g * ConstArrayMap(factor.data() + of_row, d);
    const Scalar *s = scaled.data(), *h = hat.data();
    const auto count = static_cast<double>(d);
    const double mean = centred ? sum_in_lanes(d, [s](Index j) { return static_cast<double>(s[j]); }) / count : 0;
    const double dot = sum_in_lanes(d, [s, h](Index j) { return static_cast<double>(s[j] * h[j]); }) / count;
    ArrayMap(dx.data() + r * d, d) =
        rstd * (scaled.array() - static_cast<Scalar>(mean) - hat.array() * static_cast<Scalar>(dot));
  }
  if (wants_x) graph.add(x, dx);
  if (wants_gamma) graph.add(gamma, dgamma);
  add_beta_gradient(node.inputs[2], gradient, graph);
}

Explanation row_norm_explain(const Node& node, Index cell) {
  const Index d = node.output.columns();
  const bool centred = is_centred(node);
  const Moments moments = moments_of_row(node.inputs[0].data() + cell / d * d, d, centred);
  return explain_entry(node, cell, moments, moments.rstd(node.attributes.x), centred);
}

const Op kLayerNorm{"layer norm", "y = γ ⊙ (x − μ) / √(σ² + ε) + β", "Ba et al. 2016, eq. 4", row_norm_backward,
                    row_norm_explain};
const Op kRmsNorm{"RMS norm", "y = γ ⊙ x / √(mean(x²) + ε)", "Zhang and Sennrich 2019, eq. 4", row_norm_backward,
                  row_norm_explain};

// --- columns. inputs: x, gamma, beta or undefined, keep or undefined; attributes.x: epsilon; saved: mean, rstd [2 x d]
bool is_kept_entry(const Tensor& keep, Index row) { return !keep.defined() || keep[row] != 0; }

Index kept_rows(const Tensor& x, const Tensor& keep) {
  Index count = 0;
  for (Index r = 0; r < x.rows(); ++r) count += is_kept_entry(keep, r);
  return count;
}

using Row = Eigen::Array<double, 1, Eigen::Dynamic>;
struct ColumnMoments {
  Row mean, variance;
};

ColumnMoments moments_of_columns(const Tensor& x, const Tensor& keep) {
  const auto count = static_cast<double>(kept_rows(x, keep));
  const auto row = [&x](Index r) { return x.matrix().row(r).array().cast<double>(); };
  ColumnMoments moments{Row::Zero(x.columns()), Row::Zero(x.columns())};
  for (Index r = 0; r < x.rows(); ++r)
    if (is_kept_entry(keep, r)) moments.mean += row(r);
  moments.mean /= count;
  for (Index r = 0; r < x.rows(); ++r)
    if (is_kept_entry(keep, r)) moments.variance += (row(r) - moments.mean).square();
  moments.variance /= count;
  return moments;
}

// y = γ (x − μ) r + β, each of them [d]
Tensor normalised_columns(const Tensor& x, const Row& mean, const Row& rstd, const Tensor& gamma, const Tensor& beta) {
  Tensor y(x.shape());
  for (Index r = 0; r < x.rows(); ++r) {
    auto to = y.matrix().row(r).array();
    to = ((x.matrix().row(r).array().cast<double>() - mean) * rstd).cast<Scalar>() * gamma.matrix().row(0).array();
    if (beta.defined()) to += beta.matrix().row(0).array();
  }
  return y;
}

// Every row's y rests on μ and σ², and these on the m kept rows:
// dx_i = γ r (g_i − [i kept] (Σ_k g_k + x̂_i Σ_k g_k x̂_k) / m), dγ = Σ g ⊙ x̂, dβ = Σ g.
void batch_norm_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &gamma = node.inputs[1], &keep = node.inputs[3];
  const ConstMatrixMap g = gradient.matrix();
  const auto mean = node.saved.matrix().row(0), rstd = node.saved.matrix().row(1);
  Tensor hat(x.shape()), dot({x.columns()});
  hat.matrix() = ((x.matrix().rowwise() - mean).array().rowwise() * rstd.array()).matrix();
  dot.matrix() = g.cwiseProduct(hat.matrix()).colwise().sum();
  if (graph.wants(gamma)) graph.target(gamma).array() += dot.array();
  add_beta_gradient(node.inputs[2], gradient, graph);
  if (!graph.wants(x)) return;
  const Matrix total = g.colwise().sum();
  const Scalar share = Scalar(1) / static_cast<Scalar>(kept_rows(x, keep));
  Tensor dx(x.shape());
  for (Index r = 0; r < x.rows(); ++r) {
    auto to = dx.matrix().row(r).array();
    to = g.row(r).array();
    if (is_kept_entry(keep, r))
      to -= share * (total.row(0).array() + hat.matrix().row(r).array() * dot.matrix().row(0).array());
    to *= gamma.matrix().row(0).array() * rstd.array();
  }
  graph.add(x, dx);
}

Explanation batch_norm_explain(const Node& node, Index cell) {
  const Tensor &x = node.inputs[0], &keep = node.inputs[3];
  const Index d = x.columns(), j = cell % d;
  const auto count = static_cast<double>(kept_rows(x, keep));
  Moments moments{};
  for (Index r = 0; r < x.rows(); ++r)
    if (is_kept_entry(keep, r)) moments.mean += static_cast<double>(x[r * d + j]) / count;
  for (Index r = 0; r < x.rows(); ++r)
    if (is_kept_entry(keep, r))
      moments.variance += std::pow(static_cast<double>(x[r * d + j]) - moments.mean, 2) / count;
  return explain_entry(node, cell, moments, moments.rstd(node.attributes.x), true);
}

const Op kBatchNorm{"batch norm", "y = γ ⊙ (x − μ) / √(σ² + ε) + β", "Ioffe and Szegedy 2015, algorithm 1",
                    batch_norm_backward, batch_norm_explain};

// --- columns, by given numbers. inputs: x, gamma, beta or undefined, mean, variance; attributes.x: epsilon
Row rstd_of(const Row& variance, double epsilon) { return (variance + epsilon).rsqrt(); }
Row as_row(const Tensor& t) { return t.matrix().row(0).array().cast<double>(); }

void normalised_by_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &gamma = node.inputs[1], &mean = node.inputs[3], &variance = node.inputs[4];
  const Row rstd = rstd_of(as_row(variance), node.attributes.x);
  add_gradient(graph, x, [&](Tensor& dx) {
    const Row factor = rstd * as_row(gamma);
    dx.matrix() = (gradient.matrix().array().rowwise() * factor.cast<Scalar>()).matrix();
  });
  if (graph.wants(gamma)) {
    const Matrix centred = (x.matrix().rowwise() - mean.matrix().row(0)).cwiseProduct(gradient.matrix());
    graph.target(gamma).matrix() += centred.colwise().sum().cwiseProduct(rstd.cast<Scalar>().matrix());
  }
  add_beta_gradient(node.inputs[2], gradient, graph);
}

Explanation normalised_by_explain(const Node& node, Index cell) {
  const Index j = cell % node.output.columns();
  const Cell x{node.inputs[0], cell}, gamma{node.inputs[1], j}, mean{node.inputs[3], j}, variance{node.inputs[4], j};
  const double value = gamma.value() * (x.value() - mean.value()) / std::sqrt(variance.value() + node.attributes.x);
  std::vector<Term> terms{explaining::term("γ·(x−μ)/√(σ²+ε)", value, {x, gamma, mean, variance})};
  if (const Tensor& beta = node.inputs[2]; beta.defined()) terms.push_back(explaining::itself("β", {beta, j}));
  return explaining::sum(node, cell, std::move(terms));
}

const Op kNormalisedBy{"batch norm, running", "y = γ ⊙ (x − μ) / √(σ² + ε) + β", "Ioffe and Szegedy 2015, algorithm 2",
                       normalised_by_backward, normalised_by_explain};

// --- for the eye
Explanation row_mean_explain(const Node& node, Index cell) {
  const Tensor& x = node.inputs[0];
  const Index d = x.columns();
  return explaining::sum(node, cell, explaining::terms(d, [&](Index j) {
                           const Cell entry{x, cell * d + j};
                           return explaining::term("x/d", entry.value() / static_cast<double>(d), {entry});
                         }));
}

const Op kRowMean{"row mean", "μ = Σ_j x_j / d", "Ba et al. 2016, eq. 3", nullptr, row_mean_explain};

double inverse_root(double x) { return 1 / std::sqrt(x); }

// Each entry carries its share of ε, so that the terms are all that stands under the root.
Explanation row_rstd_explain(const Node& node, Index cell) {
  const Tensor& x = node.inputs[0];
  const Index d = x.columns();
  const bool centred = is_centred(node);
  const double mean = moments_of_row(x.data() + cell * d, d, centred).mean;
  return explaining::function(node, cell, "1/√", inverse_root, explaining::terms(d, [&](Index j) {
                                const Cell entry{x, cell * d + j};
                                const double square = std::pow(entry.value() - mean, 2);
                                return explaining::term(centred ? "((x−μ)²+ε)/d" : "(x²+ε)/d",
                                                        (square + node.attributes.x) / static_cast<double>(d), {entry});
                              }));
}

const Op kRowDeviation{"row deviation", "r = 1 / √(σ² + ε)", "Ba et al. 2016, eq. 3", nullptr, row_rstd_explain};
const Op kRowRms{"row RMS", "r = 1 / √(mean(x²) + ε)", "Zhang and Sennrich 2019, eq. 4", nullptr, row_rstd_explain};

// One number for each row; a single row gives [1].
Shape one_for_each_row(const Tensor& x) { return x.rank() > 1 ? x.shape().without(x.rank() - 1) : Shape{1}; }

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, double epsilon) {
  require_parts("layer norm", x, {&gamma, &beta});
  return normalised_rows(kLayerNorm, x, gamma, beta, epsilon, true);
}

Tensor rms_norm(const Tensor& x, const Tensor& gamma, double epsilon) {
  require_parts("RMS norm", x, {&gamma});
  return normalised_rows(kRmsNorm, x, gamma, {}, epsilon, false);
}

Tensor batch_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, double epsilon, const Tensor& keep,
                  BatchStatistics* statistics) {
  require_parts("batch norm", x, {&gamma, &beta});
  if (keep.defined())
    require_shape(keep.size() == x.rows(), "batch norm", "a mask of " + std::to_string(x.rows()), keep.shape());
  if (kept_rows(x, keep) == 0) throw UsageError("batch norm: none of " + std::to_string(x.rows()) + " rows is kept");
  const ColumnMoments moments = moments_of_columns(x, keep);
  const Row rstd = rstd_of(moments.variance, epsilon);
  const Index d = x.columns();
  Tensor saved({2, d});
  saved.matrix().row(0) = moments.mean.cast<Scalar>();
  saved.matrix().row(1) = rstd.cast<Scalar>();
  if (statistics) {
    *statistics = {Tensor({d}), Tensor({d})};
    statistics->mean.matrix().row(0) = moments.mean.cast<Scalar>();
    statistics->variance.matrix().row(0) = moments.variance.cast<Scalar>();
  }
  return recorded(kBatchNorm, {x, gamma, beta, keep}, normalised_columns(x, moments.mean, rstd, gamma, beta),
                  {.x = epsilon}, saved);
}

Tensor normalised_by(const Tensor& x, const Tensor& mean, const Tensor& variance, const Tensor& gamma,
                     const Tensor& beta, double epsilon) {
  require_parts("batch norm, running", x, {&mean, &variance, &gamma, &beta});
  return recorded(kNormalisedBy, {x, gamma, beta, mean, variance},
                  normalised_columns(x, as_row(mean), rstd_of(as_row(variance), epsilon), gamma, beta), {.x = epsilon});
}

Tensor row_mean(const Tensor& x) {
  require_parts("row mean", x, {});
  const Index d = x.columns();
  Tensor y(one_for_each_row(x));
  for (Index r = 0; r < x.rows(); ++r) y[r] = static_cast<Scalar>(moments_of_row(x.data() + r * d, d, true).mean);
  return recorded(kRowMean, {x}, std::move(y));
}

Tensor row_rstd(const Tensor& x, double epsilon, bool centred) {
  require_parts("row deviation", x, {});
  const Index d = x.columns();
  Tensor y(one_for_each_row(x));
  for (Index r = 0; r < x.rows(); ++r)
    y[r] = static_cast<Scalar>(moments_of_row(x.data() + r * d, d, centred).rstd(epsilon));
  return recorded(centred ? kRowDeviation : kRowRms, {x}, std::move(y), {.i = {centred ? 1 : 0}, .x = epsilon});
}

}  // namespace headlight
