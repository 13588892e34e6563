// Blocks of quantised weights as processors read them: a register of weights at a time, each a byte, and a scale for
// each group of them. One description of a type serves widening to float32 and products with a vector.
//
// "K types" have 256 weights in a block: (byte - kLess) · scale - least, with a scale for each group of 16 or 32.
// Others have groups of 32, of each two halves of 16: byte · scale + least.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__SSSE3__)
#include <immintrin.h>
#endif

#include "model/core/blocks.h"
#include "model/core/halves.h"
#include "model/core/packed_factor.h"

namespace headlight::gguf {

using Bytes = const unsigned char*;

// Nothing outside of this folder's sources sees such vectors, so that they may be wider than what the processor
// returns.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

// As wide as a register: so many weights are multiplied at a time.
#if defined(__AVX512VNNI__) && defined(__AVX512BW__)
constexpr int kWide = 64;
#elif defined(__AVX2__)
constexpr int kWide = 32;
#else
constexpr int kWide = 16;
#endif
constexpr int kLanes = kWide / 4;  // of sums

typedef std::uint8_t Bytes16 __attribute__((vector_size(16)));
typedef std::int8_t Signed16 __attribute__((vector_size(16)));
typedef std::uint8_t Weights __attribute__((vector_size(kWide)));
typedef std::int8_t Digits __attribute__((vector_size(kWide)));
typedef std::uint16_t Words __attribute__((vector_size(kWide)));
typedef std::int16_t Shorts __attribute__((vector_size(kWide)));
typedef std::int32_t Sums __attribute__((vector_size(kWide)));
typedef float Floats __attribute__((vector_size(kWide)));

template <class All, class Number>
inline All all_of(const Number* at) {
  All all;
  std::memcpy(&all, at, sizeof(all));
  return all;
}
inline float half_at(Bytes b, std::size_t at) {
  const auto bits = static_cast<std::uint16_t>(b[at] | b[at + 1] << 8);
#if defined(__F16C__)
  return _cvtsh_ss(bits);
#else
  return widened(Float16{bits});
#endif
}

struct Sixteen {
  static constexpr int kParts = 16 / kLanes;
  Floats part[kParts];

  float operator[](int i) const { return part[i / kLanes][i % kLanes]; }
};
inline Sixteen operator*(Sixteen all, float by) {
  for (Floats& part : all.part) part *= by;
  return all;
}
template <class Bytes>
inline Sixteen as_floats(Bytes numbers) {
  Sixteen all;
#if defined(__AVX2__)
  const auto bytes = reinterpret_cast<__m128i>(numbers);
  constexpr bool kSigned = std::is_same_v<Bytes, Signed16>;
#endif
#if defined(__AVX512VNNI__) && defined(__AVX512BW__)
  const auto ints = kSigned ? _mm512_maskz_cvtepi8_epi32(0xffff, bytes) : _mm512_maskz_cvtepu8_epi32(0xffff, bytes);
  all.part[0] = __builtin_convertvector(reinterpret_cast<Sums>(ints), Floats);
#elif defined(__AVX2__)
  for (int i = 0; i < 2; ++i) {
    const auto half = i == 0 ? bytes : _mm_unpackhi_epi64(bytes, bytes);
    const auto ints = kSigned ? _mm256_cvtepi8_epi32(half) : _mm256_cvtepu8_epi32(half);
    all.part[i] = __builtin_convertvector(reinterpret_cast<Sums>(ints), Floats);
  }
#else
  float floats[16];
  for (int i = 0; i < 16; ++i) floats[i] = static_cast<float>(numbers[i]);
  std::memcpy(&all, floats, sizeof(floats));
#endif
  return all;
}

// 32 bytes, in each half of a register that is twice as wide.
inline Words twice_of(Bytes b) {
#if defined(__AVX512VNNI__) && defined(__AVX512BW__)
  return reinterpret_cast<Words>(_mm512_maskz_broadcast_i64x4(0xff, all_of<__m256i>(b)));
#else
  return all_of<Words>(b);  // never: registers are narrower
#endif
}

// Numbers [i, i + kWide) of a field of `bits` bits, which lie in rows of `row` bytes: in the lowest bits of all bytes
// of a row, then in the next ones. Above them are other numbers.
template <int i, int row, int bits>
inline Weights field(Bytes b) {
  constexpr int kOfRow = row * 8 / bits, kShift = i % kOfRow / row * bits;
  b += i / kOfRow * row + i % row;
  if constexpr (kWide <= row) {
    return reinterpret_cast<Weights>(all_of<Words>(b) >> kShift);
  } else {
    const Words twice = twice_of(b);
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return reinterpret_cast<Weights>(twice >> Words{static_cast<std::uint16_t>(k < 16 ? kShift : kShift + bits)...});
    }
    (std::make_index_sequence<32>());
  }
}

