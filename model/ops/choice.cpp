// Hard attention (Xu et al. 2015, section 4.1): choosing one of S, and what its training needs. Experts: choosing k of
// E.

#include "model/ops/choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "model/ops/attention.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"

namespace headlight {

namespace {

constexpr double kSmallestWeight = 1e-12;

Cell chosen(const Node& node, Index r) {
  return {node.inputs[0], r * node.inputs[0].columns() + static_cast<Index>(node.output[r])};
}

Explanation argmax_explain(const Node& node, Index cell) {
  return explaining::sum(
      node, cell, {explaining::term("argmax_j a_j", static_cast<double>(node.output[cell]), {chosen(node, cell)})});
}

const Op kArgmax{"argmax", "j* = argmax_j a_j", "", nullptr, argmax_explain};

// The number rests on u and on the weights up to the chosen one.
Explanation sample_explain(const Node& node, Index cell) {
  const Index n = node.inputs[0].columns();
  std::vector<Cell> cells = {{node.inputs[1], cell}};
  for (Index i = cell * n; i <= chosen(node, cell).index; ++i) cells.push_back({node.inputs[0], i});
  return explaining::sum(
      node, cell,
      {explaining::term("min {j: Σ_{k≤j} a_k > u}", static_cast<double>(node.output[cell]), std::move(cells))});
}

const Op kSample{"sample", "j* = min {j: Σ_{k≤j} a_k > u}", "Xu et al. 2015, eq. 8", nullptr, sample_explain};

Explanation hard_choice_explain(const Node& node, Index cell) {
  const Cell weight{node.inputs[0], cell}, index{node.inputs[1], cell / node.output.columns()};
  return explaining::sum(node, cell,
                         {explaining::term("[j = j*]", static_cast<double>(node.output[cell]), {index, weight})});
}

const Op kHardChoice{"hard choice", "y_j = [j = j*]", "Xu et al. 2015, eq. 8", nullptr, hard_choice_explain};

double logarithm(double x) { return std::log(x); }

Index place_of_choice(const Tensor& weights, const Tensor& indices, Index r) {
  return r * weights.columns() + static_cast<Index>(indices[r]);
}

void log_of_choice_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &weights = node.inputs[0], &indices = node.inputs[1];
  if (!graph.wants(weights)) return;
  Tensor d = Tensor::zeros(weights.shape());
  for (Index r = 0; r < indices.size(); ++r) {
    const Index i = place_of_choice(weights, indices, r);
    d[i] = gradient[r] / std::max(weights[i], static_cast<Scalar>(kSmallestWeight));
  }
  graph.add(weights, d);
}

Explanation log_of_choice_explain(const Node& node, Index cell) {
  const Cell weight{node.inputs[0], place_of_choice(node.inputs[0], node.inputs[1], cell)};
  return explaining::function(
      node, cell, "log", logarithm,
      {explaining::term("a", std::max(weight.value(), kSmallestWeight), {weight, {node.inputs[1], cell}})});
}

const Op kLogOfChoice{"log of the choice", "y = ln a_{j*}", "Xu et al. 2015, eq. 12", log_of_choice_backward,
                      log_of_choice_explain};

// The derivative at a = 0 is infinite; behind a softmax, whose own is 0 there, it does not count.
void entropy_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& weights = node.inputs[0];
  add_gradient(graph, weights, [&](Tensor& d) {
    for (Index i = 0; i < weights.size(); ++i)
      d[i] = weights[i] > 0 ? -gradient[i / weights.columns()] * (std::log(weights[i]) + Scalar(1)) : Scalar(0);
  });
}

double surprise(double a) { return a > 0 ? -a * std::log(a) : 0; }

Explanation entropy_explain(const Node& node, Index cell) {
  const Index n = node.inputs[0].columns();
  return explaining::sum(node, cell, explaining::terms(n, [&](Index j) {
                           const Cell weight{node.inputs[0], cell * n + j};
                           return explaining::term("−a·ln a", surprise(weight.value()), {weight});
                         }));
}

const Op kEntropy{"entropy", "H = −Σ_j a_j ln a_j", "Xu et al. 2015, section 4.1", entropy_backward, entropy_explain};

void require_weights(const char* operation, const Tensor& weights) {
  require_shape(weights.rank() == 3 && weights.columns() > 0, operation, "weights [N x T x S]", weights.shape());
}

