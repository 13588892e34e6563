// Which heads look alike: the Jensen-Shannon divergence of each two, a tree of them, and a map (analysis.md 1).
#pragma once

#include "model/analysis/bench/summaries.h"

namespace headlight {

// The mean over the rows, in bits, from 0 (alike) to 1: [L·H x L·H], head l·H + h (Lin 1991).
DoubleMatrix head_divergences(const HeadMaps& maps, const CancelToken& cancel = {});

// Average linkage: a row each merge, as scipy has it: the two clusters (the first n are the heads, then merges in their
// order), their distance, and how many heads they hold together [n − 1 x 4].
DoubleMatrix average_linkage(const DoubleMatrix& distances, const CancelToken& cancel = {});

// Classical scaling of these distances onto two axes [n x 2].
DoubleMatrix on_two_axes(const DoubleMatrix& distances);

}  // namespace headlight
