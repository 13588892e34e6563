// Matrix products of a forward pass, on all threads.
#pragma once

#include "model/core/tensor.h"

namespace headlight {

// y = x W + start, or x Wᵀ + start: x [R x K], W [K x M] (transposed: [M x K]), which may be in half precision
// (Tensor::in_halves), y [R x M] whose memory is there already; start undefined (zeros), [M] (added to every row) or
// like y (y itself, too). How many threads there are does not change what comes out.
void product(const Tensor& x, const Tensor& weight, bool transposed, const Tensor& start, Tensor& y);

}  // namespace headlight
