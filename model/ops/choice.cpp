// Hard attention (Xu et al. 2015, section 4.1): choosing one of S, and what its training needs.

#include <algorithm>
#include <cmath>
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

}  // namespace headlight
