// float16 (IEEE 754 binary16) and bfloat16: the storage types of weight files.
#pragma once

#include <cstdint>

namespace headlight {

// Rounds to nearest, ties to even, straight from double (a detour through float32 would round twice). Too large becomes
// infinite, too small becomes a subnormal number or zero; the sign of zero and of infinity stays.
std::uint16_t to_half(double value);
double from_half(std::uint16_t bits);
double from_bfloat16(std::uint16_t bits);

}  // namespace headlight