void require_indices(const char* operation, const Tensor& weights, const Tensor& indices) {
  require_weights(operation, weights);
  require_shape(indices.size() == weights.rows(), operation, std::to_string(weights.rows()) + " indices",
                indices.shape());
  for (Index r = 0; r < indices.size(); ++r) {
    if (indices[r] >= 0 && indices[r] < static_cast<Scalar>(weights.columns())) continue;
    std::ostringstream text;  // an index may have been edited by hand, so it may be anything
    text << operation << ": there is no entry " << indices[r] << " of " << weights.columns();
    throw UsageError(text.str());
  }
}

// --- experts
constexpr double kNever = -std::numeric_limits<double>::infinity();

// Numbers 0 .. n − 1, those with the larger key first.
std::vector<Index> by_size(const std::vector<double>& keys) {
  std::vector<Index> order(keys.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(
      order, [&](Index a, Index b) { return keys[static_cast<std::size_t>(a)] > keys[static_cast<std::size_t>(b)]; });
  return order;
}

// A number that is none comes last, as −∞ does.
double sortable(Scalar x) { return std::isnan(x) ? kNever : static_cast<double>(x); }

// Takes those out that are not in one of the groups with the largest sums of their largest numbers.
void keep_groups(std::vector<double>& keys, const ExpertChoice& choice) {
  if (choice.groups_kept >= choice.groups) return;
  const std::size_t size = keys.size() / static_cast<std::size_t>(choice.groups);
  const std::size_t counted = std::min<std::size_t>(choice.by == ExpertChoice::By::sigmoid ? 2 : 1, size);
  std::vector<double> sums;
  for (std::size_t begin = 0; begin < keys.size(); begin += size) {
    std::vector<double> group(keys.begin() + static_cast<std::ptrdiff_t>(begin),
                              keys.begin() + static_cast<std::ptrdiff_t>(begin + size));
    std::ranges::partial_sort(group, group.begin() + static_cast<std::ptrdiff_t>(counted), std::greater());
    sums.push_back(std::accumulate(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(counted), 0.0));
  }
  const std::vector<Index> order = by_size(sums);
  for (std::size_t g = static_cast<std::size_t>(choice.groups_kept); g < order.size(); ++g)
    std::fill_n(keys.begin() + order[g] * static_cast<std::ptrdiff_t>(size), size, kNever);
}

// Of a round: the largest logit without `left_out`, and whether another one takes part beside it.
struct Round {
  const Scalar* z;
  Index count, left_out, largest = -1;
  double noise;
  Round(const Scalar* logits, Index n, double most, Index without)
      : z(logits), count(n), left_out(without), noise(most) {
    for (Index j = 0; j < n; ++j)
      if (j != without && (largest < 0 || sortable(z[j]) > sortable(z[largest]))) largest = j;
  }
  bool has(Index j) const {
    if (j == left_out || largest < 0) return false;
    const auto m = static_cast<double>(z[largest]), x = static_cast<double>(z[j]);
    return j == largest || !((m - x) / std::max(std::abs(x), m) > noise);
  }
  double exponential(Index j) const {
    return has(j) ? std::exp(static_cast<double>(z[j]) - static_cast<double>(z[largest])) : 0;
  }
  double share(Index own) const {
    double sum = 0;
    for (Index j = 0; j < count; ++j) sum += exponential(j);
    return sum > 0 ? exponential(own) / sum : 0;
  }
};

// The experts of one row.
std::vector<Index> experts_of(const Scalar* logits, const Tensor& correction, Index n, const ExpertChoice& choice) {
  using By = ExpertChoice::By;
  std::vector<double> keys, sizes;  // what they are chosen by, and ordered by
  for (Index j = 0; j < n; ++j) {
    const double z = sortable(logits[j]);
    sizes.push_back(choice.by == By::sigmoid ? explaining::logistic(z) : z);
    const double added = correction.defined() ? static_cast<double>(correction[j]) : 0;
    keys.push_back(std::isinf(z) ? z : sizes.back() + added);
  }
  keep_groups(keys, choice);
  std::vector<Index> chosen = by_size(keys);
  chosen.resize(static_cast<std::size_t>(choice.count));
  if (choice.by == By::rounds) {
    const Round first(logits, n, choice.noise, -1), second(logits, n, choice.noise, chosen[0]);
    for (const Index j : chosen) sizes[static_cast<std::size_t>(j)] = j == chosen[0] ? first.share(j) : second.share(j);
  }
  std::ranges::stable_sort(chosen, [&](Index a, Index b) {
    return sizes[static_cast<std::size_t>(a)] > sizes[static_cast<std::size_t>(b)];
  });
  return chosen;
}

// The number rests on all logits of its row.
Explanation chosen_explain(const Node& node, Index cell) {
  const Index n = node.inputs[0].columns(), row = cell / node.output.columns();
  std::vector<Cell> cells;
  for (Index j = 0; j < n; ++j) {
    cells.push_back({node.inputs[0], row * n + j});
    if (node.inputs[1].defined()) cells.push_back({node.inputs[1], j});
  }
  return explaining::sum(node, cell,
                         {explaining::term("place among the largest", static_cast<double>(node.output[cell]), cells)});
}

const Op kChosen{"choose experts", "top-k_j z_j", "Shazeer et al. 2017, eq. 5", nullptr, chosen_explain};

Index column_of(const Tensor& x, const Tensor& ids, Index cell) {
  return cell / ids.columns() * x.columns() + static_cast<Index>(ids[cell]);
}

void take_columns_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &x = node.inputs[0], &ids = node.inputs[1];
  if (!graph.wants(x)) return;
  Tensor& d = graph.target(x);
  for (Index i = 0; i < gradient.size(); ++i) d[column_of(x, ids, i)] += gradient[i];
}

