#include "model/decode/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace headlight {

namespace {

// 1. Ids that may be drawn, by falling logit.
std::vector<TokenId> ranked(const Tensor& logits, const std::vector<TokenId>& never) {
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < logits.size(); ++id) {
    const auto z = static_cast<double>(logits[id]);
    if (!std::isnan(z) && z > -std::numeric_limits<double>::infinity() &&
        std::find(never.begin(), never.end(), id) == never.end())
      ids.push_back(id);
  }
  std::stable_sort(ids.begin(), ids.end(), [&](TokenId a, TokenId b) { return logits[a] > logits[b]; });
  return ids;
}

// 2. softmax(z / τ) of these ids alone; τ = 0 is its limit.
std::vector<double> probabilities_of(const std::vector<TokenId>& ids, const Tensor& logits, double temperature) {
  const auto largest = static_cast<double>(logits[ids.front()]);
  std::vector<double> p;
  double sum = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const double below = static_cast<double>(logits[ids[i]]) - largest;
    p.push_back(i == 0 ? 1 : temperature > 0 ? std::exp(below / temperature) : 0);
    sum += p.back();
  }
  for (double& x : p) x /= sum;
  return p;
}

// 4. How many it takes, the most probable first, to reach this probability.
std::size_t nucleus(const std::vector<double>& p, double top_p) {
  double cumulative = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    if ((cumulative += p[i]) >= top_p) return i + 1;
  return p.size();
}

}  // namespace

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

SampledToken sample_token(const Tensor& logits, const SamplingSettings& settings, double u,
                          const std::vector<TokenId>& never) {
  check(settings);
  SampledToken result;
  result.u = u;
  result.kept = ranked(logits, never);
  if (result.kept.empty()) throw UsageError("sampling: the model gives no token a probability");
  const auto keep_first = [&](std::size_t count) { result.kept.resize(std::min(count, result.kept.size())); };
  // 2. Any other temperature leaves the order as it is, and is in the probabilities of 4 and 5.
  if (settings.temperature == 0) keep_first(1);
  // 3.
  if (settings.top_k > 0) keep_first(static_cast<std::size_t>(settings.top_k));
  // 4.
  if (settings.top_p < 1)
    keep_first(nucleus(probabilities_of(result.kept, logits, settings.temperature), settings.top_p));

  // 5.
  const std::vector<double> p = probabilities_of(result.kept, logits, settings.temperature);
  result.probabilities.assign(static_cast<std::size_t>(logits.size()), 0);
  for (std::size_t i = 0; i < p.size(); ++i) result.probabilities[static_cast<std::size_t>(result.kept[i])] = p[i];
  double cumulative = 0;
  for (TokenId id = 0; id < logits.size(); ++id) {
    const double probability = result.probabilities[static_cast<std::size_t>(id)];
    if (probability == 0) continue;
    result.id = id;  // the last of them is left when rounding keeps the sum below u
    if ((cumulative += probability) > u) break;
  }
  return result;
}

}  // namespace headlight