// Scales in places 0 to 15, or (groups of 32) 0 to 7, and the least values in 0 to 15 or 8 to 15.
struct Factors {
  Sixteen scales, leasts;
};

// Six bits each of eight scales and eight least values, in twelve bytes.
inline Bytes16 six_bits(Bytes s) {
  std::uint32_t a, b, c;
  std::memcpy(&a, s, 4);
  std::memcpy(&b, s + 4, 4);
  std::memcpy(&c, s + 8, 4);
  const std::uint32_t all[] = {a & 0x3f3f3f3f, (c & 0x0f0f0f0f) | (a >> 6 & 0x03030303) << 4, b & 0x3f3f3f3f,
                               (c >> 4 & 0x0f0f0f0f) | (b >> 6 & 0x03030303) << 4};
  return all_of<Bytes16>(all);
}
inline Factors scaled_six_bits(Bytes b) {
  Sixteen both = as_floats(six_bits(b + 4));
  const float d = half_at(b, 0), m = half_at(b, 2);
  for (int i = 0; i < 16; i += kLanes)
    for (int k = 0; k < kLanes; ++k) both.part[i / kLanes][k] *= i + k < 8 ? d : m;
  return {both, both};
}

struct Q2K {
  static constexpr int kBytes = 84, kGroup = 16, kLess = 0;
  static constexpr bool kLeast = true;
  template <int i>
  static Weights weights(Bytes b) {
    return field<i, 32, 2>(b + 16) & 3;
  }
  static Factors factors(Bytes b) {
    const auto both = all_of<Bytes16>(b);
    return {as_floats(both & 15) * half_at(b, 80), as_floats(both >> 4) * half_at(b, 82)};
  }
};

struct Q3K {
  static constexpr int kBytes = 110, kGroup = 16, kLess = 4;
  static constexpr bool kLeast = false;
  template <int i>
  static Weights weights(Bytes b) {
    return (field<i, 32, 2>(b + 32) & 3) | (field<i, 32, 1>(b) & 1) << 2;
  }
  static Factors factors(Bytes b) {
    std::uint32_t low[2], high, all[4];
    std::memcpy(low, b + 96, 8);
    std::memcpy(&high, b + 104, 4);
    for (int i = 0; i < 4; ++i) all[i] = (low[i % 2] >> (i / 2 * 4) & 0x0f0f0f0f) | (high >> (2 * i) & 0x03030303) << 4;
    return {as_floats(reinterpret_cast<Signed16>(all_of<Bytes16>(all) - 32)) * half_at(b, 108), {}};
  }
};

struct Q4K {
  static constexpr int kBytes = 144, kGroup = 32, kLess = 0;
  static constexpr bool kLeast = true;
  template <int i>
  static Weights weights(Bytes b) {
    return field<i, 32, 4>(b + 16) & 15;
  }
  static Factors factors(Bytes b) { return scaled_six_bits(b); }
};

struct Q5K {
  static constexpr int kBytes = 176, kGroup = 32, kLess = 0;
  static constexpr bool kLeast = true;
  template <int i>
  static Weights weights(Bytes b) {
    return (field<i, 32, 4>(b + 48) & 15) | (field<i, 32, 1>(b + 16) & 1) << 4;
  }
  static Factors factors(Bytes b) { return scaled_six_bits(b); }
};

struct Q6K {
  static constexpr int kBytes = 210, kGroup = 16, kLess = 32;
  static constexpr bool kLeast = false;
  template <int i>
  static Weights weights(Bytes b) {
    return (field<i, 64, 4>(b) & 15) | (field<i, 32, 2>(b + 128) & 3) << 4;
  }
  static Factors factors(Bytes b) { return {as_floats(all_of<Signed16>(b + 192)) * half_at(b, 208), {}}; }
};

// A block of 32 with one scale in front.
template <int bytes>
struct Block32 {
  static constexpr int kBytes = bytes, kGroups = 1;
  static constexpr bool kLeast = false;
  static float scale(Bytes b, int) { return half_at(b, 0); }
  static float least(Bytes, int) { return 0; }
};

// Of sixteen bytes the lower halves, or the upper ones.
inline Bytes16 nibbles(Bytes b, int half) {
  const auto both = all_of<Bytes16>(b);
  return half == 0 ? both & 15 : both >> 4;
}
// Sixteen bits as 0 or 16 each.
inline Bytes16 fifth_bits(Bytes b) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  constexpr Bytes16 kBits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const std::uint64_t spread[] = {b[0] * kEach, b[1] * kEach};
  return reinterpret_cast<Bytes16>((all_of<Bytes16>(spread) & kBits) != 0) & 16;
}
// table[at], for places of at most 15.
inline Signed16 looked_up(const Signed16& table, Bytes16 at) {
#if defined(__SSSE3__)
  return reinterpret_cast<Signed16>(_mm_shuffle_epi8(reinterpret_cast<__m128i>(table), reinterpret_cast<__m128i>(at)));
#else
  Signed16 found;
  for (int i = 0; i < 16; ++i) found[i] = table[at[i]];
  return found;
#endif
}

