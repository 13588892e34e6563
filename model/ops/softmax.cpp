#include "model/ops/softmax.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/core/parallel.h"
#include "model/ops/explaining.h"
#include "model/ops/lanes.h"

namespace headlight {

namespace {

constexpr std::size_t kLanes = 16;  // maxima that need not wait for each other
// exp below the smallest normal number differs between processors: it is 0. Scores that were masked by a large negative
// number or −∞ would else have a weight of 3e-39 on some of them.
constexpr Scalar kLeastNormal = std::numeric_limits<Scalar>::min();

// The largest of the kept entries that are numbers; −∞ where there is none.
Scalar largest(const Scalar* x, const Scalar* keep, Index n) {
  std::array<Scalar, kLanes> lanes;
  lanes.fill(-std::numeric_limits<Scalar>::infinity());
  Index j = 0;
  for (; !keep && j + Index{kLanes} <= n; j += kLanes)
    for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = std::max(lanes[i], x[j + static_cast<Index>(i)]);
  for (; j < n; ++j)
    if (!keep || keep[j] != 0) lanes[0] = std::max(lanes[0], x[j]);
  return *std::max_element(lanes.begin(), lanes.end());
}

// exp(s − max) of the kept entries into `out`; returns their sum, 0 for a row that keeps nothing.
double exponentials(const Scalar* scores, const Scalar* keep, Index n, Scalar* out) {
  const Scalar maximum = largest(scores, keep, n);
  const auto is_nan = [&](Index j) { return (!keep || keep[j] != 0) && std::isnan(scores[j]); };
  ArrayMap e(out, n);
  if (maximum == -std::numeric_limits<Scalar>::infinity()) {
    bool any_nan = false;
    for (Index j = 0; j < n; ++j) any_nan = any_nan || is_nan(j);
    if (!any_nan) {
      e.setZero();
      return 0;
    }
  }
  e = (ConstArrayMap(scores, n) - maximum).exp();
  for (Index j = 0; j < n; ++j) out[j] = out[j] < kLeastNormal ? Scalar(0) : out[j];  // `scores` may be `out`
  if (keep) e = (ConstArrayMap(keep, n) != Scalar(0)).select(e, Scalar(0));
  return sum_in_lanes(n, [out](Index j) { return static_cast<double>(out[j]); });
}

void softmax_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (graph.wants(node.inputs[0])) graph.add(node.inputs[0], softmax_gradient(node.output, gradient));
}

Explanation softmax_explain(const Node& node, Index cell) {
  const Tensor &scores = node.inputs[0], &keep = node.inputs[1];
  const Index n = scores.columns(), r = cell / n;
  const Index keep_row = keep.defined() ? r / (scores.rows() / keep.rows()) : 0;
  const auto kept = [&](Index j) { return !keep.defined() || keep[keep_row * n + j] != 0; };
  constexpr double kNothing = -std::numeric_limits<double>::infinity();
  double maximum = kNothing;
  for (Index j = 0; j < n; ++j)
    if (kept(j)) maximum = std::max(maximum, static_cast<double>(scores[r * n + j]));
  return explaining::softmax(node, cell, cell % n, n, [&](Index j) {
    const Cell score{scores, r * n + j};
    // What takes a finite score out is a cell of its term.
    if (!kept(j)) return explaining::term("exp(s − max) · mask", 0, {score, {keep, keep_row * n + j}});
    // A score of −∞ has no weight, even where all of them are −∞.
    return explaining::term("exp(s − max)", score.value() != kNothing ? std::exp(score.value() - maximum) : 0, {score});
  });
}

const Op kSoftmax{"softmax", "a_j = exp(s_j) / Σ_k exp(s_k)", "", softmax_backward, softmax_explain};

// The distribution that a row of logits is compared with: the target, and a small share of every other id.
struct Smoothed {
  double on_target, elsewhere;
  Index excluded;
  Smoothed(double smoothing, Index excluded_id, Index n)
      : on_target(1 - smoothing),
        elsewhere(smoothing / static_cast<double>(excluded_id < 0 ? n : n - 1)),
        excluded(excluded_id) {}
  double at(Index v, Index target) const { return (v == target ? on_target : 0) + (v == excluded ? 0 : elsewhere); }
};

// saved: softmax(logits) − q; attributes: i[0] is the excluded id
void cross_entropy_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &logits = node.inputs[0], &mask = node.inputs[2];
  if (!graph.wants(logits)) return;
  const Scalar factor = gradient[0] * static_cast<Scalar>(node.attributes.x);
  Tensor d(logits.shape());
  for (Index r = 0; r < logits.rows(); ++r) d.matrix().row(r) = node.saved.matrix().row(r) * (factor * mask[r]);
  graph.add(logits, d);
}

// From the logits, not from the stored probability: that one underflows to 0 where the loss is still finite.
Explanation cross_entropy_explain(const Node& node, Index cell) {
  const Tensor &logits = node.inputs[0], &targets = node.inputs[1], &mask = node.inputs[2], &smoothing = node.inputs[3];
  const Index n = logits.columns();
  const Smoothed q(smoothing.defined() ? static_cast<double>(smoothing[0]) : 0, node.attributes.i[0], n);
  std::vector<Term> terms;
  for (Index r = 0; r < targets.size(); ++r) {
    if (mask[r] == 0) continue;
    const auto z = logits.matrix().row(r).cast<double>();
    const double maximum = z.maxCoeff();
    const double log_sum = maximum + std::log((z.array() - maximum).exp().sum());
    const double weight = node.attributes.x * static_cast<double>(mask[r]);
    const auto target = static_cast<Index>(targets[r]);
    for (Index v = 0; v < n; ++v) {
      const double share = q.at(v, target);
      if (share == 0) continue;
      const Cell logit{logits, r * n + v};
      terms.push_back(
          explaining::term(share == 1 ? "−log p" : "−q·log p", weight * share * (log_sum - logit.value()), {logit}));
    }
  }
  return explaining::sum(node, cell, std::move(terms));
}

