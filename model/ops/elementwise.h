// One number of the result for one number of each input, on all threads where there are many.
#pragma once

#include "model/core/parallel.h"
#include "model/core/tensor.h"

namespace headlight {

// What one number costs, beside touching it.
constexpr Index kCheap = 1, kExponential = 8;

// y = f(x): f(from, to) fills a piece of y from the same piece of x.
template <class F>
Tensor elementwise(const Tensor& x, Index cost, F f) {
  Tensor y(x.shape());
  parallel_for(x.size(), grain_for(x.size(), cost, 64), [&](Index begin, Index end) {
    f(ConstArrayMap(x.data() + begin, end - begin), ArrayMap(y.data() + begin, end - begin));
  });
  return y;
}

// 1 / (1 + exp(−x)) of a piece into another one, exact in relative terms in both tails: Eigen's own logistic() loses
// four digits where a gate is nearly closed.
inline void sigmoid_of(const ConstArrayMap& x, ArrayMap y) {
  y = (-x.abs()).exp();
  y = (x >= Scalar(0)).select(Scalar(1), y) / (Scalar(1) + y);
}

// y = f(a, b), same shapes.
template <class F>
Tensor elementwise(const Tensor& a, const Tensor& b, Index cost, F f) {
  return elementwise(a, cost, [&](const ConstArrayMap& from, ArrayMap to) {
    f(from, ConstArrayMap(b.data() + (from.data() - a.data()), from.size()), to);
  });
}

}  // namespace headlight