constexpr Signed16 kUneven = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
// Numbers of four bits with an exponent of two (E2M1), doubled.
constexpr Signed16 kE2M1 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

struct Q40 : Block32<18> {
  static Signed16 weights(Bytes b, int half) { return reinterpret_cast<Signed16>(nibbles(b + 2, half) - 8); }
};

struct Q41 : Block32<20> {
  static constexpr bool kLeast = true;
  static Signed16 weights(Bytes b, int half) { return reinterpret_cast<Signed16>(nibbles(b + 4, half)); }
  static float least(Bytes b, int) { return half_at(b, 2); }
};

struct Q50 : Block32<22> {
  static Signed16 weights(Bytes b, int half) {
    return reinterpret_cast<Signed16>((nibbles(b + 6, half) | fifth_bits(b + 2 + 2 * half)) - 16);
  }
};

struct Q51 : Block32<24> {
  static constexpr bool kLeast = true;
  static Signed16 weights(Bytes b, int half) {
    return reinterpret_cast<Signed16>(nibbles(b + 8, half) | fifth_bits(b + 4 + 2 * half));
  }
  static float least(Bytes b, int) { return half_at(b, 2); }
};

struct Q80 : Block32<34> {
  static Signed16 weights(Bytes b, int half) { return all_of<Signed16>(b + 2 + 16 * half); }
};

struct IQ4NL : Block32<18> {
  static Signed16 weights(Bytes b, int half) { return looked_up(kUneven, nibbles(b + 2, half)); }
};

struct IQ4XS : Block32<136> {
  static constexpr int kGroups = 8;
  static Signed16 weights(Bytes b, int half) { return looked_up(kUneven, nibbles(b + 8 + half / 2 * 16, half % 2)); }
  static float scale(Bytes b, int group) {
    const int high = b[2] | b[3] << 8, low = b[4 + group / 2] >> (group % 2 * 4) & 15;
    return half_at(b, 0) * static_cast<float>((low | (high >> (2 * group) & 3) << 4) - 32);
  }
};

struct MXFP4 : Block32<17> {
  static Signed16 weights(Bytes b, int half) { return looked_up(kE2M1, nibbles(b + 1, half)); }
  static float scale(Bytes b, int) { return std::ldexp(1.0f, b[0] - 128); }
};

// Calls f<0>(), f<kWide>() ... for all numbers of a block.
template <class F>
inline void for_each_run(F f) {
  [&]<int... n>(std::integer_sequence<int, n...>) { (f.template operator()<n * kWide>(), ...); }
  (std::make_integer_sequence<int, 256 / kWide>());
}

// --- widening

template <class Type>
void widen_k(Bytes b, std::size_t blocks, float* to) {
  for (; blocks > 0; --blocks, b += Type::kBytes, to += 256) {
    const Factors factors = Type::factors(b);
    for_each_run([&]<int i>() {
      const auto weights = Type::template weights<i>(b) - Type::kLess;
      Signed16 sixteens[kWide / 16];
      std::memcpy(sixteens, &weights, sizeof(weights));
      for (int k = 0; k < kWide; k += 16) {
        const int group = (i + k) / Type::kGroup;
        Sixteen numbers = as_floats(sixteens[k / 16]) * factors.scales[group];
        if (Type::kLeast)
          for (Floats& part : numbers.part) part -= factors.leasts[Type::kGroup == 32 ? 8 + group : group];
        std::memcpy(to + i + k, &numbers, sizeof(numbers));
      }
    });
  }
}

template <class Type>
void widen_32(Bytes b, std::size_t blocks, float* to) {
  for (; blocks > 0; --blocks, b += Type::kBytes)
    for (int half = 0; half < 2 * Type::kGroups; ++half, to += 16) {
      Sixteen numbers = as_floats(Type::weights(b, half)) * Type::scale(b, half / 2);
      if (Type::kLeast)
        for (Floats& part : numbers.part) part += Type::least(b, half / 2);
      std::memcpy(to, &numbers, sizeof(numbers));
    }
}

// --- products: a row of blocks times x, the sum of all

constexpr int kAhead = 4096;  // bytes that are fetched before they are needed, as memory is far

