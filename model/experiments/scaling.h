// Why scores are divided by sqrt(d_k) (Vaswani et al. 2017, section 3.2.1): what the softmax does to dot products of
// random vectors as these get longer.
#pragma once

#include "model/experiments/experiment.h"

namespace headlight {

struct ScalingSettings {
  Index keys = 64;
  Index trials = 2'000;  // queries, each with keys of its own; all numbers are drawn from N(0, 1)
  std::uint64_t seed = 1;
};

// Of the attention weights a of one query: means over the trials, and the median of the norm.
struct Sharpness {
  double max_weight = 0;
  double entropy_bits = 0;
  double jacobian = 0;  // median ‖diag(a) − a aᵀ‖, the softmax's derivative (Frobenius norm)
  double one_hot = 0;   // share of queries with a weight above 0.99
};

struct ScalingRow {
  Index size = 0;       // d_k
  double variance = 0;  // of q·k
  Sharpness raw, scaled;
};

ScalingRow measure_scaling(Index size, const ScalingSettings& settings, const CancelToken& cancel = {});

// ‖diag(a) − a aᵀ‖, for `count` weights that sum to 1.
double softmax_jacobian_norm(const Scalar* weights, Index count);

Experiment scaling_experiment();

}  // namespace headlight
