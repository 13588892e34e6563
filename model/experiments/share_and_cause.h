// How far the shares of the living map go together with what the parts truly do: each ribbon of an attention is cut,
// and what that changes of the output is set beside its share and its weight.
#pragma once

#include "model/experiments/experiment.h"

namespace headlight {

// Pearson's coefficient; NaN for fewer than two points and where one side never changes.
double correlation(const std::vector<double>& x, const std::vector<double>& y);
// Ranks from 1; equal values share their mean rank (Spearman's coefficient is the correlation of ranks).
std::vector<double> ranks(const std::vector<double>& values);

Experiment share_and_cause_experiment();

}  // namespace headlight
