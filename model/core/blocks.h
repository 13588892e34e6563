// The innermost part of every product: a block of its result in the vector registers of the machine that this was
// compiled for.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "model/core/halves.h"
#include "model/core/scalar.h"

namespace headlight::blocks {

// One register is kBytes; kRows x kVectors of them hold a block of a product's result; some are left for a row of W and
// a broadcast.
#if defined(__AVX512F__)
constexpr int kBytes = 64, kRows = 12, kVectors = 2;
#elif defined(__AVX__)
constexpr int kBytes = 32, kRows = 6, kVectors = 2;
#else
constexpr int kBytes = 16, kRows = 4, kVectors = 2;
#endif
constexpr int kLanes = kBytes / static_cast<int>(sizeof(Scalar));
constexpr int kWidth = kVectors * kLanes;  // columns of a block

typedef Scalar Vector __attribute__((vector_size(kBytes)));

inline Vector load(const Scalar* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(const Vector& v, Scalar* to) { std::memcpy(to, &v, sizeof v); }

// The sum of all lanes of a vector, four at a time.
template <class Lanes>
inline auto sum_of(const Lanes& lanes) {
  if constexpr (sizeof(lanes) < 4 * sizeof(lanes[0])) return lanes[0] + lanes[1];
  typedef std::remove_cvref_t<decltype(lanes[0])> Four __attribute__((vector_size(4 * sizeof(lanes[0]))));
  Four fours[sizeof(lanes) / sizeof(Four)];
  std::memcpy(fours, &lanes, sizeof(lanes));
  for (std::size_t n = std::size(fours) / 2; n > 0; n /= 2)
    for (std::size_t i = 0; i < n; ++i) fours[i] += fours[i + n];
  return fours[0][0] + fours[0][1] + (fours[0][2] + fours[0][3]);
}

// Numbers of half precision become Scalars on the way into a register.
typedef float Floats __attribute__((vector_size(4 * kLanes)));
typedef std::uint32_t Words __attribute__((vector_size(4 * kLanes)));
typedef std::uint16_t HalfWords __attribute__((vector_size(2 * kLanes)));

inline Words load_words(const std::uint16_t* from) {
  HalfWords halves;
  std::memcpy(&halves, from, sizeof halves);
  return __builtin_convertvector(halves, Words);
}
inline Vector load(const BFloat16* from) {
  return __builtin_convertvector(reinterpret_cast<Floats>(load_words(&from->bits) << 16), Vector);
}
inline Vector load(const Float16* from) {
#if defined(__AVX512F__)
  if constexpr (kLanes == 16) {
    __m256i halves;
    std::memcpy(&halves, from, sizeof halves);
    return reinterpret_cast<Vector>(_mm512_maskz_cvtph_ps(0xffff, halves));  // without the mask, GCC warns
  }
#elif defined(__F16C__)
  if constexpr (kLanes == 8) {
    __m128i halves;
    std::memcpy(&halves, from, sizeof halves);
    return reinterpret_cast<Vector>(_mm256_cvtph_ps(halves));
  }
#endif
  const Words halves = load_words(&from->bits), magnitude = halves & 0x7fff;
  const Words scaled = reinterpret_cast<Words>(reinterpret_cast<Floats>(magnitude << 13) * 0x1p112f);
  const Words infinite_or_nan = reinterpret_cast<Words>(magnitude >= 0x7c00) & 0x7f800000;
  return __builtin_convertvector(reinterpret_cast<Floats>(scaled | infinite_or_nan | (halves & 0x8000) << 16), Vector);
}

inline Scalar scalar(Scalar x) { return x; }
template <class Half>
Scalar scalar(Half x) {
  return static_cast<Scalar>(widened(x));
}

// As std::copy_n.
inline void copy(const Scalar* from, Index count, Scalar* to) { std::copy_n(from, count, to); }
template <class Half>
void copy(const Half* from, Index count, Scalar* to) {
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes) store(load(from + i), to + i);
  for (; i < count; ++i) to[i] = scalar(from[i]);
}

constexpr Index kAhead = 40;  // rows of W that are fetched before they are needed, as memory is far

// Where the sums begin: a null pointer (zeros), a row for all (step 0), or a matrix.
struct Start {
  const Scalar* at;
  Index step;
  Start from(Index row, Index column) const { return {at ? at + row * step + column : nullptr, step}; }
};

enum class Panel { ready, first, only };  // laid out; to be laid out on the way; read straight from W

// y [rows x kWidth] = x · W + start; x [K x rows], W [K x kWidth] of Scalars or halves with rows `w_step` apart.
template <int rows, Panel panel, class Number>
void block(Index k_count, const Scalar* x, const Number* w, Index w_step, Scalar* laid_out, Start start, Scalar* y,
           Index y_step) {
  Vector sum[rows][kVectors];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < kVectors; ++j) sum[i][j] = start.at ? load(start.at + i * start.step + j * kLanes) : Vector{};
  for (Index k = 0; k < k_count; ++k) {
    Vector row[kVectors];
    for (int j = 0; j < kVectors; ++j) {
      if (panel == Panel::ready) {
        row[j] = load(w + k * kWidth + j * kLanes);
      } else {
        __builtin_prefetch(w + (k + kAhead) * w_step + j * kLanes, 0, 2);
        row[j] = load(w + k * w_step + j * kLanes);
      }
      if (panel == Panel::first) store(row[j], laid_out + k * kWidth + j * kLanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      const Scalar factor = x[k * rows + i];
      for (int j = 0; j < kVectors; ++j) sum[i][j] += factor * row[j];
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < kVectors; ++j) store(sum[i][j], y + i * y_step + j * kLanes);
}

template <class Number>
using Block = void (*)(Index, const Scalar*, const Number*, Index, Scalar*, Start, Scalar*, Index);
template <Panel panel, class Number, int... i>
constexpr std::array<Block<Number>, sizeof...(i)> blocks_of(std::integer_sequence<int, i...>) {
  return {block<i + 1, panel, Number>...};
}
template <Panel panel, class Number = Scalar>
inline constexpr auto kBlocks = blocks_of<panel, Number>(std::make_integer_sequence<int, kRows>());

// Four rows of four numbers, `from_step` apart -> the same as columns of rows `to_step` apart.
inline void transpose_four(const Scalar* from, Index from_step, Scalar* to, Index to_step) {
  typedef Scalar Four __attribute__((vector_size(4 * sizeof(Scalar))));
  Four row[4];
  for (int i = 0; i < 4; ++i) std::memcpy(&row[i], from + i * from_step, sizeof row[i]);
  const Four a = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5),
             b = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
  const Four c = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7),
             d = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
  const Four column[4] = {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
                          __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
  for (int k = 0; k < 4; ++k) std::memcpy(to + k * to_step, &column[k], sizeof column[k]);
}

// The left side of a product, [count x k] or (transposed) [k x count], and where its blocks of rows begin.
struct Rows {
  const Scalar* at;
  Index count, k;
  bool transposed = false;

