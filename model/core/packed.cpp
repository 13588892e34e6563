#include "model/core/packed.h"

#include <algorithm>
#include <cstring>

namespace headlight {

namespace {

// One vector register of the machine that this was compiled for, and how many of them a block of the result takes:
// kRows x kVectors accumulators, with registers left for a row of W and a broadcast.
#if defined(__AVX512F__)
constexpr int kBytes = 64, kRows = 8, kVectors = 2;
#elif defined(__AVX__)
constexpr int kBytes = 32, kRows = 6, kVectors = 2;
#else
constexpr int kBytes = 16, kRows = 4, kVectors = 2;
#endif
constexpr int kLanes = kBytes / static_cast<int>(sizeof(Scalar));
constexpr int kWidth = kVectors * kLanes;  // of a panel

typedef Scalar Vector __attribute__((vector_size(kBytes)));

Vector load(const Scalar* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// y [rows x kWidth] = x [rows x K] · panel [K x kWidth] + start (null: zeros); rows of y and of start are `stride`
// apart
template <int rows>
void block(Index k_count, const Scalar* x, const Scalar* panel, const Scalar* start, Scalar* y, Index stride) {
  Vector sum[rows][kVectors];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < kVectors; ++j) sum[i][j] = start ? load(start + i * stride + j * kLanes) : Vector{};
  for (Index k = 0; k < k_count; ++k) {
    Vector w[kVectors];
    for (int j = 0; j < kVectors; ++j) w[j] = load(panel + k * kWidth + j * kLanes);
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
  for (; r + kRows <= r_count; r += kRows) block<kRows>(k_count, x + r * k_count, panel, at(r), y + r * stride, stride);
  for (; r < r_count; ++r) block<1>(k_count, x + r * k_count, panel, at(r), y + r * stride, stride);
}

}  // namespace

PackedMatrix::PackedMatrix(const Tensor& weight, bool transposed)
    : k_(weight.dim(transposed ? 1 : 0)), m_(weight.dim(transposed ? 0 : 1)) {
  const Index count = (m_ + kWidth - 1) / kWidth;
  panels_ = Tensor::zeros({count, k_, kWidth});
  for (Index p = 0; p < count; ++p) {
    const Index width = std::min<Index>(kWidth, m_ - p * kWidth);
    StridedMatrixMap panel(panels_.data() + p * k_ * kWidth, k_, width, Eigen::OuterStride<>(kWidth));
    if (transposed) {
      panel = weight.matrix().middleRows(p * kWidth, width).transpose();
    } else {
      panel = weight.matrix().middleCols(p * kWidth, width);
    }
  }
}

void PackedMatrix::multiply(const Tensor& x, const Tensor& start, Tensor& y) const {
  require_shape(x.columns() == k_ && y.columns() == m_ && x.rows() == y.rows(), "packed product",
                "[.. x " + std::to_string(k_) + "]", x.shape());
  const Index rows = x.rows();
  for (Index p = 0; p * kWidth < m_; ++p) {
    const Scalar* panel = panels_.data() + p * k_ * kWidth;
    Scalar* out = y.data() + p * kWidth;
    const Scalar* from = start.defined() ? start.data() + p * kWidth : nullptr;
    const Index width = std::min<Index>(kWidth, m_ - p * kWidth);
    if (width == kWidth) {
      rows_of(rows, k_, x.data(), panel, from, out, m_);
      continue;
    }
    Tensor edge({rows, kWidth});  // the last panel sticks out over the result
    rows_of(rows, k_, x.data(), panel, nullptr, edge.data(), kWidth);
    auto last = y.matrix().middleCols(p * kWidth, width);
    if (start.defined()) {
      last = start.matrix().middleCols(p * kWidth, width) + edge.matrix().leftCols(width);
    } else {
      last = edge.matrix().leftCols(width);
    }
  }
}

}  // namespace headlight
