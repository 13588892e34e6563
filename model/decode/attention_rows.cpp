#include "model/decode/attention_rows.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

// Half precision rounds each weight by up to 0.4 %; a dropout, a percentage or a score is farther away.
constexpr double kRounded = 0.02, kNegative = -1e-3;

bool is_one(double sum) { return std::abs(sum - 1) <= kRounded; }

}  // namespace

void AttentionRows::add_row(const Scalar* weights, Index length) {
  double sum = 0, least = 0, most = 0;
  bool finite = true;
  for (Index k = 0; k < length; ++k) {
    const auto weight = static_cast<double>(weights[k]);
    sum += weight;
    if (!std::isfinite(weight)) {
      finite = false;
      continue;
    }
    least = std::min(least, weight);
    most = std::max(most, weight);
  }
  lowest = std::min(lowest, least);
  highest = std::max(highest, most);
  if (finite && least == 0 && most == 0) return;
  ++rows;
  if (least < kNegative) ++negative;
  if (!finite) {  // shares, as far as one can tell
    ++not_numbers;
    if (most > 1 + kRounded) ++other_sum;
    return;
  }
  if (is_one(sum)) return;
  ++other_sum;
  if (is_one(sum / 100)) ++percent;
}

void AttentionRows::add(const Tensor& maps) {
  const Index length = maps.columns(), queries = maps.dim(-2);
  std::vector<double> columns(static_cast<std::size_t>(length));
  for (Index row = 0; row < maps.rows(); ++row) {
    const Scalar* weights = maps.data() + row * length;
    add_row(weights, length);
    if (row % queries == 0) std::ranges::fill(columns, 0.0);
    for (Index k = 0; k < length; ++k) columns[static_cast<std::size_t>(k)] += static_cast<double>(weights[k]);
    if ((row + 1) % queries == 0)
      columns_are_shares =
          columns_are_shares && std::ranges::all_of(columns, [](double sum) { return sum == 0 || is_one(sum); });
  }
}

}  // namespace headlight
