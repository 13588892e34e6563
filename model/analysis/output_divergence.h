// How far apart two runs are in what they expect next, and where the texts that they write part.
#pragma once

#include <optional>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct OutputDivergence {
  // Σ p ln(p / q), p of the first, at each step in front of which both had written the same; where both runs kept what
  // they expected.
  std::vector<double> kl;
  std::optional<std::size_t> parts_at;  // the first step at which they wrote something else; none: nowhere
};
// Nothing for runs of other vocabularies, and for those that wrote nothing.
std::optional<OutputDivergence> output_divergence(const Result& first, const Result& second);

}  // namespace headlight
