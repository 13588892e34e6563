#include "model/analysis/bench/head_tree.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

double entropy_of_mean(const ConstMatrixMap& a, const ConstMatrixMap& b, Index row) {
  double sum = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    const double m = (static_cast<double>(a(row, j)) + static_cast<double>(b(row, j))) / 2;
    if (m > 0) sum -= m * std::log2(m);
  }
  return sum;
}

}  // namespace

DoubleMatrix head_divergences(const HeadMaps& maps, const CancelToken& cancel) {
  const Index heads = maps.heads(), n = heads * static_cast<Index>(maps.layers.size()), rows = maps.rows();
  const auto map = [&](Index i) { return maps.map(i / heads, i % heads); };
  DoubleMatrix own(n, rows), js = DoubleMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index t = 0; t < rows; ++t) own(i, t) = entropy_bits(map(i).row(t));
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) {
      cancel.check();
      double sum = 0;
      for (Index t = 0; t < rows; ++t) sum += entropy_of_mean(map(i), map(j), t) - (own(i, t) + own(j, t)) / 2;
      js(i, j) = js(j, i) = std::max(0.0, sum / static_cast<double>(std::max<Index>(1, rows)));
    }
  return js;
}

DoubleMatrix average_linkage(const DoubleMatrix& distances, const CancelToken& cancel) {
  const Index n = distances.rows();
  DoubleMatrix apart = distances, merges(std::max<Index>(0, n - 1), 4);
  std::vector<Index> name(static_cast<std::size_t>(n)), alive;
  std::vector<double> size(static_cast<std::size_t>(n), 1);
  for (Index i = 0; i < n; ++i) {
    name[static_cast<std::size_t>(i)] = i;
    alive.push_back(i);
  }
  for (Index step = 0; step + 1 < n; ++step) {
    cancel.check();
    double least = std::numeric_limits<double>::infinity();
    Index a = alive[0], b = alive[1];
    for (std::size_t x = 0; x < alive.size(); ++x)
      for (std::size_t y = x + 1; y < alive.size(); ++y)
        if (apart(alive[x], alive[y]) < least) {
          least = apart(alive[x], alive[y]);
          a = alive[x];
          b = alive[y];
        }
    double &size_a = size[static_cast<std::size_t>(a)], size_b = size[static_cast<std::size_t>(b)];
    Index &name_a = name[static_cast<std::size_t>(a)], name_b = name[static_cast<std::size_t>(b)];
    merges.row(step) << static_cast<double>(std::min(name_a, name_b)), static_cast<double>(std::max(name_a, name_b)),
        apart(a, b), size_a + size_b;
    for (const Index other : alive)
      if (other != a && other != b)
        apart(a, other) = apart(other, a) = (size_a * apart(a, other) + size_b * apart(b, other)) / (size_a + size_b);
    size_a += size_b;
    name_a = n + step;
    std::erase(alive, b);
  }
  return merges;
}

DoubleMatrix on_two_axes(const DoubleMatrix& distances) {
  const Index n = distances.rows();
  DoubleMatrix placed = DoubleMatrix::Zero(n, 2);
  if (n < 2) return placed;
  const DoubleMatrix centre = DoubleMatrix::Identity(n, n) - DoubleMatrix::Constant(n, n, 1.0 / static_cast<double>(n));
  const Eigen::MatrixXd inner = -0.5 * centre * distances.cwiseProduct(distances) * centre;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(inner);
  for (Index axis = 0; axis < std::min<Index>(2, n); ++axis) {
    const Index at = n - 1 - axis;
    placed.col(axis) = solved.eigenvectors().col(at) * std::sqrt(std::max(0.0, solved.eigenvalues()[at]));
    Index largest = 0;  // the sign of an axis means nothing: its largest number is positive
    placed.col(axis).cwiseAbs().maxCoeff(&largest);
    if (placed(largest, axis) < 0) placed.col(axis) = -placed.col(axis);
  }
  return placed;
}

}  // namespace headlight
