#include "model/core/packed_factor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

constexpr float kMost = 1 << 22;     // the largest whole number
constexpr float kLeast = 0x1p-105f;  // of a run: kMost / smaller ones is no float32; they count as zeros

// The nearest whole number of |x| <= kMost: the last bits of a float32 that large.
std::int32_t nearest(float x) {
  return std::bit_cast<std::int32_t>(x + 0x1.8p23f) - std::bit_cast<std::int32_t>(0x1.8p23f);
}

}  // namespace

void PackedFactor::set(const Scalar* x, Index count) {
  // Queries, keys and values are products of the same x, and so are the two sides of a gate.
  if (count == count_ && std::equal(x, x + count, numbers())) return;
  count_ = count;
  numbers_.resize(static_cast<std::size_t>(count + 15) / 16);
  std::copy_n(x, count, numbers_.data()->floats);
  const auto spans = static_cast<std::size_t>(count / kSpan);
  digits_.resize(spans * kSpan / kRun * kDigits);
  units_.resize(spans * kSpan / kRun);
  sums_of_16_.resize(spans);
  sums_of_32_.resize(spans);
  for (Index run = 0; run < std::ssize(units_); ++run) set_run(numbers() + run * kRun, run);
  for (Index span = 0; span < std::ssize(sums_of_16_); ++span) set_sums(numbers() + span * kSpan, span);
}

void PackedFactor::set_run(const float* x, Index run) {
  float largest = 0;
  bool finite = true;
  for (Index i = 0; i < kRun; ++i) {
    largest = std::max(largest, std::fabs(x[i]));
    finite = finite && std::fabs(x[i]) <= std::numeric_limits<float>::max();
  }
  const bool some = finite && largest > kLeast;
  nth(units_, run) = finite ? largest / kMost : std::numeric_limits<float>::quiet_NaN();
  const float times = some ? kMost / largest : 0;
  Digits* to = &nth(digits_, run * kDigits);
  for (Index i = 0; i < kRun; ++i) {
    // With 128 added to each digit they are the bytes of the sum.
    const std::int32_t bytes = (some ? nearest(x[i] * times) : 0) + 0x808080;
    to[0].digits[i] = static_cast<std::int8_t>((bytes >> 16 & 255) - 128);
    to[1].digits[i] = static_cast<std::int8_t>((bytes >> 8 & 255) - 128);
    to[2].digits[i] = static_cast<std::int8_t>((bytes & 255) - 128);
  }
}

void PackedFactor::set_sums(const float* x, Index span) {
  float *of_16 = nth(sums_of_16_, span).floats, *of_32 = nth(sums_of_32_, span).floats;
  for (Index group = 0; group < 16; ++group) {
    of_16[group] = 0;
    for (Index i = 0; i < 16; ++i) of_16[group] += x[16 * group + i];
  }
  for (Index group = 0; group < 8; ++group) {
    of_32[group] = 0;
    of_32[8 + group] = of_16[2 * group] + of_16[2 * group + 1];
  }
}

}  // namespace headlight
