#include "model/io/half.h"

#include <bit>
#include <cmath>

#include "model/core/halves.h"

namespace headlight {

namespace {

constexpr int kMantissa = 52;  // of a double
constexpr int kHalfMantissa = 10;
constexpr int kHalfBias = 15;
constexpr int kLeastExponent = -14;  // of a normal float16

// value / 2^shift, to the nearest, ties to even.
std::uint64_t shifted(std::uint64_t value, int shift) {
  const std::uint64_t whole = value >> shift;
  const std::uint64_t rest = value & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  return whole + (rest > half || (rest == half && (whole & 1)) ? 1 : 0);
}

}  // namespace

std::uint16_t to_half(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 63) << 15);
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << kMantissa) - 1);
  const int exponent = static_cast<int>((bits >> kMantissa) & 0x7ff) - 1023;
  std::uint64_t magnitude = 0;
  if (std::isnan(value)) {
    magnitude = 0x7e00;
  } else if (exponent > kHalfBias) {
    magnitude = 0x7c00;
  } else if (exponent >= kLeastExponent) {
    // A carry out of the mantissa raises the exponent, up to infinity: the encoding is made for it.
    magnitude =
        shifted((static_cast<std::uint64_t>(exponent + kHalfBias) << kMantissa) | mantissa, kMantissa - kHalfMantissa);
  } else if (exponent >= kLeastExponent - kHalfMantissa - 1) {
    magnitude =
        shifted((std::uint64_t{1} << kMantissa) | mantissa, kMantissa - kHalfMantissa + kLeastExponent - exponent);
  }
  return static_cast<std::uint16_t>(sign | magnitude);
}

double from_half(std::uint16_t bits) { return static_cast<double>(widened(Float16{bits})); }
double from_bfloat16(std::uint16_t bits) { return static_cast<double>(widened(BFloat16{bits})); }

}  // namespace headlight
