// Matrices laid out once for many products.
#pragma once

#include "model/core/tensor.h"

namespace headlight {

// A recurrent layer multiplies by the same weights at every time step. A general product copies ("packs") them into
// cache-sized panels each time, which for the batch sizes of training takes a quarter of its time; this keeps the copy.
class PackedMatrix {
 public:
  // W [K x M], or its transpose.
  PackedMatrix(const Tensor& weight, bool transposed);

  // y = x W + start: x [.. x K], y [.. x M], start undefined (zeros) or like y; it may be y itself.
  void multiply(const Tensor& x, const Tensor& start, Tensor& y) const;

 private:
  Index k_, m_;
  Tensor panels_;  // [panels x K x panel width], zero-padded
};

}  // namespace headlight
