// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011): the n-th draw of a stream depends on seed, stream
// and n alone, so runs can be replayed and resumed from a counter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace headlight {

// One block of Philox 4x32-10.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

class Random {
 public:
  enum class Stream : std::uint32_t { init = 1, data = 2, dropout = 3, sample = 4, hard_attention = 5 };

  // `substream` tells apart independent uses of one stream (an epoch, say).
  Random(std::uint64_t seed, Stream stream, std::uint32_t substream = 0);

  std::uint32_t bits();  // 32 uniform bits
  // `count` of them, the same as one by one and faster.
  void bits(std::uint32_t* out, std::size_t count);
  double uniform();                          // [0, 1), 32 bits of it
  double normal();                           // Box-Muller from two uniforms, cosine branch only
  std::uint32_t below(std::uint32_t bound);  // [0, bound), unbiased (rejection)

  std::uint64_t counter() const { return counter_; }
  void seek(std::uint64_t counter) { counter_ = counter; }

 private:
  std::array<std::uint32_t, 2> key_;
  std::uint32_t stream_, substream_;
  std::uint64_t counter_ = 0;  // draws so far
  std::uint64_t block_index_ = ~0ull;
  std::array<std::uint32_t, 4> block_{};
};

}  // namespace headlight
