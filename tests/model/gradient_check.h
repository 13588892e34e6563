// Central differences (models.md 7.5): the gradients that backward() finds against those of the function itself.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "model/core/graph.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

using Inputs = std::vector<Tensor>;

// A function of tensors. Its parameters are marked as such; all other inputs are watched.
struct Differentiable {
  std::string name;
  std::vector<Tensor> inputs;
  std::function<Tensor(const std::vector<Tensor>&)> f;
};

inline Tensor parameter(double s, const Shape& shape) {
  Tensor tensor = fill(s, shape);
  tensor.mark_parameter();
  return tensor;
}

// The number that is differentiated: all outputs, each with a weight of its own.
inline Tensor weights_of_outputs(const Shape& shape) { return fill(0.7, shape); }
inline double weighted_total(const Tensor& y) {
  const Tensor r = weights_of_outputs(y.shape());
  double total = 0;
  for (Index i = 0; i < y.size(); ++i) total += static_cast<double>(y[i]) * static_cast<double>(r[i]);
  return total;
}

inline std::vector<double> central_differences(const Differentiable& function, Tensor& input) {
  constexpr Scalar kEpsilon = Scalar(1e-6);
  std::vector<double> gradient;
  for (Index i = 0; i < input.size(); ++i) {
    const Scalar x = input[i];
    input[i] = x + kEpsilon;
    const double up = weighted_total(function.f(function.inputs));
    input[i] = x - kEpsilon;
    const double down = weighted_total(function.f(function.inputs));
    input[i] = x;
    gradient.push_back((up - down) / (2 * static_cast<double>(kEpsilon)));
  }
  return gradient;
}

inline double norm(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

// ‖a − n‖ / (‖a‖ + ‖n‖); 0 when both are 0.
inline double relative_error(const std::vector<double>& a, const std::vector<double>& n) {
  std::vector<double> d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = a[i] - n[i];
  const double scale = norm(a) + norm(n);
  return scale == 0 ? 0 : norm(d) / scale;
}

// The gradients of all inputs, by backward().
inline std::vector<Tensor> gradients_of(Differentiable& function, Graph::Keep keep) {
  Graph graph(keep);
  const Graph::Scope scope(&graph);
  for (Tensor& input : function.inputs)
    if (!input.is_parameter()) graph.watch(input);
  const Tensor y = function.f(function.inputs);
  const Tensor seed = weights_of_outputs(y.shape());
  graph.backward(y, seed);
  std::vector<Tensor> gradients;
  for (const Tensor& input : function.inputs) {
    const Tensor gradient = graph.gradient(input);
    gradients.push_back(gradient.defined() ? gradient.clone() : Tensor());
  }
  // A gradient may be kept as it was handed over, so nobody may write to it.
  if (!same(difference(seed, weights_of_outputs(y.shape()), 0), "the seed was written to")) gradients.clear();
  return gradients;
}

// Empty when all is well.
inline QString gradient_error(Differentiable& function) {
  const std::vector<Tensor> gradients = gradients_of(function, Graph::Keep::gradients);
  const std::vector<Tensor> again = gradients_of(function, Graph::Keep::everything);
  if (gradients.size() != function.inputs.size() || again.size() != gradients.size()) return "gradients are missing";
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const QString where = QString("input %1: ").arg(i);
    if (!gradients[i].defined()) return where + "no gradient arrived";
    if (const QString text = difference(again[i], gradients[i], 1e-14); !text.isEmpty())
      return where + "keeping everything changes it: " + text;
    const std::vector<double> numeric = central_differences(function, function.inputs[i]);
    const double error = relative_error(doubles(gradients[i]), numeric);
    if (!(error < 1e-5)) return where + "relative error " + QString::number(error);
    if (norm(numeric) == 0) return where + "this case says nothing: its gradient is 0";
  }
  return {};
}

// The ids of all operations that `output` was computed by.
inline void collect_operations(const Graph& graph, const Tensor& output, std::set<std::string>& ids) {
  const Node* node = graph.find(output);
  if (!node || !node->op) return;
  ids.insert(node->op->id);
  for (const Tensor& input : node->inputs)
    if (input.defined()) collect_operations(graph, input, ids);
}

}  // namespace headlight::testing
