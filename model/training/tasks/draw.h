// What the generators of examples share.
#pragma once

#include <vector>

#include "model/core/random.h"

namespace headlight {

template <class T>
const T& pick(const std::vector<T>& items, Random& random) {
  return items[random.below(static_cast<std::uint32_t>(items.size()))];
}

// True in this share of the draws.
inline bool chance(double share, Random& random) { return random.uniform() < share; }

}  // namespace headlight