// Of each four weights and digits the sum of their products, added to `sum`. Weights of at most 63.
inline Sums add_products(Sums sum, Weights weights, Digits digits) {
#if defined(__AVX512VNNI__) && defined(__AVX512BW__)
  return reinterpret_cast<Sums>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(weights),
                                                    reinterpret_cast<__m512i>(digits)));
#elif defined(__AVXVNNI__)
  return reinterpret_cast<Sums>(_mm256_dpbusd_avx_epi32(
      reinterpret_cast<__m256i>(sum), reinterpret_cast<__m256i>(weights), reinterpret_cast<__m256i>(digits)));
#elif defined(__AVX2__)
  const auto pairs = _mm256_maddubs_epi16(reinterpret_cast<__m256i>(weights), reinterpret_cast<__m256i>(digits));
  return sum + reinterpret_cast<Sums>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#elif defined(__SSSE3__)
  const auto pairs = _mm_maddubs_epi16(reinterpret_cast<__m128i>(weights), reinterpret_cast<__m128i>(digits));
  return sum + reinterpret_cast<Sums>(_mm_madd_epi16(pairs, _mm_set1_epi16(1)));
#else
  const auto w = reinterpret_cast<Shorts>(weights), d = reinterpret_cast<Shorts>(digits);
  const auto pairs = reinterpret_cast<Sums>((w & 255) * (d << 8 >> 8) + (w >> 8) * (d >> 8));
  return sum + (pairs << 16 >> 16) + (pairs >> 16);
#endif
}

// Of numbers [i, i + kWide) the scale of each sum of four.
template <int i, int group>
inline Floats spread(const Sixteen& scales) {
  return [&]<int... lane>(std::integer_sequence<int, lane...>) {
    if constexpr (kLanes == 16)
      return __builtin_shufflevector(scales.part[0], scales.part[0], ((i + 4 * lane) / group)...);
    return Floats{scales[(i + 4 * lane) / group]...};
  }
  (std::make_integer_sequence<int, kLanes>());
}

template <class Type>
float multiply_32(Bytes b, std::size_t blocks, const PackedFactor& x) {
  const float* numbers = x.numbers();
  Floats sums[2] = {};
  for (std::size_t block = 0; block < blocks; ++block, b += Type::kBytes)
    for (int group = 0; group < Type::kGroups; ++group) {
      if (group % 4 == 0) __builtin_prefetch(b + kAhead + group / 4 * 64, 0, 2);
      Floats sum = {}, all = {};
      for (int half = 0; half < 2; ++half)
        for (const Floats& part : as_floats(Type::weights(b, 2 * group + half)).part) {
          const auto x_part = all_of<Floats>(numbers);
          sum += part * x_part;
          if (Type::kLeast) all += x_part;
          numbers += kLanes;
        }
      Floats& of_both = sums[(block + static_cast<std::size_t>(group)) % 2];
      of_both += sum * Type::scale(b, group);
      if (Type::kLeast) of_both += all * Type::least(b, group);
    }
  return blocks::sum_of(sums[0] + sums[1]);
}

template <class Type>
float multiply_k(Bytes b, std::size_t blocks, const PackedFactor& x) {
  const std::int8_t* digits = x.digits();
  const float *unit = x.units(), *of_groups = Type::kGroup == 32 ? x.sums_of_32() : x.sums_of_16();
  Floats sums[2] = {}, less = {};
  for (; blocks > 0; --blocks, b += Type::kBytes, digits += 256 * PackedFactor::kDigits, of_groups += 16, unit += 4) {
    for (int i = 0; i < Type::kBytes; i += 64) __builtin_prefetch(b + kAhead + i, 0, 2);
    const Factors factors = Type::factors(b);
    for (int part = 0; part < Sixteen::kParts; ++part) {
      const auto of_group = all_of<Floats>(of_groups + part * kLanes);
      if (Type::kLeast) less += factors.leasts.part[part] * of_group;
      if (Type::kLess > 0) less += factors.scales.part[part] * of_group * static_cast<float>(Type::kLess);
    }
    for_each_run([&]<int i>() {
      const Weights weights = Type::template weights<i>(b);
      const std::int8_t* of_run = digits + i / PackedFactor::kRun * PackedFactor::kRun * PackedFactor::kDigits;
      Sums whole = {};
      for (Index digit = 0; digit < PackedFactor::kDigits; ++digit, of_run += PackedFactor::kRun)
        whole = add_products(whole << 8, weights, all_of<Digits>(of_run + i % PackedFactor::kRun));
      sums[i / kWide % 2] += __builtin_convertvector(whole, Floats) * unit[i / PackedFactor::kRun] *
                             spread<i, Type::kGroup>(factors.scales);
    });
  }
  return blocks::sum_of(sums[0] + sums[1] - less);
}

#pragma GCC diagnostic pop

}  // namespace headlight::gguf
