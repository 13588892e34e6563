// Many small products on one thread: what attention does in each head, and a library is slow at.
#pragma once

#include "model/core/tensor.h"

namespace headlight {

// One side of a small product: [rows x columns], kept as it is or transposed ([columns x rows] in memory).
struct Side {
  const Scalar* at;
  Index rows, columns;
  bool transposed = false;
};

// The right side, laid out for blocks of the result. Meant to be used again: it keeps its memory.
class Panels {
 public:
  void lay_out(const Side& w);
  // Rows [begin, end) of y (+)= x W; y [x.rows x W's columns].
  void multiply(const Side& x, Index begin, Index end, bool add, Scalar* y);

 private:
  Index k_ = 0, m_ = 0;
  std::vector<Scalar> panels_, block_;
};

// y (+)= x W, with memory that the thread keeps.
void small_product(const Side& x, const Side& w, bool add, Scalar* y);

}  // namespace headlight
