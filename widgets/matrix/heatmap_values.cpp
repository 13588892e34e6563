#include "widgets/matrix/heatmap_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "model/core/parallel.h"

namespace headlight {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

bool is_finite(float v) { return std::abs(v) <= kLargest; }  // false for NaN

// Which of two values stands for both: a fault is seen however small the picture is. Masks write −∞, which is none.
float largest(float a, float b) {
  if (!(a <= kLargest && b <= kLargest)) return kNone;
  return b > a ? b : a;
}
float farthest(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return kNone;
  if (!is_finite(a)) return is_finite(b) ? b : a;
  return is_finite(b) && std::abs(b) > std::abs(a) ? b : a;
}
float strangest(float a, float b) {
  if (!is_finite(a) || !is_finite(b)) return is_finite(a) ? b : a;
  return std::abs(b) > std::abs(a) ? b : a;
}

int halved(int count) { return (count + 1) / 2; }

// `down` and `across`: 1 or 2 cells become one.
template <float (*pick)(float, float)>
void halve(const float* in, int rows, int columns, int down, int across, std::vector<float>& out) {
  const int few_rows = down == 2 ? halved(rows) : rows, few_columns = across == 2 ? halved(columns) : columns;
  out.resize(static_cast<std::size_t>(few_rows) * static_cast<std::size_t>(few_columns));
  const auto work = [&](Index begin, Index end) {
    for (Index y = begin; y < end; ++y) {
      const float* first = in + y * down * columns;
      const float* second = down == 2 && 2 * y + 1 < rows ? first + columns : first;
      float* to = out.data() + y * few_columns;
      const int pairs = across == 2 ? columns / 2 : 0;
      for (int x = 0; x < pairs; ++x)
        to[x] = pick(pick(first[2 * x], first[2 * x + 1]), pick(second[2 * x], second[2 * x + 1]));
      for (int x = pairs; x < few_columns; ++x) to[x] = pick(first[x * across], second[x * across]);
    }
  };
  parallel_for(few_rows, grain_for(few_rows, columns), work);
}

}  // namespace

HeatmapValues::HeatmapValues(int rows, int columns, std::vector<float> values)
    : rows_(rows), columns_(columns), values_(std::make_shared<const std::vector<float>>(std::move(values))) {}

const HeatmapValues::Ends& HeatmapValues::ends() const {
  if (ends_) return *ends_;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Ends all{kInfinity, -kInfinity, 0, true};
  std::mutex mutex;
  const auto count = static_cast<Index>(values_->size());
  parallel_for(count, grain_for(count, 1), [&](Index begin, Index end) {
    float lowest = kInfinity, highest = -kInfinity;
    std::size_t finite = 0;
    bool integral = true;
    for (Index i = begin; i < end; ++i) {
      const float v = nth(*values_, i);
      const bool good = is_finite(v);
      finite += good ? 1 : 0;
      integral = integral && (!good || v == std::floor(v));
      lowest = std::min(lowest, good ? v : kInfinity);
      highest = std::max(highest, good ? v : -kInfinity);
    }
    const std::lock_guard lock(mutex);
    all = {std::min(all.lowest, lowest), std::max(all.highest, highest), all.finite + finite, all.integral && integral};
  });
  all.integral = all.integral && std::max(-all.lowest, all.highest) > 1;
  ends_ = std::make_unique<Ends>(all);
  return *ends_;
}

HeatmapValues::Level HeatmapValues::level(int down, int across, int first, int rows, Pick pick) const {
  first = std::clamp(first, 0, rows_);
  rows = std::clamp(rows, 0, rows_ - first);
  if (down == 0 && across == 0) return {rows, columns_, values_->data() + std::ptrdiff_t{first} * columns_};
  std::vector<float>& made = levels_[{down, across, first, rows, pick}];
  const Level below = level(std::max(0, down - 1), std::max(0, across - 1), first, rows, pick);
  const int by_row = down > 0 ? 2 : 1, by_column = across > 0 ? 2 : 1;
  const Level found{by_row == 2 ? halved(below.rows) : below.rows,
                    by_column == 2 ? halved(below.columns) : below.columns, nullptr};
  if (made.empty()) {
    const auto make = pick == Pick::largest    ? &halve<largest>
                      : pick == Pick::farthest ? &halve<farthest>
                                               : &halve<strangest>;
    make(below.values, below.rows, below.columns, by_row, by_column, made);
  }
  return {found.rows, found.columns, made.data()};
}

}  // namespace headlight
