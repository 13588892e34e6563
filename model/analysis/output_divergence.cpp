#include "model/analysis/output_divergence.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

std::optional<OutputDivergence> output_divergence(const Result& first, const Result& second) {
  const std::size_t steps = std::min(first.steps.size(), second.steps.size());
  if (steps == 0 || !first.model || !second.model ||
      first.model->target_vocabulary().size() != second.model->target_vocabulary().size())
    return {};
  OutputDivergence found;
  for (std::size_t t = 0; t < steps && !found.parts_at; ++t) {
    const std::string site = "decoder.step[" + std::to_string(t) + "].output.probs";
    const Tensor p = first.trace ? first.trace->value(site) : Tensor(),
                 q = second.trace ? second.trace->value(site) : Tensor();
    if (p.defined() && q.defined() && p.size() == q.size()) {
      constexpr auto kLeast = static_cast<double>(std::numeric_limits<float>::denorm_min());
      double sum = 0;
      for (Index i = 0; i < p.size(); ++i)
        if (const auto share = static_cast<double>(p[i]); share > 0)
          sum += share * std::log(share / std::max(kLeast, static_cast<double>(q[i])));
      found.kl.push_back(std::max(0.0, sum));
    }
    if (first.steps[t].id != second.steps[t].id) found.parts_at = t;
  }
  if (!found.parts_at && first.steps.size() != second.steps.size()) found.parts_at = steps;
  return found;
}

}  // namespace headlight
