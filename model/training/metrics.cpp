#include "model/training/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/core/errors.h"

namespace headlight {

namespace {

using Counts = std::map<Words, Index>;

Counts grams(const Words& words, std::size_t n) {
  Counts counts;
  for (std::size_t i = 0; i + n <= words.size(); ++i)
    ++counts[Words(words.begin() + static_cast<std::ptrdiff_t>(i), words.begin() + static_cast<std::ptrdiff_t>(i + n))];
  return counts;
}

// The length that is closest to the output's; of two, the shorter.
std::size_t closest_length(std::size_t length, const std::vector<Words>& references) {
  const auto distance = [&](std::size_t other) { return std::max(length, other) - std::min(length, other); };
  std::size_t best = references.front().size();
  for (const Words& reference : references) {
    const std::size_t other = reference.size();
    if (distance(other) < distance(best) || (distance(other) == distance(best) && other < best)) best = other;
  }
  return best;
}

void count(const Words& output, const std::vector<Words>& references, Bleu& sums) {
  for (std::size_t n = 1; n <= 4; ++n) {
    Counts allowed;
    for (const Words& reference : references)
      for (const auto& [gram, times] : grams(reference, n)) allowed[gram] = std::max(allowed[gram], times);
    for (const auto& [gram, times] : grams(output, n)) {
      const auto found = allowed.find(gram);
      sums.all[n - 1] += times;
      sums.right[n - 1] += found == allowed.end() ? 0 : std::min(times, found->second);
    }
  }
  sums.length += static_cast<Index>(output.size());
  sums.reference_length += static_cast<Index>(closest_length(output.size(), references));
}

}  // namespace

Bleu corpus_bleu(const std::vector<Words>& outputs, const std::vector<std::vector<Words>>& references,
                 BleuSmoothing smoothing) {
  if (outputs.size() != references.size())
    throw UsageError("BLEU needs references for each of the " + std::to_string(outputs.size()) + " outputs, found " +
                     std::to_string(references.size()));
  Bleu bleu;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (references[i].empty()) throw UsageError("BLEU: output " + std::to_string(i + 1) + " has no reference");
    count(outputs[i], references[i], bleu);
  }
  if (bleu.length > 0)
    bleu.brevity_penalty =
        bleu.length >= bleu.reference_length
            ? 1
            : std::exp(1 - static_cast<double>(bleu.reference_length) / static_cast<double>(bleu.length));
  double log_sum = 0, unlikely = 1;
  for (std::size_t n = 0; n < 4; ++n) {
    if (bleu.all[n] > 0) bleu.precision[n] = static_cast<double>(bleu.right[n]) / static_cast<double>(bleu.all[n]);
    // Smoothing is for rare long n-grams: an output without one right word stays at 0.
    if (bleu.right[n] == 0 && bleu.all[n] > 0 && bleu.right[0] > 0 && smoothing == BleuSmoothing::exponential)
      bleu.precision[n] = 1 / ((unlikely *= 2) * static_cast<double>(bleu.all[n]));
    log_sum += std::log(bleu.precision[n]);
  }
  bleu.score = 100 * bleu.brevity_penalty * std::exp(log_sum / 4);
  return bleu;
}

void AlignmentQuality::add(const std::vector<Link>& found_links, const std::vector<Link>& sure_links,
                           const std::vector<Link>& possible) {
  const auto among = [](const Link& link, const std::vector<Link>& links) {
    return std::find(links.begin(), links.end(), link) != links.end();
  };
  found += static_cast<Index>(found_links.size());
  sure += static_cast<Index>(sure_links.size());
  for (const Link& link : found_links) {
    const bool is_sure = among(link, sure_links);
    right_sure += is_sure;
    right_possible += is_sure || among(link, possible);
  }
}

double AlignmentQuality::error_rate() const {
  if (found + sure == 0) return 0;
  return 1 - static_cast<double>(right_sure + right_possible) / static_cast<double>(found + sure);
}

}  // namespace headlight
