// Drawing the next token from its probabilities (models.md 6.2): temperature, the k largest (Fan et al. 2018), the
// nucleus (Holtzman et al. 2020). The order is that of sampling in transformers 5.24:
//   1. what must not be written is left out
//   2. temperature: z / τ
//   3. top-k: the k largest
//   4. top-p: of the probabilities that 2 and 3 leave
//   5. the probabilities of what is left, and the draw
// Other than there, τ may be 0; of equal logits at the end of the k largest those with lower ids are kept, not all; and
// top_k is 0 where nothing is said, not 50. What the library does in front of 2, by generation_config.json, is done for
// the most probable token alone (families/generation.h).
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/tensor.h"

namespace headlight {

struct SamplingSettings {
  double temperature = 1;  // divides the logits; 0 takes the largest
  Index top_k = 0;         // only the k most probable tokens; 0: all
  double top_p = 1;        // of those, the fewest that together have at least this probability
  std::uint64_t seed = 0;  // of Random(seed, Random::Stream::sample), one uniform number for each step
  bool operator==(const SamplingSettings&) const = default;
};

// Throws UsageError for a temperature below 0, a top_k below 0, or a top_p outside (0, 1].
void check(const SamplingSettings& settings);

// One draw and what it was made from.
struct SampledToken {
  TokenId id = 0;
  double u = 0;
  std::vector<TokenId> kept;          // the tokens that could be drawn, most probable first; ties: lower id first
  std::vector<double> probabilities;  // [V], after all settings; 0 for what is not kept
};

// The first id, in the order of ids, at which the cumulative probability exceeds u. `logits` hold one row of V numbers;
// the ids in `never` (padding, the start sign) are not drawn. Logits that are no number have no probability. Throws
// UsageError when nothing is left to draw from.
SampledToken sample_token(const Tensor& logits, const SamplingSettings& settings, double u,
                          const std::vector<TokenId>& never = {});

}  // namespace headlight
