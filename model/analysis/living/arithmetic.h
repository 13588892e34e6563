// Shares as arithmetic whose terms open: from the share to the products behind it, from a product to the units of both
// vectors, and from these into the trace.
#pragma once

#include <optional>
#include <vector>

#include "model/analysis/living/map.h"

namespace headlight {

struct LivingArithmetic {
  Explanation share;  // explain_share(); each term has a cell of its own, a tensor of one number
  // By term: the part whose product with the state it is, for explain_product(); nothing where it has no vector (what
  // is left of a part, or what nothing published).
  std::vector<std::optional<LivingShare>> behind;
};
LivingArithmetic living_arithmetic(const LivingMap& map, const LivingShare& share);

}  // namespace headlight