Explanation take_columns_explain(const Node& node, Index cell) {
  return explaining::copy(node, cell, {node.inputs[0], column_of(node.inputs[0], node.inputs[1], cell)});
}

const Op kTakeColumns{"take columns", "y_i = x_{j(i)}", "", take_columns_backward, take_columns_explain};

// attributes.x: ε
double sum_of_row(const Node& node, Index row) {
  return node.inputs[0].matrix().row(row).cast<double>().sum() + node.attributes.x;
}

// dL/dx_j = (g_j − Σ_k g_k y_k) / Σ
void divide_by_sum_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  add_gradient(graph, node.inputs[0], [&](Tensor& d) {
    for (Index r = 0; r < d.rows(); ++r) {
      const double sum = sum_of_row(node, r);
      const auto g = gradient.matrix().row(r);
      const Scalar mean = g.dot(node.output.matrix().row(r));
      d.matrix().row(r) = (g.array() - mean) * static_cast<Scalar>(sum == 0 ? 0 : 1 / sum);
    }
  });
}

Explanation divide_by_sum_explain(const Node& node, Index cell) {
  const Index n = node.output.columns(), row = cell / n;
  return explaining::softmax(node, cell, cell % n, n, [&](Index j) {
    return explaining::itself("x", {node.inputs[0], row * n + j});
  });
}

const Op kDivideBySum{"divide by the sum", "y_j = x_j / Σ_k x_k", "", divide_by_sum_backward, divide_by_sum_explain};

// attributes.x: noise. The largest logit is of the first round, all others of the second.
Round round_of(const Node& node, Index row, Index own) {
  const Index n = node.inputs[0].columns();
  const Scalar* z = node.inputs[0].data() + row * n;
  const Round first(z, n, node.attributes.x, -1);
  return own == first.largest ? first : Round(z, n, node.attributes.x, first.largest);
}

void rounds_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &logits = node.inputs[0], &ids = node.inputs[1];
  if (!graph.wants(logits)) return;
  Tensor& d = graph.target(logits);
  const Index n = logits.columns(), k = ids.columns();
  for (Index i = 0; i < gradient.size(); ++i) {
    const auto own = static_cast<Index>(ids[i]);
    const Round round = round_of(node, i / k, own);
    const double share = round.share(own), g = static_cast<double>(gradient[i]);
    for (Index j = 0; j < n; ++j)
      d[i / k * n + j] += static_cast<Scalar>(g * share * ((j == own ? 1 : 0) - round.share(j)));
  }
}

Explanation rounds_explain(const Node& node, Index cell) {
  const Index n = node.inputs[0].columns(), row = cell / node.output.columns();
  const auto own = static_cast<Index>(node.inputs[1][cell]);
  const Round round = round_of(node, row, own);
  return explaining::softmax(node, cell, own, n, [&](Index j) {
    return explaining::term("exp(z − m)", round.exponential(j), {{node.inputs[0], row * n + j}});
  });
}

const Op kRounds{"shares of rounds", "a_j = exp(z_j) / Σ_k exp(z_k), of those near the largest",
                 "Abdin et al. 2024, section 2", rounds_backward, rounds_explain};

// attributes.x: α; saved: limit
struct Swiglu {
  double limit, alpha;
  double gate(double g) const { return std::min(g, limit); }
  double up(double u) const { return std::clamp(u, -limit, limit); }
  double value(double g, double u) const { return (up(u) + 1) * gate(g) * explaining::logistic(alpha * gate(g)); }
};
Swiglu swiglu_of(const Node& node) { return {static_cast<double>(node.saved[0]), node.attributes.x}; }

