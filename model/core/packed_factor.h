// The vector that rows of quantised weights are multiplied by, in whole numbers.
//
// A number x of a span of 256 is v · unit, where `unit` is 2⁻²² of the span's largest magnitude and v is whole: as
// exact as a sum in float32 is. v = d₀ + 256 d₁ + 65536 d₂, with signed digits of eight bits. A processor multiplies 64
// of those by 64 weights of few bits in one instruction and adds four products each without rounding; widening the
// weights to float32 first takes three times as long (docs/figures.md).
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/scalar.h"

namespace headlight {

class PackedFactor {
 public:
  static constexpr Index kSpan = 256, kRun = 64, kDigits = 3;

  // x [count]. Digits and sums are of whole spans alone. Of a run with a number that is not finite the unit is NaN.
  void set(const Scalar* x, Index count);

  const float* numbers() const { return numbers_.data()->floats; }

  // Of each run of 64 numbers its digits, the highest first: 3 x 64.
  const std::int8_t* digits() const { return digits_.data()->digits; }
  // What 1 means in each run.
  const float* units() const { return units_.data(); }
  // Of each span 16 sums of 16 numbers; and 8 zeros before 8 sums of 32.
  const float* sums_of_16() const { return sums_of_16_.data()->floats; }
  const float* sums_of_32() const { return sums_of_32_.data()->floats; }

 private:
  // Each begins where a line of the cache begins: what crosses two is read half as fast.
  struct alignas(64) Digits {
    std::int8_t digits[kRun];
  };
  struct alignas(64) Floats {
    float floats[16];
  };
  void set_run(const float* x, Index run);
  void set_sums(const float* x, Index span);

  Index count_ = 0;
  std::vector<Floats> numbers_, sums_of_16_, sums_of_32_;
  std::vector<Digits> digits_;
  std::vector<float> units_;
};

}  // namespace headlight
