#include "model/core/panels.h"

#include <vector>

#include "model/core/blocks.h"

namespace headlight {

using namespace blocks;

void Panels::lay_out(const Side& w) {
  k_ = w.rows;
  m_ = w.columns;
  const Index count = (m_ + kWidth - 1) / kWidth;
  Scalar* panel = scratch(panels_, count * k_ * kWidth);
  for (Index c = 0; c < m_; c += kWidth, panel += k_ * kWidth) {
    const Index width = std::min<Index>(kWidth, m_ - c);
    if (width < kWidth) std::fill_n(panel, k_ * kWidth, Scalar(0));
    if (!w.transposed) {
      for (Index k = 0; k < k_; ++k) std::copy_n(w.at + k * m_ + c, width, panel + k * kWidth);
      continue;
    }
    const Index k_whole = k_ / 4 * 4, j_whole = width / 4 * 4;
    for (Index j = 0; j < j_whole; j += 4)
      for (Index k = 0; k < k_whole; k += 4)
        transpose_four(w.at + (c + j) * k_ + k, k_, panel + k * kWidth + j, kWidth);
    for (Index j = 0; j < width; ++j)
      for (Index k = j < j_whole ? k_whole : 0; k < k_; ++k) panel[k * kWidth + j] = w.at[(c + j) * k_ + k];
  }
}

void Panels::multiply(const Side& x, Index begin, Index end, bool add, Scalar* y) {
  const Rows rows{x.at, x.rows, k_, x.transposed};
  Scalar* block = scratch(block_, kRows * k_);
  for (Index r = begin; r < end; r += kRows) {
    const Index count = std::min<Index>(kRows, end - r);
    lay_out_rows(rows, r, count, block);
    for (Index c = 0; c < m_; c += kWidth) {
      Scalar* to = y + r * m_ + c;
      const Start start{add ? to : nullptr, m_};
      const Scalar* panel = panels_.data() + c * k_;
      if (m_ - c < kWidth) {
        edge_block(count, k_, block, panel, start, m_ - c, to, m_);
      } else {
        kBlocks<Panel::ready>[static_cast<std::size_t>(count - 1)](k_, block, panel, kWidth, nullptr, start, to, m_);
      }
    }
  }
}

namespace {

constexpr Index kFew = 3;       // rows that are not worth laying anything out for
constexpr Index kAhead = 1024;  // numbers that are fetched before they are needed: the keys of a cache lie in memory

// Columns of a transposed side: a dot product each, of all rows while the column is at hand.
template <int rows>
void few_dots(const Side& x, const Side& w, bool add, Scalar* y) {
  const Index k_count = x.columns, whole = k_count / kLanes * kLanes, m = w.columns;
  for (Index c = 0; c < m; ++c) {
    const Scalar* column = w.at + c * k_count;
    Vector sum[rows] = {};
    for (Index k = 0; k < whole; k += kLanes) {
      __builtin_prefetch(column + k + kAhead, 0, 2);
      const Vector numbers = load(column + k);
      for (int r = 0; r < rows; ++r) sum[r] += load(x.at + r * k_count + k) * numbers;
    }
    for (int r = 0; r < rows; ++r) {
      Scalar all = sum_of(sum[r]) + (add ? y[r * m + c] : Scalar(0));
      for (Index k = whole; k < k_count; ++k) all += x.at[r * k_count + k] * column[k];
      y[r * m + c] = all;
    }
  }
}

// Straight from w, as wide as a block at a time.
void few_rows(const Side& x, const Side& w, bool add, Scalar* y) {
  thread_local std::vector<Scalar> memory;
  Scalar* laid_out = scratch(memory, x.rows * x.columns);
  lay_out_rows({x.at, x.rows, x.columns}, 0, x.rows, laid_out);
  const Index m = w.columns, whole = m / kWidth * kWidth;
  for (Index c = 0; c < whole; c += kWidth)
    kBlocks<Panel::only>[static_cast<std::size_t>(x.rows - 1)](x.columns, laid_out, w.at + c, m, nullptr,
                                                               {add ? y + c : nullptr, m}, y + c, m);
  for (Index r = 0; r < x.rows; ++r)
    for (Index c = whole; c < m; ++c) {
      Scalar sum = add ? y[r * m + c] : Scalar(0);
      for (Index k = 0; k < x.columns; ++k) sum += x.at[r * x.columns + k] * w.at[k * m + c];
      y[r * m + c] = sum;
    }
}

}  // namespace

void small_product(const Side& x, const Side& w, bool add, Scalar* y) {
  if (x.rows <= kFew && !x.transposed) {
    if (!w.transposed) return few_rows(x, w, add, y);
    return x.rows == 1   ? few_dots<1>(x, w, add, y)
           : x.rows == 2 ? few_dots<2>(x, w, add, y)
                         : few_dots<3>(x, w, add, y);
  }
  thread_local Panels panels;
  panels.lay_out(w);
  panels.multiply(x, 0, x.rows, add, y);
}

}  // namespace headlight