void swiglu_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &gate = node.inputs[0], &up = node.inputs[1];
  const Swiglu f = swiglu_of(node);
  const auto slope = [&](bool of_gate, Index i) {
    const auto g = static_cast<double>(gate[i]), u = static_cast<double>(up[i]);
    const double s = explaining::logistic(f.alpha * f.gate(g));
    if (of_gate) return g > f.limit ? 0 : (f.up(u) + 1) * s * (1 + f.alpha * g * (1 - s));
    return std::abs(u) > f.limit ? 0 : f.gate(g) * s;
  };
  for (const bool of_gate : {true, false})
    add_gradient(graph, of_gate ? gate : up, [&](Tensor& d) {
      for (Index i = 0; i < d.size(); ++i) d[i] = gradient[i] * static_cast<Scalar>(slope(of_gate, i));
    });
}

Explanation swiglu_explain(const Node& node, Index cell) {
  const Cell gate{node.inputs[0], cell}, up{node.inputs[1], cell};
  const double value = swiglu_of(node).value(gate.value(), up.value());
  return explaining::sum(node, cell, {explaining::term("(u+1)·g·σ(α·g)", value, {gate, up})});
}

const Op kSwiglu{"limited SwiGLU", "y = (u + 1) g σ(α g), g ≤ L, |u| ≤ L", "OpenAI 2025, section 2", swiglu_backward,
                 swiglu_explain};

// saved [places x 2]
void gather_rows_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  for (std::size_t p = 0; p < node.inputs.size(); ++p) {
    if (!graph.wants(node.inputs[p])) continue;
    MatrixMap d = graph.target(node.inputs[p]).matrix();
    for (Index i = 0; i < gradient.rows(); ++i)
      if (static_cast<std::size_t>(node.saved[2 * i]) == p)
        d.row(static_cast<Index>(node.saved[2 * i + 1])) += gradient.matrix().row(i);
  }
}

Explanation gather_rows_explain(const Node& node, Index cell) {
  const Index n = node.output.columns(), i = cell / n;
  return explaining::copy(node, cell,
                          {node.inputs[static_cast<std::size_t>(node.saved[2 * i])],
                           static_cast<Index>(node.saved[2 * i + 1]) * n + cell % n});
}

const Op kGatherRows{"gather rows", "y_i = x^{p(i)}_{r(i)}", "", gather_rows_backward, gather_rows_explain};

}  // namespace

Tensor argmax_rows(const Tensor& weights) {
  require_weights("argmax", weights);
  const Index n = weights.columns();
  Tensor indices({weights.dim(0), weights.dim(1)});
  for (Index r = 0; r < indices.size(); ++r) {
    const Scalar* a = weights.data() + r * n;
    indices[r] = static_cast<Scalar>(std::max_element(a, a + n) - a);
  }
  return recorded(kArgmax, {weights}, std::move(indices));
}

Tensor sample_rows(const Tensor& weights, const Tensor& uniforms) {
  require_weights("sample", weights);
  require_shape(uniforms.size() == weights.rows(), "sample", std::to_string(weights.rows()) + " uniform numbers",
                uniforms.shape());
  const Index n = weights.columns();
  Tensor indices({weights.dim(0), weights.dim(1)});
  for (Index r = 0; r < indices.size(); ++r) {
    // The last entry with any weight is left when rounding keeps the sum below u.
    Index last = 0;
    double cumulative = 0;
    for (Index j = 0; j < n; ++j) {
      const auto a = static_cast<double>(weights[r * n + j]);
      if (!(a > 0)) continue;
      last = j;
      cumulative += a;
      if (cumulative > static_cast<double>(uniforms[r])) break;
    }
    indices[r] = static_cast<Scalar>(last);
  }
  return recorded(kSample, {weights, uniforms}, std::move(indices));
}

Tensor hard_choice(const Tensor& weights, const Tensor& indices) {
  require_indices("hard choice", weights, indices);
  Tensor y = Tensor::zeros(weights.shape());
  for (Index r = 0; r < indices.size(); ++r)
    if ((weights.matrix().row(r).array() != Scalar(0)).any()) y[place_of_choice(weights, indices, r)] = 1;
  return recorded(kHardChoice, {weights, indices}, std::move(y));
}

Tensor log_of_choice(const Tensor& weights, const Tensor& indices) {
  require_indices("log of the choice", weights, indices);
  Tensor y({weights.dim(0), weights.dim(1)});
  for (Index r = 0; r < y.size(); ++r)
    y[r] = static_cast<Scalar>(
        std::log(std::max(static_cast<double>(weights[place_of_choice(weights, indices, r)]), kSmallestWeight)));
  return recorded(kLogOfChoice, {weights, indices}, std::move(y));
}

