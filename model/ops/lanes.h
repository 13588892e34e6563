// Sums over a row, in double, in lanes that need not wait for each other.
#pragma once

#include <array>
#include <numeric>

#include "model/core/scalar.h"

namespace headlight {

// Σ_j at(j), j = 0 .. n − 1; at gives a double.
template <class At>
double sum_in_lanes(Index n, At at) {
  constexpr Index kLanes = 16;
  std::array<double, kLanes> lanes{};
  Index j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (Index i = 0; i < kLanes; ++i) lanes[static_cast<std::size_t>(i)] += at(j + i);
  for (; j < n; ++j) lanes[static_cast<std::size_t>(j % kLanes)] += at(j);
  return std::accumulate(lanes.begin(), lanes.end(), 0.0);
}

}  // namespace headlight
