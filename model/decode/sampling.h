// Drawing the next token from its probabilities: temperature, the k largest (Fan et al. 2018), the nucleus (Holtzman et
// al. 2020). They are stages of choosing.h, in the order of transformers 5.24:
//   1. what must not be written is left out
//   2. temperature: z / τ
//   3. top-k: the k largest
//   4. top-p: of the probabilities that 2 and 3 leave
//   5. the probabilities of what is left, and the draw
// Other than there, τ may be 0; of equal logits at the end of the k largest those with lower ids are kept, not all; and
// top_k is 0 where nothing is said, not 50. Where a folder's generation_config.json shall draw, that is writing.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/core/tensor.h"
#include "model/decode/choice.h"

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
  TokenChoice choice;                 // what each stage did, where it was asked for
};

// These settings as stages.
ChoosingSettings choosing_of(const SamplingSettings& settings);

// The first id, in the order of ids, at which the cumulative probability exceeds u. Throws UsageError when none has a
// probability.
TokenId drawn(const std::vector<double>& probabilities, double u);

// `logits` hold one row of V numbers; the ids in `never` (padding, the start sign) are not drawn. Logits that are no
// number have no probability. Throws UsageError when nothing is left to draw from. `told` asks for the choice, with so
// many tokens a stage.
SampledToken sample_token(const Tensor& logits, const SamplingSettings& settings, double u,
                          const std::vector<TokenId>& never = {}, std::optional<std::size_t> told = std::nullopt);

}  // namespace headlight
