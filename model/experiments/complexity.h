// What a layer costs (Vaswani et al. 2017, table 1): multiply-adds by formula (analysis/cost.h), and the time that
// they take here.
#pragma once

#include "model/analysis/cost/cost.h"
#include "model/experiments/experiment.h"

namespace headlight {

// The shortest of `repeats` runs, in seconds.
double measure_seconds(CostedLayer layer, Index n, Index d, int repeats, const CancelToken& cancel = {});

Experiment complexity_experiment();

}  // namespace headlight
