#include "model/analysis/bench/rollout.h"

#include <algorithm>

namespace headlight {

std::vector<DoubleMatrix> mean_maps(const SideReading& side, Index head) {
  std::vector<DoubleMatrix> maps;
  for (const LayerReading& layer : side.layers) {
    if (head >= 0) {
      maps.push_back(slice_of(layer.weights, head));
      continue;
    }
    DoubleMatrix sum = slice_of(layer.weights, 0);
    for (Index h = 1; h < layer.heads(); ++h) sum += slice_of(layer.weights, h);
    maps.push_back(sum / static_cast<double>(layer.heads()));
  }
  return maps;
}

DoubleMatrix with_residual(const DoubleMatrix& weights) {
  DoubleMatrix sum = weights + DoubleMatrix::Identity(weights.rows(), weights.cols());
  sum.array().colwise() /= sum.rowwise().sum().array().eval();
  return sum;
}

std::vector<DoubleMatrix> rollout(const std::vector<DoubleMatrix>& maps) {
  std::vector<DoubleMatrix> all;
  for (const DoubleMatrix& map : maps) all.push_back(all.empty() ? map : DoubleMatrix(map * all.back()));
  return all;
}

std::vector<DoubleMatrix> joint_maps(const std::vector<DoubleMatrix>& encoder, const std::vector<DoubleMatrix>& decoder,
                                     const std::vector<DoubleMatrix>& cross, bool residual) {
  std::vector<DoubleMatrix> all;
  const Index s = encoder.empty() ? (cross.empty() ? 0 : cross.front().cols()) : encoder.front().rows(),
              t = decoder.empty() ? 0 : decoder.front().rows();
  const auto own = [&](const DoubleMatrix& map) { return residual ? with_residual(map) : map; };
  for (const DoubleMatrix& map : encoder) {
    all.push_back(DoubleMatrix::Identity(s + t, s + t));
    all.back().topLeftCorner(s, s) = own(map);
  }
  for (std::size_t l = 0; l < std::min(decoder.size(), cross.size()); ++l) {
    all.push_back(DoubleMatrix::Identity(s + t, s + t));
    all.back().bottomRightCorner(t, t) = own(decoder[l]);
    all.push_back(DoubleMatrix::Identity(s + t, s + t));
    all.back().bottomRightCorner(t, t) *= residual ? 0.5 : 0;
    all.back().bottomLeftCorner(t, s) = cross[l] * (residual ? 0.5 : 1);
  }
  return all;
}

DoubleMatrix over_even(const std::vector<DoubleMatrix>& rollouts) {
  const Index n = rollouts.back().rows();
  DoubleMatrix even = DoubleMatrix::Zero(n, n);
  for (Index t = 0; t < n; ++t) even.row(t).head(t + 1).setConstant(1.0 / static_cast<double>(t + 1));
  const DoubleMatrix all = rollout(std::vector<DoubleMatrix>(rollouts.size(), with_residual(even))).back();
  return (all.array() > 0).select(rollouts.back().array() / all.array().max(1e-300), 0.0);
}

DoubleMatrix with_sink(const DoubleMatrix& weights) {
  const Index n = weights.rows();
  DoubleMatrix full = DoubleMatrix::Identity(n + 1, n + 1);
  full.topLeftCorner(n, n) = weights;
  full.topRightCorner(n, 1) = 1 - weights.rowwise().sum().array();
  return full;
}

}  // namespace headlight
