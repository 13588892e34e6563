// The operations of convolutional models: cases for the gradient check and for explanations, and the golden numbers of
// models.md 15.2.
#pragma once

#include "model/ops/activations.h"
#include "model/ops/basic.h"
#include "model/ops/convolution.h"
#include "tests/model/gradient_check.h"

namespace headlight::testing {

inline std::vector<Differentiable> convolution_cases() {
  using In = std::vector<Tensor>;
  return {
      {"embedding at a position",
       {parameter(1, {5, 3}), parameter(2, {6, 3})},
       [](const In& in) {
         return embedding_at(Tensor::of({2, 3}, {4, 0, 4, 2, 1, 4}), in[0], in[1], 2);
       }},
      {"windows to the left", {fill(1, {2, 4, 3})}, [](const In& in) { return windows(in[0], 3, 2); }},
      {"windows to both sides", {fill(1, {2, 4, 3})}, [](const In& in) { return windows(in[0], 3, 1); }},
      {"windows to the right", {fill(1, {2, 4, 3})}, [](const In& in) { return windows(in[0], 3, 0); }},
      {"windows of one", {fill(1, {2, 4, 3})}, [](const In& in) { return windows(in[0], 1, 0); }},
      {"windows wider than the sequence", {fill(1, {2, 2, 3})}, [](const In& in) { return windows(in[0], 5, 2); }},
      {"windows that look back",
       {fill(1, {2, 4, 3}), fill(2, {2, 2, 3})},
       [](const In& in) { return windows(in[0], 3, 2, in[1]); }},
      {"windows that look back far",
       {fill(1, {2, 1, 3}), fill(2, {2, 3, 3})},
       [](const In& in) { return windows(in[0], 4, 3, in[1]); }},
      {"weight norm",
       {parameter(1, {4, 3}), parameter(2, {3})},
       [](const In& in) { return weight_norm(in[0], in[1]); }},
      {"weight norm inside a product",
       {fill(3, {2, 4}), parameter(1, {4, 3}), parameter(2, {3})},
       [](const In& in) { return linear(in[0], weight_norm(in[1], in[2])); }},
      {"scaled sum", {fill(1, {2, 3}), fill(2, {2, 3})}, [](const In& in) { return scaled_sum(in[0], in[1], 3); }},
      {"scaled sum of a tensor with itself",
       {fill(1, {2, 3})},
       [](const In& in) { return scaled_sum(in[0], multiply(in[0], in[0]), Scalar(0.5)); }},
      {"scaled linear",
       {fill(1, {2, 2, 3}), parameter(2, {3, 4}), parameter(3, {4}), fill(4, {2, 2, 4})},
       [](const In& in) { return scaled_linear(in[0], in[1], in[2], in[3], Scalar(0.7)); }},
      {"scaled linear of its own residual",
       {fill(1, {2, 3}), fill(2, {3, 3}), fill(3, {3})},
       [](const In& in) { return scaled_linear(in[0], in[1], in[2], in[0], Scalar(0.7)); }},
      {"scaled weighted sum",
       {fill(1, {2, 3, 5}), fill(2, {2, 5, 4})},
       [](const In& in) {
         return scaled_weighted_sum(in[0], in[1], Tensor::of({2}, {3, Scalar(-0.5)}));
       }},
  };
}

// conv causal k = 3, d = 2: rows of W tap by tap, oldest first.
inline Tensor golden_glu() {
  return glu(linear(windows(fill(103, {1, 4, 2}), 3, 2), fill(107, {6, 4}), fill(109, {4})));
}
inline bool golden_convolution_holds(double tolerance) {
  const Tensor residual = scaled_sum(golden_glu(), fill(103, {1, 4, 2}), std::sqrt(Scalar(0.5)));
  return same(
             difference(golden_glu(),
                        {-0.102899, 0.274854, -0.056444, 0.184301, -0.124837, 0.248891, 0.072628, 0.156675}, tolerance),
             "glu") &&
         same(difference(residual, {-0.186471, 0.483113, 0.025418, -0.18434, -0.103915, 0.510254, 0.016997, -0.236386},
                         tolerance),
              "residual");
}

}  // namespace headlight::testing
