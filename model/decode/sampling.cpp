#include "model/decode/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "model/core/errors.h"

namespace headlight {

void check(const SamplingSettings& settings) {
  const auto require = [](bool ok, const char* what, double value, const char* expected) {
    if (ok) return;
    std::ostringstream text;
    text << what << " is " << value << ", it has to be " << expected;
    throw UsageError(text.str());
  };
  require(settings.temperature >= 0, "the temperature", settings.temperature, "at least 0");
  require(settings.top_k >= 0, "top-k", static_cast<double>(settings.top_k), "at least 0 (0: all)");
  require(settings.top_p > 0 && settings.top_p <= 1, "top-p", settings.top_p, "above 0 and at most 1");
}

TokenId drawn(const std::vector<double>& probabilities, double u) {
  std::optional<TokenId> id;
  double cumulative = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (!(probabilities[i] > 0)) continue;
    id = static_cast<TokenId>(i);  // the last of them is left when rounding keeps the sum below u
    if ((cumulative += probabilities[i]) > u) break;
  }
  if (!id) throw UsageError("sampling: the model gives no token a probability");
  return *id;
}

ChoosingSettings choosing_of(const SamplingSettings& settings) {
  ChoosingSettings choosing;
  choosing.do_sample = true;
  choosing.temperature = settings.temperature;
  choosing.top_k = settings.top_k;
  choosing.ties_stay = false;
  choosing.top_p = settings.top_p;
  return choosing;
}

SampledToken sample_token(const Tensor& logits, const SamplingSettings& settings, double u,
                          const std::vector<TokenId>& never, std::optional<std::size_t> told) {
  check(settings);
  constexpr Scalar kMostLogit = std::numeric_limits<Scalar>::max(), kNothing = -std::numeric_limits<Scalar>::infinity();
  Tensor scores = logits.clone();
  scores = scores.view(0, {scores.size()});
  for (Index i = 0; i < scores.size(); ++i)
    scores[i] = std::isnan(scores[i]) ? kNothing : std::min(scores[i], kMostLogit);
  for (const TokenId id : never)
    if (id >= 0 && id < scores.size()) scores[id] = kNothing;
  const std::vector<TokenId> none;
  SampledToken result;
  result.u = u;
  if (told)
    result.choice = choose_and_tell(scores, {none, 0, none, std::nullopt}, choosing_of(settings), *told);
  else
    choose(scores, {none, 0, none, std::nullopt}, choosing_of(settings));
  ChoiceStage left = stage_of("", scores);
  result.kept = std::move(left.ids);
  if (result.kept.empty()) throw UsageError("sampling: the model gives no token a probability");
  result.probabilities = shares_of(scores);
  result.id = result.choice.chosen = drawn(result.probabilities, u);
  result.choice.u = u;
  return result;
}

}  // namespace headlight