  Index block_count() const { return (count + kRows - 1) / kRows; }
  Index first(Index block) const { return std::min(count, block * kRows); }
};

// Rows [begin, begin + count) -> [k x count]
inline void lay_out_rows(const Rows& x, Index begin, Index count, Scalar* to) {
  if (x.transposed) {
    for (Index k = 0; k < x.k; ++k) std::copy_n(x.at + k * x.count + begin, count, to + k * count);
    return;
  }
  const Scalar* from = x.at + begin * x.k;
  const Index i_whole = count / 4 * 4, k_whole = x.k / 4 * 4;
  for (Index k = 0; k < k_whole; k += 4)
    for (Index i = 0; i < i_whole; i += 4) transpose_four(from + i * x.k + k, x.k, to + k * count + i, count);
  for (Index i = 0; i < count; ++i)
    for (Index k = i < i_whole ? k_whole : 0; k < x.k; ++k) to[k * count + i] = from[i * x.k + k];
}

// The last panel sticks out over the result: only `width` columns of it are there.
inline void edge_block(Index rows, Index k_count, const Scalar* x, const Scalar* panel, Start start, Index width,
                       Scalar* y, Index y_step) {
  Scalar edge[kRows * kWidth] = {};
  for (Index i = 0; start.at && i < rows; ++i) std::copy_n(start.at + i * start.step, width, edge + i * kWidth);
  kBlocks<Panel::ready>[static_cast<std::size_t>(rows - 1)](k_count, x, panel, kWidth, nullptr, {edge, kWidth}, edge,
                                                            kWidth);
  for (Index i = 0; i < rows; ++i) std::copy_n(edge + i * kWidth, width, y + i * y_step);
}

// Memory that a thread keeps for its next product.
inline Scalar* scratch(std::vector<Scalar>& memory, Index size) {
  if (static_cast<Index>(memory.size()) < size) memory.resize(static_cast<std::size_t>(size));
  return memory.data();
}

}  // namespace headlight::blocks
