#include "model/ops/softmax.h"

#include <cmath>

#include "model/ops/explaining.h"

namespace headlight {

namespace {

// exp(s − max) of the kept entries into `out`; returns their sum, 0 for a row that keeps nothing.
double exponentials(const Scalar* scores, const Scalar* keep, Index n, Scalar* out) {
  Scalar maximum = -std::numeric_limits<Scalar>::infinity();
  bool any_nan = false;
  for (Index j = 0; j < n; ++j) {
    if (keep && keep[j] == 0) continue;
    any_nan = any_nan || std::isnan(scores[j]);
    maximum = std::max(maximum, scores[j]);
  }
  ArrayMap e(out, n);
  if (maximum == -std::numeric_limits<Scalar>::infinity() && !any_nan) {
    e.setZero();
    return 0;
  }
  e = (ConstArrayMap(scores, n) - maximum).exp();
  if (keep) e = (ConstArrayMap(keep, n) != Scalar(0)).select(e, Scalar(0));
  double sum = 0;
  for (Index j = 0; j < n; ++j) sum += static_cast<double>(out[j]);
  return sum;
}

void softmax_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  if (!graph.wants(node.inputs[0])) return;
  const ConstMatrixMap a = node.output.matrix(), g = gradient.matrix();
  Tensor d(node.output.shape());
  for (Index r = 0; r < a.rows(); ++r) {
    double dot = 0;
    for (Index j = 0; j < a.cols(); ++j) dot += static_cast<double>(a(r, j)) * static_cast<double>(g(r, j));
    d.matrix().row(r) = a.row(r).array() * (g.row(r).array() - static_cast<Scalar>(dot));
  }
  graph.add(node.inputs[0], d);
}

Explanation softmax_explain(const Node& node, Index cell) {
  const Tensor &scores = node.inputs[0], &keep = node.inputs[1];
  const Index n = scores.columns(), r = cell / n;
  const Index keep_row = keep.defined() ? r / (scores.rows() / keep.rows()) : 0;
  const auto kept = [&](Index j) { return !keep.defined() || keep[keep_row * n + j] != 0; };
  double maximum = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < n; ++j)
    if (kept(j)) maximum = std::max(maximum, static_cast<double>(scores[r * n + j]));
  Explanation explanation;
  explanation.kind = Explanation::Kind::share;
  explanation.op = node.op;
  explanation.value = static_cast<double>(node.output[cell]);
  // The cell's own term first, then its rivals in order.
  double sum = 0;
  const auto add = [&](Index j) {
    const Cell score{scores, r * n + j};
    const double value = kept(j) ? std::exp(score.value() - maximum) : 0;
    sum += value;
    explanation.terms.push_back(explaining::term("exp(s − max)", value, {score}));
  };
  add(cell % n);
  for (Index j = 0; j < n; ++j)
    if (j != cell % n) add(j);
  explanation.recomputed = sum == 0 ? 0 : explanation.terms[0].value / sum;
  return explanation;
}

const Op kSoftmax{"softmax", "a_j = exp(s_j) / Σ_k exp(s_k)", "", softmax_backward, softmax_explain};

// saved: softmax(logits)
void cross_entropy_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &logits = node.inputs[0], &targets = node.inputs[1], &mask = node.inputs[2];
  if (!graph.wants(logits)) return;
  const Scalar factor = gradient[0] * static_cast<Scalar>(node.attributes.x);
  Tensor d(logits.shape());
  for (Index r = 0; r < logits.rows(); ++r) {
    const Scalar weight = factor * mask[r];
    d.matrix().row(r) = node.saved.matrix().row(r) * weight;
    d.matrix()(r, static_cast<Index>(targets[r])) -= weight;
  }
  graph.add(logits, d);
}

// From the logits, not from the stored probability: that one underflows to 0 where the loss is still finite.
Explanation cross_entropy_explain(const Node& node, Index cell) {
  const Tensor &logits = node.inputs[0], &targets = node.inputs[1], &mask = node.inputs[2];
  const Index n = logits.columns();
  std::vector<Term> terms;
  for (Index r = 0; r < targets.size(); ++r) {
    if (mask[r] == 0) continue;
    const auto z = logits.matrix().row(r).cast<double>();
    const double maximum = z.maxCoeff();
    const Cell target{logits, r * n + static_cast<Index>(targets[r])};
    const double nll = maximum + std::log((z.array() - maximum).exp().sum()) - target.value();
    terms.push_back(explaining::term("−log p", node.attributes.x * static_cast<double>(mask[r]) * nll, {target}));
  }
  return explaining::sum(node, cell, std::move(terms));
}

const Op kCrossEntropy{"cross-entropy", "L = −Σ_t log softmax(z_t)[y_t] / T", "", cross_entropy_backward,
                       cross_entropy_explain};

}  // namespace

Tensor softmax(const Tensor& scores, const Tensor& keep) {
  const Index n = scores.columns(), row_count = scores.rows();
  if (keep.defined())
    require_shape(keep.columns() == n && keep.rows() > 0 && row_count % keep.rows() == 0, "softmax mask",
                  "[.. x " + std::to_string(n) + "]", keep.shape());
  Tensor weights(scores.shape());
  for (Index r = 0; r < row_count; ++r) {
    const Scalar* mask = keep.defined() ? keep.data() + r / (row_count / keep.rows()) * n : nullptr;
    const double sum = exponentials(scores.data() + r * n, mask, n, weights.data() + r * n);
    if (sum != 0) ArrayMap(weights.data() + r * n, n) *= static_cast<Scalar>(1 / sum);
  }
  return recorded(kSoftmax, {scores, keep}, std::move(weights));
}

Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const Tensor& mask, Scalar scale) {
  const Index n = logits.columns(), row_count = logits.rows();
  require_shape(targets.size() == row_count, "cross-entropy targets", std::to_string(row_count), targets.shape());
  require_shape(mask.size() == row_count, "cross-entropy mask", std::to_string(row_count), mask.shape());
  Tensor probabilities(logits.shape());
  double total = 0;
  for (Index r = 0; r < row_count; ++r) {
    const Scalar* z = logits.data() + r * n;
    if (!(targets[r] >= 0 && targets[r] < static_cast<Scalar>(n)))
      throw UsageError("token id " + std::to_string(static_cast<std::int64_t>(targets[r])) +
                       " is outside the vocabulary of " + std::to_string(n));
    const double maximum = static_cast<double>(ConstArrayMap(z, n).maxCoeff());
    const double sum = exponentials(z, nullptr, n, probabilities.data() + r * n);
    ArrayMap(probabilities.data() + r * n, n) *= static_cast<Scalar>(1 / sum);
    const double nll = maximum + std::log(sum) - static_cast<double>(z[static_cast<Index>(targets[r])]);
    total += static_cast<double>(mask[r]) * nll;
  }
  Attributes attributes;
  attributes.x = static_cast<double>(scale);
  return recorded(kCrossEntropy, {logits, targets, mask}, Tensor::full({1}, static_cast<Scalar>(total * attributes.x)),
                  attributes, probabilities);
}

}  // namespace headlight
