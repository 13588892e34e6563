// Attention of all layers as one: rollout (Abnar & Zuidema 2020). No values, no feed-forward networks, no signs.
#pragma once

#include "model/analysis/bench/reading.h"

namespace headlight {

// The mean over the heads of each layer, or one head of each [T x S].
std::vector<DoubleMatrix> mean_maps(const SideReading& side, Index head = AttentionMap::kMean);

// (W + I), each row to 1.
DoubleMatrix with_residual(const DoubleMatrix& weights);

// R_l = A_l R_{l−1} from the first layer on, one for each.
std::vector<DoubleMatrix> rollout(const std::vector<DoubleMatrix>& maps);

// An encoder and a decoder as one stack over S + T nodes: the layers of the encoder, then of each layer of the decoder
// its own attention and that to the source, half of which is the decoder's own past.
std::vector<DoubleMatrix> joint_maps(const std::vector<DoubleMatrix>& encoder, const std::vector<DoubleMatrix>& decoder,
                                     const std::vector<DoubleMatrix>& cross, bool residual = true);

// A causal model: the last rollout over that of even rows; early tokens would always win.
DoubleMatrix over_even(const std::vector<DoubleMatrix>& rollouts);

// With the share of a sink in one more column, which has no past.
DoubleMatrix with_sink(const DoubleMatrix& weights);

}  // namespace headlight
