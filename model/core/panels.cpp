#include "model/core/panels.h"

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

void small_product(const Side& x, const Side& w, bool add, Scalar* y) {
  constexpr Index kFew = 3;  // rows that are not worth laying anything out for
  if (x.rows <= kFew && !x.transposed) {
    const ConstMatrixMap left(x.at, x.rows, x.columns);
    const ConstMatrixMap right(w.at, w.transposed ? w.columns : w.rows, w.transposed ? w.rows : w.columns);
    MatrixMap result(y, x.rows, w.columns);
    if (!add) result.setZero();
    if (w.transposed) {
      result.noalias() += left * right.transpose();
    } else {
      result.noalias() += left * right;
    }
    return;
  }
  thread_local Panels panels;
  panels.lay_out(w);
  panels.multiply(x, 0, x.rows, add, y);
}

}  // namespace headlight
