#include "app/lab/texts/text_rows.h"

#include <algorithm>
#include <cmath>

#include "model/recording/story.h"

namespace headlight {

namespace {

constexpr double kFirstShare = 1.0 / 60;  // of all characters: the row behind that of the untrained model
constexpr double kAsWell = 0.1, kByHeart = 1.5;

}  // namespace

std::vector<Index> row_reads(Index all, int rows) {
  std::vector<Index> reads = {0};
  for (int row = 1; row < rows; ++row) {
    const double along = rows > 2 ? static_cast<double>(row - 1) / (rows - 2) : 1;
    const auto read = static_cast<Index>(std::llround(static_cast<double>(all) * std::pow(kFirstShare, 1 - along)));
    if (read > reads.back()) reads.push_back(read);
  }
  return reads;
}

std::vector<TextRow> text_rows(const Recording& recording, int handle, int rows) {
  if (recording.moments.empty()) return {};
  const Index newest = recording.moments.back()->read;
  const std::vector<Index> reads = row_reads(std::max(recording.reads, newest), rows);
  handle = std::clamp(handle, 0, recording.count() - 1);
  std::vector<TextRow> made;
  Index before = -1;
  for (const Index read : reads) {
    TextRow row;
    const int found = moment_at(recording, read);
    if (recording.at(found).read > before && before < newest) row.moment = found;
    const Index at_handle = recording.at(handle).read;
    row.handle = at_handle > before && at_handle <= read;
    if (row.handle) row.moment = handle;
    made.push_back(row);
    before = read;
  }
  return made;
}

std::vector<TextBar> text_bars(const std::vector<NgramPerplexity>& counted, double model) {
  std::vector<TextBar> bars;
  for (const NgramPerplexity& each : counted) bars.push_back({each.order, each.perplexity});
  std::ranges::stable_sort(bars, {}, &TextBar::order);
  if (is_measured(model)) bars.push_back({0, model});
  return bars;
}

double full_bar(const std::vector<TextBar>& bars) {
  double longest = 0;
  for (const TextBar& bar : bars)
    if (bar.order != 1) longest = std::max(longest, std::log(std::max(1.0, bar.perplexity)));
  if (longest == 0 && !bars.empty()) longest = std::log(std::max(1.0, bars.front().perplexity));
  return longest / kLongestBar;
}

CountingFound counting_beside(const std::vector<TextBar>& bars) {
  CountingFound found;
  const TextBar* best = nullptr;
  for (const TextBar& bar : bars) {
    if (bar.order == 0)
      found.model = bar.perplexity;
    else if (!best || bar.perplexity < best->perplexity)
      best = &bar;
  }
  if (!best || found.model <= 0) return found;
  found.order = best->order;
  found.counted = best->perplexity;
  found.how = std::abs(found.counted / found.model - 1) <= kAsWell ? Counting::as_well
              : found.counted < found.model                        ? Counting::better
                                                                   : Counting::worse;
  found.by_heart = found.how == Counting::as_well && found.model <= kByHeart && found.counted <= kByHeart;
  return found;
}

}  // namespace headlight