Tensor entropy(const Tensor& weights) {
  require_weights("entropy", weights);
  Tensor y({weights.dim(0), weights.dim(1)});
  for (Index r = 0; r < y.size(); ++r) {
    double total = 0;
    for (Index j = 0; j < weights.columns(); ++j)
      total += surprise(static_cast<double>(weights[r * weights.columns() + j]));
    y[r] = static_cast<Scalar>(total);
  }
  return recorded(kEntropy, {weights}, std::move(y));
}

Tensor chosen_experts(const Tensor& logits, const Tensor& correction, const ExpertChoice& choice) {
  const Index n = logits.columns(), k = choice.count;
  require_shape(k >= 1 && k <= n && n % choice.groups == 0 && (!correction.defined() || correction.size() == n),
                "choose experts", "logits of at least " + std::to_string(k) + " experts", logits.shape());
  Tensor ids(logits.shape().with_last(k));
  for (Index r = 0; r < logits.rows(); ++r) {
    const std::vector<Index> chosen = experts_of(logits.data() + r * n, correction, n, choice);
    std::ranges::transform(chosen, ids.data() + r * k, [](Index j) { return static_cast<Scalar>(j); });
  }
  return recorded(kChosen, {logits, correction}, std::move(ids));
}

void require_experts(const Tensor& ids, Index count) {
  for (Index i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < static_cast<Scalar>(count) && ids[i] == std::floor(ids[i])) continue;
    std::ostringstream text;
    text << "there is no expert " << ids[i] << " of " << count << ", counted from 0";
    throw UsageError(text.str());
  }
}

Tensor take_columns(const Tensor& x, const Tensor& ids) {
  require_shape(ids.rows() == x.rows(), "take columns", "numbers for " + x.shape().text(), ids.shape());
  Tensor y(ids.shape());
  for (Index i = 0; i < y.size(); ++i) y[i] = x[column_of(x, ids, i)];
  return recorded(kTakeColumns, {x, ids}, std::move(y));
}

Tensor divide_by_sum(const Tensor& x, double epsilon) {
  Tensor y(x.shape());
  for (Index r = 0; r < x.rows(); ++r) {
    const double sum = x.matrix().row(r).cast<double>().sum() + epsilon;
    y.matrix().row(r) = x.matrix().row(r) * static_cast<Scalar>(sum == 0 ? 0 : 1 / sum);
  }
  return recorded(kDivideBySum, {x}, std::move(y), {.x = epsilon});
}

Tensor shares_of_rounds(const Tensor& logits, const Tensor& ids, double noise) {
  const Index n = logits.columns(), k = ids.columns();
  require_shape(ids.rows() == logits.rows(), "shares of rounds", "numbers for " + logits.shape().text(), ids.shape());
  Tensor y(ids.shape());
  for (Index i = 0; i < y.size(); ++i) {
    const Scalar* z = logits.data() + i / k * n;
    const auto own = static_cast<Index>(ids[i]);
    const Round first(z, n, noise, -1);
    y[i] = static_cast<Scalar>(own == first.largest ? first.share(own) : Round(z, n, noise, first.largest).share(own));
  }
  return recorded(kRounds, {logits, ids}, std::move(y), {.x = noise});
}

Tensor limited_swiglu(const Tensor& gate, const Tensor& up, double limit, double alpha) {
  require_shape(gate.shape() == up.shape(), "limited SwiGLU", gate.shape().text(), up.shape());
  const Swiglu f{limit, alpha};
  Tensor y(gate.shape());
  for (Index i = 0; i < y.size(); ++i)
    y[i] = static_cast<Scalar>(f.value(static_cast<double>(gate[i]), static_cast<double>(up[i])));
  return recorded(kSwiglu, {gate, up}, std::move(y), {.x = alpha}, Tensor::full({1}, static_cast<Scalar>(limit)));
}

Tensor gather_rows(const std::vector<Tensor>& parts, const std::vector<std::pair<Index, Index>>& places) {
  require_shape(!parts.empty(), "gather rows", "at least one part", {});
  const auto count = static_cast<Index>(places.size()), d = parts[0].columns();
  Tensor y({count, d}), saved({count, 2});
  for (Index i = 0; i < count; ++i) {
    const auto& [part, row] = places[static_cast<std::size_t>(i)];
    y.matrix().row(i) = parts[static_cast<std::size_t>(part)].matrix().row(row);
    saved[2 * i] = static_cast<Scalar>(part);
    saved[2 * i + 1] = static_cast<Scalar>(row);
  }
  return recorded(kGatherRows, std::span<const Tensor>(parts), std::move(y), {}, saved);
}

}  // namespace headlight