const Op kCrossEntropy{"cross-entropy", "L = −Σ_t Σ_v q_tv log softmax(z_t)[v] / T", "", cross_entropy_backward,
                       cross_entropy_explain};

}  // namespace

void softmax_row(const Scalar* scores, const Scalar* keep, Index n, Scalar* weights) {
  const double sum = exponentials(scores, keep, n, weights);
  if (sum != 0) ArrayMap(weights, n) *= static_cast<Scalar>(1 / sum);
}

Tensor softmax_gradient(const Tensor& weights, const Tensor& gradient) {
  const Index n = weights.columns();
  Tensor d(weights.shape());
  parallel_for(weights.rows(), grain_for(weights.rows(), 4 * n), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const Scalar *a = weights.data() + r * n, *g = gradient.data() + r * n;
      const double dot =
          sum_in_lanes(n, [a, g](Index j) { return static_cast<double>(a[j]) * static_cast<double>(g[j]); });
      ArrayMap(d.data() + r * n, n) = ConstArrayMap(a, n) * (ConstArrayMap(g, n) - static_cast<Scalar>(dot));
    }
  });
  return d;
}

Tensor softmax(const Tensor& scores, const Tensor& keep) {
  const Index n = scores.columns(), row_count = scores.rows();
  if (keep.defined())
    require_shape(keep.columns() == n && keep.rows() > 0 && row_count % keep.rows() == 0, "softmax mask",
                  "[.. x " + std::to_string(n) + "]", keep.shape());
  Tensor weights(scores.shape());
  parallel_for(row_count, grain_for(row_count, 4 * n), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const Scalar* mask = keep.defined() ? keep.data() + r / (row_count / keep.rows()) * n : nullptr;
      softmax_row(scores.data() + r * n, mask, n, weights.data() + r * n);
    }
  });
  return recorded(kSoftmax, {scores, keep}, std::move(weights));
}

std::vector<double> log_probabilities(const Tensor& logits, Index row) {
  const ConstArrayMap z(logits.data() + row * logits.columns(), logits.columns());
  const double maximum = static_cast<double>(z.maxCoeff());
  double sum = 0;
  for (const Scalar x : z) sum += std::exp(static_cast<double>(x) - maximum);
  const double shift = maximum + std::log(sum);
  std::vector<double> lp;
  for (const Scalar x : z) lp.push_back(static_cast<double>(x) - shift);
  return lp;
}

Tensor log_softmax(const Tensor& x) {
  Tensor y(x.shape());
  for (Index r = 0; r < x.rows(); ++r) {
    const std::vector<double> lp = log_probabilities(x, r);
    std::transform(lp.begin(), lp.end(), y.data() + r * x.columns(), [](double v) { return static_cast<Scalar>(v); });
  }
  return y;
}

Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const Tensor& mask, Scalar scale, double smoothing,
                     Index excluded_id) {
  const Index n = logits.columns(), row_count = logits.rows();
  require_shape(targets.size() == row_count, "cross-entropy targets", std::to_string(row_count), targets.shape());
  require_shape(mask.size() == row_count, "cross-entropy mask", std::to_string(row_count), mask.shape());
  const Tensor epsilon = smoothing > 0 ? Tensor::full({1}, static_cast<Scalar>(smoothing)) : Tensor();
  const Smoothed q(epsilon ? static_cast<double>(epsilon[0]) : 0, excluded_id, n);
  Tensor d(logits.shape());
  double total = 0;
  for (Index r = 0; r < row_count; ++r) {
    const ConstArrayMap z(logits.data() + r * n, n);
    ArrayMap dz(d.data() + r * n, n);
    if (!(targets[r] >= 0 && targets[r] < static_cast<Scalar>(n)))
      throw UsageError("token id " + std::to_string(static_cast<std::int64_t>(targets[r])) +
                       " is outside the vocabulary of " + std::to_string(n));
    const auto target = static_cast<Index>(targets[r]);
    const double sum = exponentials(z.data(), nullptr, n, dz.data());
    dz *= static_cast<Scalar>(1 / sum);
    const double log_sum = static_cast<double>(z.maxCoeff()) + std::log(sum);
    double nll = log_sum - static_cast<double>(z[target]);
    if (q.elsewhere > 0) {
      nll = 0;
      for (Index v = 0; v < n; ++v) {
        const double share = q.at(v, target);
        nll += share * (log_sum - static_cast<double>(z[v]));
        dz[v] -= static_cast<Scalar>(share);
      }
    } else {
      dz[target] -= 1;
    }
    total += static_cast<double>(mask[r]) * nll;
  }
  const auto factor = static_cast<double>(scale);
  return recorded(kCrossEntropy, {logits, targets, mask, epsilon},
                  Tensor::full({1}, static_cast<Scalar>(total * factor)), {.i = {excluded_id}, .x = factor}, d);
}

}  // namespace headlight
