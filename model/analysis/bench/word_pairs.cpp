#include "model/analysis/bench/word_pairs.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Pool = SentencePooling::Pool;
using Step = SentencePooling::Step;

// How much of each row a way of pooling takes [T]; of max every unit has its own.
Eigen::VectorXd pool_weights(Pool pool, Index length) {
  Eigen::VectorXd w = Eigen::VectorXd::Zero(length);
  const auto n = static_cast<double>(length);
  switch (pool) {
    case Pool::mean:
      w.setConstant(1 / n);
      break;
    case Pool::mean_sqrt_length:
      w.setConstant(1 / std::sqrt(n));
      break;
    case Pool::weighted_mean:
      for (Index t = 0; t < length; ++t) w[t] = static_cast<double>(t + 1) / (n * (n + 1) / 2);
      break;
    case Pool::cls:
      w[0] = 1;
      break;
    case Pool::last:
      w[length - 1] = 1;
      break;
    case Pool::max:
      break;
  }
  return w;
}

DoubleMatrix pooled_parts(const SentencePooling& pooling, const DoubleMatrix& x) {
  const Index length = x.rows(), width = x.cols(), count = static_cast<Index>(pooling.pools().size());
  DoubleMatrix parts = DoubleMatrix::Zero(length + 1, width * count);
  for (Index i = 0; i < count; ++i) {
    const Pool pool = pooling.pools()[static_cast<std::size_t>(i)];
    auto here = parts.block(0, i * width, length, width);
    if (pool != Pool::max) {
      here = x.array().colwise() * pool_weights(pool, length).array();
      continue;
    }
    for (Index d = 0; d < width; ++d) {
      Index winner = 0;
      for (Index t = 1; t < length; ++t)
        if (x(t, d) > x(winner, d)) winner = t;
      here(winner, d) = x(winner, d);
    }
  }
  return parts;
}

void apply_dense(const Step& step, DoubleMatrix& parts) {
  parts = (parts * ConstMatrixMap(step.W.data(), step.W.rows(), step.W.columns()).cast<double>().transpose()).eval();
  if (step.b.defined()) parts.bottomRows(1) += step.b.array().cast<double>().matrix().transpose();
  if (!step.activation) return;
  const Eigen::RowVectorXd u = parts.colwise().sum();
  Tensor at({u.size()});
  at.array() = u.transpose().array().cast<Scalar>();
  const Tensor y = step.activation(at);
  for (Index d = 0; d < u.size(); ++d) parts.col(d) *= u[d] != 0 ? static_cast<double>(y[d]) / u[d] : 0;
}

void apply_norm(const Step& step, DoubleMatrix& parts) {
  const Eigen::RowVectorXd u = parts.colwise().sum();
  const double scale = 1 / std::sqrt((u.array() - u.mean()).square().mean() + SentencePooling::kNormEpsilon);
  parts.colwise() -= parts.rowwise().mean().eval();
  parts.array().rowwise() *= step.W.array().cast<double>().transpose() * scale;
  parts.bottomRows(1) += step.b.array().cast<double>().matrix().transpose();
}

}  // namespace

DoubleMatrix embedding_parts(const SentencePooling& pooling, const Tensor& last) {
  DoubleMatrix parts = pooled_parts(pooling, ConstMatrixMap(last.data(), last.rows(), last.columns()).cast<double>());
  for (const Step& step : pooling.steps()) {
    if (step.kind == Step::Kind::dense) apply_dense(step, parts);
    if (step.kind == Step::Kind::norm) apply_norm(step, parts);
    if (step.kind == Step::Kind::unit_length) parts /= std::max(1e-30, parts.colwise().sum().norm());
  }
  return parts;
}

bool has_own_part(const SentencePooling& pooling) {
  return std::ranges::any_of(pooling.steps(), [](const Step& step) { return step.b.defined(); });
}

bool is_one_vector(const SentencePooling& pooling) {
  return std::ranges::all_of(pooling.pools(), [](Pool pool) { return pool == Pool::cls || pool == Pool::last; });
}

double cosine_of(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const double lengths = a.norm() * b.norm();
  return lengths > 0 ? a.dot(b) / lengths : 0;
}

WordPairs word_pairs(const DoubleMatrix& a, const DoubleMatrix& b, bool own_part) {
  WordPairs made;
  made.first = a.colwise().sum().transpose();
  made.second = b.colwise().sum().transpose();
  made.cosine = cosine_of(made.first, made.second);
  made.shares = a * b.transpose() / std::max(1e-30, made.first.norm() * made.second.norm());
  made.sum = made.shares.sum();
  if (!own_part) made.shares = made.shares.topLeftCorner(a.rows() - 1, b.rows() - 1).eval();
  return made;
}

}  // namespace headlight
