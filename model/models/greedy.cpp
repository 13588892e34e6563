#include "model/models/greedy.h"

#include <algorithm>
#include <cmath>

namespace headlight {

Tensor greedy_choice(const Tensor& logits, const std::vector<TokenId>& never) {
  const Index count = logits.rows(), v_count = logits.columns();
  Tensor chosen({1, count});
  for (Index n = 0; n < count; ++n) {
    const Scalar* z = logits.data() + n * v_count;
    Index best = -1;
    for (Index v = 0; v < v_count; ++v) {
      if (best >= 0 && z[v] <= z[best]) continue;
      if (best >= 0 && !(z[v] > z[best]) && !(std::isnan(z[best]) && !std::isnan(z[v]))) continue;
      if (std::ranges::find(never, static_cast<TokenId>(v)) == never.end()) best = v;
    }
    chosen[n] = static_cast<Scalar>(std::max<Index>(best, 0));
  }
  return chosen;
}

}  // namespace headlight
