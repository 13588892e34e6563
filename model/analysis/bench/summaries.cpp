#include "model/analysis/bench/summaries.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double kSink = 0.3;  // Gu et al. 2024

// The mean of a diagonal, `offset` columns right of the main one; 0 where there is none.
double diagonal_mean(const ConstMatrixMap& a, Index offset) {
  double sum = 0;
  Index count = 0;
  for (Index t = std::max<Index>(0, -offset); t < a.rows() && t + offset < a.cols(); ++t, ++count)
    sum += static_cast<double>(a(t, t + offset));
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

double share_of(const ConstMatrixMap& a, const std::vector<Index>& keys, Index first_row) {
  double sum = 0;
  for (Index t = first_row; t < a.rows(); ++t)
    for (const Index key : keys) sum += static_cast<double>(a(t, key));
  return a.rows() > first_row ? sum / static_cast<double>(a.rows() - first_row) : 0;
}

void add_rows(const ConstMatrixMap& a, const DoubleMatrix& visible, bool self, HeadSummaries& to) {
  for (Index t = 0; t < a.rows(); ++t) {
    const double bits = entropy_bits(a.row(t)), kept = visible.row(t).sum();
    double distance = 0;
    for (Index j = 0; self && j < a.cols(); ++j)
      distance += static_cast<double>(a(t, j)) * static_cast<double>(std::abs(t - j));
    to.entropy.values.push_back(bits);
    to.entropy_normalised.values.push_back(kept > 1 ? bits / std::log2(kept) : 0);
    to.max.values.push_back(static_cast<double>(a.row(t).maxCoeff()));
    to.distance.values.push_back(distance);
  }
}

}  // namespace

std::vector<const NumberArray*> HeadSummaries::all() const {
  return {&entropy, &entropy_normalised, &max,        &distance, &self, &previous, &next, &first,
          &special, &received,           &sink_share, &visible};
}

DoubleMatrix visible_keys(const HeadMaps& maps, Index layer) {
  const Index rows = maps.rows(), keys = maps.keys();
  DoubleMatrix any = DoubleMatrix::Zero(rows, keys);
  for (Index h = 0; h < maps.heads(); ++h) any += maps.map(layer, h).cast<double>();
  return (any.array() > 0).cast<double>();
}

HeadSummaries head_summaries(const HeadMaps& maps, const std::vector<Index>& special, const CancelToken& cancel) {
  const auto layers = static_cast<Index>(maps.layers.size());
  const Index heads = maps.heads(), rows = maps.rows(), keys = maps.keys();
  const auto named = [](const char* name, std::vector<Index> shape) { return NumberArray{name, std::move(shape), {}}; };
  const std::vector<Index> of_heads = {layers, heads}, of_rows = {layers, heads, rows};
  HeadSummaries all{named("entropy", of_rows),       named("entropy_normalised", of_rows),
                    named("max", of_rows),           named("distance", of_rows),
                    named("mass_self", of_heads),    named("mass_previous", of_heads),
                    named("mass_next", of_heads),    named("mass_first", of_heads),
                    named("mass_special", of_heads), named("received", {layers, heads, keys}),
                    named("sink_share", {keys}),     named("visible", {layers, rows})};
  all.sink_share.values.assign(static_cast<std::size_t>(keys), 0);
  for (Index l = 0; l < layers; ++l) {
    const DoubleMatrix visible = visible_keys(maps, l);
    for (Index t = 0; t < rows; ++t) all.visible.values.push_back(visible.row(t).sum());
    for (Index h = 0; h < heads; ++h) {
      cancel.check();
      const ConstMatrixMap a = maps.map(l, h);
      add_rows(a, visible, maps.self, all);
      all.self.values.push_back(maps.self ? diagonal_mean(a, 0) : 0);
      all.previous.values.push_back(maps.self ? diagonal_mean(a, -1) : 0);
      all.next.values.push_back(maps.self ? diagonal_mean(a, 1) : 0);
      all.first.values.push_back(share_of(a, {0}, maps.self ? 1 : 0));
      all.special.values.push_back(share_of(a, special, 0));
      for (Index key = 0; key < keys; ++key) {
        const double seen = visible.col(key).sum(), sum = a.col(key).cast<double>().sum(),
                     received = seen > 0 ? sum / seen : 0;
        all.received.values.push_back(received);
        if (received > kSink) all.sink_share.values[static_cast<std::size_t>(key)] += 1;
      }
    }
  }
  for (double& share : all.sink_share.values) share /= static_cast<double>(std::max<Index>(1, layers * heads));
  return all;
}

}  // namespace headlight
