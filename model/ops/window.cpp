// Local attention (Luong et al. 2015, section 3.2): the window around a position, and its Gaussian.

#include <cmath>

#include "model/ops/attention.h"
#include "model/ops/explaining.h"

namespace headlight {

namespace {

// --- the Gaussian; attributes.x is σ
double exponent(double j, double position, double sigma) {
  return -(j - position) * (j - position) / (2 * sigma * sigma);
}
double exponential(double x) { return std::exp(x); }

void gaussian_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor& positions = node.inputs[0];
  if (!graph.wants(positions)) return;
  const Index s_count = node.output.columns();
  const double variance = node.attributes.x * node.attributes.x;
  Tensor d(positions.shape());
  for (Index r = 0; r < positions.size(); ++r) {
    double total = 0;
    for (Index j = 0; j < s_count; ++j) {
      const Index i = r * s_count + j;
      total += static_cast<double>(gradient[i]) * static_cast<double>(node.output[i]) *
               (static_cast<double>(j) - static_cast<double>(positions[r])) / variance;
    }
    d[r] = static_cast<Scalar>(total);
  }
  graph.add(positions, d);
}

Explanation gaussian_explain(const Node& node, Index cell) {
  const Index s_count = node.output.columns();
  const Cell position{node.inputs[0], cell / s_count};
  const double x = exponent(static_cast<double>(cell % s_count), position.value(), node.attributes.x);
  return explaining::function(node, cell, "exp", exponential, {explaining::term("−(j − p)² / 2σ²", x, {position})});
}

const Op kGaussian{"Gaussian window", "y_j = exp(−(j − p)² / 2σ²)", "Luong et al. 2015, eq. 10", gaussian_backward,
                   gaussian_explain};

// --- the window; attributes.i[0] is D
Explanation window_explain(const Node& node, Index cell) {
  const Tensor &centres = node.inputs[0], &keep = node.inputs[1];
  const Index s_count = node.output.columns(), r = cell / s_count, t_count = centres.dim(1);
  std::vector<Cell> cells = {{centres, r}};
  if (keep.defined()) cells.push_back({keep, r / t_count * s_count + cell % s_count});
  return explaining::sum(node, cell,
                         {explaining::term(keep.defined() ? "[|j − ⌊p⌋| ≤ D]·m" : "[|j − ⌊p⌋| ≤ D]",
                                           static_cast<double>(node.output[cell]), std::move(cells))});
}

const Op kWindow{"window", "m_j = [⌊p⌋ − D ≤ j ≤ ⌊p⌋ + D]", "Luong et al. 2015, section 3.2", nullptr, window_explain};

}  // namespace

Tensor gaussian_window(const Tensor& positions, Index s_count, double sigma) {
  require_shape(positions.rank() == 3 && positions.dim(2) == 1, "Gaussian window", "positions [N x T x 1]",
                positions.shape());
  Tensor y({positions.dim(0), positions.dim(1), s_count});
  for (Index i = 0; i < y.size(); ++i)
    y[i] = static_cast<Scalar>(
        std::exp(exponent(static_cast<double>(i % s_count), static_cast<double>(positions[i / s_count]), sigma)));
  return recorded(kGaussian, {positions}, std::move(y), {.x = sigma});
}

Tensor window_mask(const Tensor& centres, Index half_width, Index s_count, const Tensor& keep) {
  require_shape(centres.rank() == 3 && centres.dim(2) == 1, "window", "centres [N x T x 1]", centres.shape());
  const Index t_count = centres.dim(1);
  if (keep.defined())
    require_shape(keep.size() == centres.dim(0) * s_count, "window", "a mask " + Shape{centres.dim(0), s_count}.text(),
                  keep.shape());
  Tensor y({centres.dim(0), t_count, s_count});
  for (Index i = 0; i < y.size(); ++i) {
    const Index r = i / s_count, j = i % s_count;
    // In floating point: a position that was edited may be any number, and none is in no window.
    const double distance = std::abs(static_cast<double>(j) - std::floor(static_cast<double>(centres[r])));
    const bool kept = !keep.defined() || keep[r / t_count * s_count + j] != 0;
    y[i] = kept && distance <= static_cast<double>(half_width) ? Scalar(1) : Scalar(0);
  }
  return recorded(kWindow, {centres, keep}, std::move(y), {.i = {half_width}});
}

}  // namespace headlight
