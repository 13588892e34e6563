// What a layer costs (Vaswani et al. 2017, table 1): multiply-adds by formula, and the time that they take here.
#pragma once

#include "model/experiments/experiment.h"

namespace headlight {

enum class CostedLayer {
  attention,     // scores and weighted values of self-attention
  projections,   // its queries, keys, values and output
  feed_forward,  // of width 4 d
  recurrent,     // h_t = tanh(x_t W + h_{t−1} U)
  convolution,   // of width 3
};
inline constexpr CostedLayer kCostedLayers[] = {CostedLayer::attention, CostedLayer::projections,
                                                CostedLayer::feed_forward, CostedLayer::recurrent,
                                                CostedLayer::convolution};
const char* name_of(CostedLayer layer);

// For n positions of width d.
double multiply_adds(CostedLayer layer, Index n, Index d);
// Positions from which on `a` costs more multiply-adds than `b` together, for the width d, when `a` grows with n².
double crossing(CostedLayer a, const std::vector<CostedLayer>& b, Index d);

// The shortest of `repeats` runs, in seconds.
double measure_seconds(CostedLayer layer, Index n, Index d, int repeats, const CancelToken& cancel = {});

Experiment complexity_experiment();

}  // namespace headlight
