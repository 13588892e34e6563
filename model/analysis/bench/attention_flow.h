// Attention flow (Abnar & Zuidema 2020): the largest flow through all layers.
#pragma once

#include "model/analysis/bench/numbers.h"
#include "model/core/cancel.h"

namespace headlight {

// From node i above the last map to each node below the first, each pair alone, through edges of these capacities; each
// row to 1. Throws UsageError for more than kMostFlowNodes nodes, and Cancelled.
inline constexpr Index kMostFlowNodes = 256;
DoubleMatrix attention_flow(const std::vector<DoubleMatrix>& maps, const std::vector<Index>& rows,
                            const CancelToken& cancel = {});

}  // namespace headlight
