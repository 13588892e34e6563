// Which weight of the trace a ribbon of the living map stands for, and back.
#pragma once

#include <optional>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "model/analysis/living/map.h"

namespace headlight {

// Of a dense part: whose weights they are.
AttentionMap::Kind attention_kind(const LivingMap& map, int station, int part);

struct LivingWeight {
  int entry = -1;  // of the trace
  Index cell = 0, head = 0;
};
// Of one column of an attention: the weight of its head, or of the head that looks there most. `maps` are those of the
// same run. Empty: no weight of the trace is this ribbon.
std::optional<LivingWeight> weight_of(const LivingMap& map, const std::vector<AttentionMap>& maps,
                                      const LivingShare& share);
// The ribbons of a cell of the trace that is a weight, with its head: one for each part that it goes into.
std::vector<LivingShare> ribbons_of(const LivingMap& map, const std::vector<AttentionMap>& maps, int entry, Index cell);

}  // namespace headlight
