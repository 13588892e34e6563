#include "model/core/packed.h"

#include <algorithm>
#include <cstring>

#include "model/core/blocks.h"

namespace headlight {

namespace {

using blocks::kLanes, blocks::kVectors, blocks::Vector;

// A block of the result keeps registers left for a row of W and a broadcast.
constexpr int kBlockRows = std::min(blocks::kRows, 8);
constexpr int kPanelWidth = blocks::kWidth;  // of a panel

// y [rows x kPanelWidth] = x [rows x K] · panel [K x kPanelWidth] + start (null: zeros); rows of y and of start are
// `stride` apart
template <int rows>
void block(Index k_count, const Scalar* x, const Scalar* panel, const Scalar* start, Scalar* y, Index stride) {
  Vector sum[rows][kVectors];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < kVectors; ++j) sum[i][j] = start ? blocks::load(start + i * stride + j * kLanes) : Vector{};
  for (Index k = 0; k < k_count; ++k) {
    Vector w[kVectors];
    for (int j = 0; j < kVectors; ++j) w[j] = blocks::load(panel + k * kPanelWidth + j * kLanes);
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      const Scalar factor = x[i * k_count + k];
      for (int j = 0; j < kVectors; ++j) sum[i][j] += factor * w[j];
    }
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < kVectors; ++j) std::memcpy(y + i * stride + j * kLanes, &sum[i][j], sizeof(Vector));
}

void rows_of(Index r_count, Index k_count, const Scalar* x, const Scalar* panel, const Scalar* start, Scalar* y,
             Index stride) {
  const auto at = [&](Index r) { return start ? start + r * stride : nullptr; };
  Index r = 0;
  for (; r + kBlockRows <= r_count; r += kBlockRows)
    block<kBlockRows>(k_count, x + r * k_count, panel, at(r), y + r * stride, stride);
  for (; r < r_count; ++r) block<1>(k_count, x + r * k_count, panel, at(r), y + r * stride, stride);
}

}  // namespace

PackedMatrix::PackedMatrix(const Tensor& weight, bool transposed)
    : k_(weight.dim(transposed ? 1 : 0)), m_(weight.dim(transposed ? 0 : 1)) {
  const Index count = (m_ + kPanelWidth - 1) / kPanelWidth;
  panels_ = Tensor::zeros({count, k_, kPanelWidth});
  for (Index p = 0; p < count; ++p) {
    const Index width = std::min<Index>(kPanelWidth, m_ - p * kPanelWidth);
    StridedMatrixMap panel(panels_.data() + p * k_ * kPanelWidth, k_, width, Eigen::OuterStride<>(kPanelWidth));
    if (transposed) {
      panel = weight.matrix().middleRows(p * kPanelWidth, width).transpose();
    } else {
      panel = weight.matrix().middleCols(p * kPanelWidth, width);
    }
  }
}

void PackedMatrix::multiply(const Tensor& x, const Tensor& start, Tensor& y) const {
  require_shape(x.columns() == k_ && y.columns() == m_ && x.rows() == y.rows(), "packed product",
                "[.. x " + std::to_string(k_) + "]", x.shape());
  const Index rows = x.rows();
  for (Index p = 0; p * kPanelWidth < m_; ++p) {
    const Scalar* panel = panels_.data() + p * k_ * kPanelWidth;
    Scalar* out = y.data() + p * kPanelWidth;
    const Scalar* from = start.defined() ? start.data() + p * kPanelWidth : nullptr;
    const Index width = std::min<Index>(kPanelWidth, m_ - p * kPanelWidth);
    if (width == kPanelWidth) {
      rows_of(rows, k_, x.data(), panel, from, out, m_);
      continue;
    }
    Tensor edge({rows, kPanelWidth});  // the last panel sticks out over the result
    rows_of(rows, k_, x.data(), panel, nullptr, edge.data(), kPanelWidth);
    auto last = y.matrix().middleCols(p * kPanelWidth, width);
    if (start.defined()) {
      last = start.matrix().middleCols(p * kPanelWidth, width) + edge.matrix().leftCols(width);
    } else {
      last = edge.matrix().leftCols(width);
    }
  }
}

}  // namespace headlight
