#include "model/io/formats/captured/stored_mask.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Note = RunNote::Kind;

// The share of all attention of tokens that goes to what is none.
double hidden_share(const std::vector<bool>& is_token, const Tensor& maps) {
  const Index keys = maps.columns(), queries = maps.dim(-2);
  const auto share_of = [&](bool tokens_only) {
    double hidden = 0, all = 0;
    for (Index row = 0; row < maps.rows(); ++row) {
      if (tokens_only && queries == keys && !is_token[static_cast<std::size_t>(row % queries)]) continue;
      for (Index k = 0; k < keys; ++k) {
        const auto weight = static_cast<double>(maps[row * keys + k]);
        if (weight < 0) return 0.0;  // scores say nothing of it
        if (!std::isfinite(weight)) continue;
        all += weight;
        if (!is_token[static_cast<std::size_t>(k)]) hidden += weight;
      }
    }
    return all > 0 ? hidden / all : -1.0;
  };
  const double share = share_of(true);
  return share >= 0 ? share : std::max(0.0, share_of(false));
}

}  // namespace

std::size_t StoredMask::without_end() const {
  std::size_t count = is_token.size();
  while (count > 1 && !is_token[count - 1]) --count;
  return count;
}

StoredMask read_mask(const std::vector<Scalar>& mask, const Tensor& maps) {
  constexpr double kLeast = 0.02;  // more than rounding
  const auto any = [&](const auto& of) { return std::ranges::any_of(mask, of); };
  const bool positive = any([](Scalar x) { return x > 0; }), negative = any([](Scalar x) { return x < 0; });
  const bool added = !positive && negative && any([](Scalar x) { return x == 0; });
  StoredMask read;
  for (const Scalar each : mask) read.is_token.push_back(added ? each == 0 : each > 0);
  if (added)
    read.note = RunNote{Note::mask_is_added};
  else if (any([](Scalar x) { return x != 0 && x != 1; }))
    read.note = RunNote{Note::mask_has_other_values};
  if (std::ranges::none_of(read.is_token, [](bool token) { return token; })) {
    read.note = RunNote{Note::mask_leaves_nothing};
  } else if (const double hidden = hidden_share(read.is_token, maps); hidden > kLeast) {
    read.note = RunNote{Note::mask_hides_attention, static_cast<Index>(std::lround(100 * hidden))};
  } else {
    return read;
  }
  read.is_token.assign(mask.size(), true);
  return read;
}

}  // namespace headlight
