#include "model/io/formats/gguf/gguf_types.h"

#include <cmath>

#include "model/io/formats/gguf/gguf_blocks.h"

namespace headlight::gguf {

namespace {

// The low half of a byte, or the high one.
int nibble(unsigned char byte, std::size_t high) { return byte >> (4 * high) & 15; }
// Two bits each: 32 bytes hold the same place of four runs of 32 values.
int two_bits(Bytes b, std::size_t at, std::size_t i) {
  return b[at + 32 * (i / 128) + i % 32] >> (2 * (i % 128 / 32)) & 3;
}

// Of each block its values, by a formula of block and place.
template <std::size_t values, std::size_t bytes, float (*value)(Bytes block, std::size_t i)>
void widen_by(Bytes from, std::size_t blocks, float* to) {
  for (std::size_t b = 0; b < blocks; ++b, from += bytes)
    for (std::size_t i = 0; i < values; ++i) *to++ = value(from, i);
}

// Five values of three in a byte: the n-th is the first digit of byte · 3ⁿ, read as a share of 256.
float tq1_0(Bytes b, std::size_t i) {
  constexpr int kPowers[] = {1, 3, 9, 27, 81};
  const std::size_t r = i < 160   ? i
                        : i < 240 ? i - 160
                                  : i - 240,
                    width = i < 160   ? 32
                            : i < 240 ? 16
                                      : 4,
                    begin = i < 160   ? 0
                            : i < 240 ? 32
                                      : 48;
  const int shifted = b[begin + r % width] * kPowers[r / width] & 255;
  return half_at(b, 52) * static_cast<float>((shifted * 3 >> 8) - 1);
}
float tq2_0(Bytes b, std::size_t i) { return half_at(b, 64) * static_cast<float>(two_bits(b, 0, i) - 1); }
// A number of eight bits, four of them its exponent; there is no infinity.
float e4m3(int x) {
  if (x == 0 || x == 127) return 0;
  const int e = x >> 3, m = x & 7;
  return e == 0 ? static_cast<float>(m) / 512 : std::ldexp(1 + static_cast<float>(m) / 8, e - 7);
}
float nvfp4(Bytes b, std::size_t i) {
  const std::size_t g = i / 16, r = i % 16;
  return 0.5f * e4m3(b[g]) * static_cast<float>(kE2M1[nibble(b[4 + 8 * g + r % 8], r / 8)]);
}
float q1_0(Bytes b, std::size_t i) { return (b[2 + i / 8] >> (i % 8) & 1) ? half_at(b, 0) : -half_at(b, 0); }

const BlockType kTypes[] = {
    {0, "F32", 1, 4, nullptr, nullptr, true},
    {1, "F16", 1, 2, nullptr, nullptr, true},
    {2, "Q4_0", 32, 18, widen_32<Q40>, multiply_32<Q40>},
    {3, "Q4_1", 32, 20, widen_32<Q41>, multiply_32<Q41>},
    {6, "Q5_0", 32, 22, widen_32<Q50>, multiply_32<Q50>},
    {7, "Q5_1", 32, 24, widen_32<Q51>, multiply_32<Q51>},
    {8, "Q8_0", 32, 34, widen_32<Q80>, multiply_32<Q80>},
    {10, "Q2_K", 256, 84, widen_k<Q2K>, multiply_k<Q2K>},
    {11, "Q3_K", 256, 110, widen_k<Q3K>, multiply_k<Q3K>},
    {12, "Q4_K", 256, 144, widen_k<Q4K>, multiply_k<Q4K>},
    {13, "Q5_K", 256, 176, widen_k<Q5K>, multiply_k<Q5K>},
    {14, "Q6_K", 256, 210, widen_k<Q6K>, multiply_k<Q6K>},
    {16, "IQ2_XXS", 256, 66, nullptr},
    {17, "IQ2_XS", 256, 74, nullptr},
    {18, "IQ3_XXS", 256, 98, nullptr},
    {19, "IQ1_S", 256, 50, nullptr},
    {20, "IQ4_NL", 32, 18, widen_32<IQ4NL>, multiply_32<IQ4NL>},
    {21, "IQ3_S", 256, 110, nullptr},
    {22, "IQ2_S", 256, 82, nullptr},
    {23, "IQ4_XS", 256, 136, widen_32<IQ4XS>, multiply_32<IQ4XS>},
    {24, "I8", 1, 1, nullptr, nullptr, true},
    {25, "I16", 1, 2, nullptr, nullptr, true},
    {26, "I32", 1, 4, nullptr, nullptr, true},
    {27, "I64", 1, 8, nullptr, nullptr, true},
    {28, "F64", 1, 8, nullptr, nullptr, true},
    {29, "IQ1_M", 256, 56, nullptr},
    {30, "BF16", 1, 2, nullptr, nullptr, true},
    {34, "TQ1_0", 256, 54, widen_by<256, 54, tq1_0>},
    {35, "TQ2_0", 256, 66, widen_by<256, 66, tq2_0>},
    {39, "MXFP4", 32, 17, widen_32<MXFP4>, multiply_32<MXFP4>},
    {40, "NVFP4", 64, 36, widen_by<64, 36, nvfp4>},
    {41, "Q1_0", 128, 18, widen_by<128, 18, q1_0>},
};

}  // namespace

const BlockType* block_type(std::uint32_t number) {
  for (const BlockType& type : kTypes)
    if (type.number == number) return &type;
  return nullptr;
}

std::string why_no_type(std::uint32_t number) {
  const std::string said = "type " + std::to_string(number);
  if (number == 4 || number == 5) return said + " (Q4_" + std::to_string(number - 2) + "), which was withdrawn";
  if ((number >= 31 && number <= 33) || (number >= 36 && number <= 38)) return said + ", which was withdrawn";
  if (number == 9 || number == 15)
    return said + (number == 9 ? " (Q8_1)" : " (Q8_K)") + ", which is of computing and never lies in files";
  if (number == 42) return said + " (Q2_0), which is not read";
  return said + ", which is not known";
}

}  // namespace headlight::gguf
