// Changing a weight of an attention map: the edits that do it, or why none can.
#pragma once

#include <span>
#include <utility>

#include "model/analysis/attention_maps.h"

namespace headlight {

enum class WeightObstacle {
  none,
  merged,   // a weight between whole words stands for several
  derived,  // a mean that is only shown, nothing is computed from it
  largest,  // of several heads
  later,    // a causal row does not see it
  masked,   // a mask hides it
  alone,    // the row has one key only, which gets everything
};
WeightObstacle weight_obstacle(const AttentionMap& map, Index head, Index row, Index column);

// Edits that pin this weight to `value`, from 0 to 1; the others of its row make room. Of kMean: in all heads, so that
// the mean is that value. They name the row, so that they keep their place while the text grows. Only where there is no
// obstacle.
std::vector<Intervention> weight_pins(const AttentionMap& map, Index head, Index row, Index column, double value);

// The cells (row, column) of a head (kMean, kMax: of any) that these edits change, one by one or as part of a row. Rows
// that were changed by something else, all of them.
std::vector<std::pair<Index, Index>> edited_weights(const AttentionMap& map, Index head,
                                                    std::span<const Intervention> edits);

}  // namespace headlight
