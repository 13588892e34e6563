#include "model/core/random.h"

#include <cmath>
#include <numbers>

namespace headlight {

namespace {
// Salmon et al. 2011, table 2.
constexpr std::uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> x, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kMultiplier0 * x[0], p1 = kMultiplier1 * x[2];
    x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return x;
}

Random::Random(std::uint64_t seed, Stream stream, std::uint32_t substream)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      stream_(static_cast<std::uint32_t>(stream)),
      substream_(substream) {}

std::uint32_t Random::bits() {
  const std::uint64_t index = counter_ / 4;
  if (index != block_index_) {
    block_ =
        philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), stream_, substream_}, key_);
    block_index_ = index;
  }
  return block_[counter_++ % 4];
}

namespace {

// Consecutive blocks side by side, as many as fill a few vector registers.
constexpr std::size_t kTogether = 32;

void philox_blocks(std::uint64_t index, std::uint32_t stream, std::uint32_t substream, std::array<std::uint32_t, 2> key,
                   std::uint32_t* out) {
  std::array<std::array<std::uint32_t, kTogether>, 4> x;
  for (std::size_t i = 0; i < kTogether; ++i) {
    x[0][i] = static_cast<std::uint32_t>(index + i);
    x[1][i] = static_cast<std::uint32_t>((index + i) >> 32);
    x[2][i] = stream;
    x[3][i] = substream;
  }
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < kTogether; ++i) {
      const std::uint64_t p0 = kMultiplier0 * x[0][i], p1 = kMultiplier1 * x[2][i];
      x[0][i] = static_cast<std::uint32_t>(p1 >> 32) ^ x[1][i] ^ key[0];
      x[1][i] = static_cast<std::uint32_t>(p1);
      x[2][i] = static_cast<std::uint32_t>(p0 >> 32) ^ x[3][i] ^ key[1];
      x[3][i] = static_cast<std::uint32_t>(p0);
    }
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  for (std::size_t i = 0; i < kTogether; ++i)
    for (std::size_t j = 0; j < 4; ++j) out[4 * i + j] = x[j][i];
}

}  // namespace

void Random::bits(std::uint32_t* out, std::size_t count) {
  constexpr std::size_t kMany = 4 * kTogether;
  for (; count > 0 && (counter_ % 4 != 0 || count < kMany); --count) *out++ = bits();
  for (; count >= kMany; count -= kMany, out += kMany, counter_ += kMany)
    philox_blocks(counter_ / 4, stream_, substream_, key_, out);
  for (; count > 0; --count) *out++ = bits();
}

double Random::uniform() { return bits() * 0x1p-32; }

double Random::normal() {
  // 1 − u lies in (0, 1], so that the logarithm is finite.
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint32_t Random::below(std::uint32_t bound) {
  const std::uint32_t limit = -bound % bound;  // 2^32 mod bound: draws below it would make small values likelier
  for (;;) {
    const std::uint64_t wide = std::uint64_t{bits()} * bound;
    if (static_cast<std::uint32_t>(wide) >= limit) return static_cast<std::uint32_t>(wide >> 32);
  }
}

}  // namespace headlight
