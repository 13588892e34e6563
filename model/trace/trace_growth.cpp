#include "model/trace/trace_growth.h"

#include <algorithm>
#include <unordered_set>

namespace headlight {

namespace {

bool counts_tokens(Axis axis) {
  return axis == Axis::source || axis == Axis::target || axis == Axis::query || axis == Axis::key;
}

}  // namespace

TraceGrowth growth_of(const Trace& trace, Index tokens, bool explained) {
  TraceGrowth growth;
  std::unordered_set<const void*> seen;
  const auto n = static_cast<double>(std::max<Index>(1, tokens));
  for (const TraceEntry& entry : trace.entries()) {
    if (!seen.insert(entry.value.storage_id()).second) continue;
    const double bytes = static_cast<double>(entry.value.size()) * sizeof(Scalar) * (explained ? 2 : 1);
    const auto growing = std::ranges::count_if(entry.site.kind->axes, counts_tokens);
    (growing == 0   ? growth.fixed
     : growing == 1 ? growth.linear
                    : growth.square) += growing == 0   ? bytes
                                        : growing == 1 ? bytes / n
                                                       : bytes / (n * n);
  }
  return growth;
}

}  // namespace headlight
