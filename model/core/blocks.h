// The innermost part of every product: a block of its result in the vector registers of the machine that this was
// compiled for.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

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

constexpr Index kAhead = 40;  // rows of W that are fetched before they are needed, as memory is far

// Where the sums begin: a null pointer (zeros), a row for all (step 0), or a matrix.
struct Start {
  const Scalar* at;
  Index step;
  Start from(Index row, Index column) const { return {at ? at + row * step + column : nullptr, step}; }
};

enum class Panel { ready, first, only };  // laid out; to be laid out on the way; read straight from W

// y [rows x kWidth] = x · W + start; x [K x rows], W [K x kWidth] with rows `w_step` apart.
template <int rows, Panel panel>
void block(Index k_count, const Scalar* x, const Scalar* w, Index w_step, Scalar* laid_out, Start start, Scalar* y,
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

using Block = void (*)(Index, const Scalar*, const Scalar*, Index, Scalar*, Start, Scalar*, Index);
template <Panel panel, int... i>
constexpr std::array<Block, sizeof...(i)> blocks_of(std::integer_sequence<int, i...>) {
  return {block<i + 1, panel>...};
}
template <Panel panel>
inline constexpr auto kBlocks = blocks_of<panel>(std::make_integer_sequence<int, kRows>());

// Four rows of four numbers, `from_step` apart -> the same as columns of rows `to_step` apart.
inline void transpose_four(const Scalar* from, Index from_step, Scalar* to, Index to_step) {
  typedef Scalar Four __attribute__((vector_size(4 * sizeof(Scalar))));
  using Whole = std::conditional_t<sizeof(Scalar) == 4, std::int32_t, std::int64_t>;
  typedef Whole Order __attribute__((vector_size(4 * sizeof(Whole))));
  Four row[4];
  for (int i = 0; i < 4; ++i) std::memcpy(&row[i], from + i * from_step, sizeof row[i]);
  const Order low = {0, 4, 1, 5}, high = {2, 6, 3, 7}, first = {0, 1, 4, 5}, second = {2, 3, 6, 7};
  const Four a = __builtin_shuffle(row[0], row[1], low), b = __builtin_shuffle(row[2], row[3], low);
  const Four c = __builtin_shuffle(row[0], row[1], high), d = __builtin_shuffle(row[2], row[3], high);
  const Four column[4] = {__builtin_shuffle(a, b, first), __builtin_shuffle(a, b, second),
                          __builtin_shuffle(c, d, first), __builtin_shuffle(c, d, second)};
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
