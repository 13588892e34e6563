// The operations of an external memory: the golden numbers of models.md 15.2, tables by hand, and one row for each way
// of using an operation, for the gradient checks and the explanations.
#pragma once

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/memory.h"
#include "tests/model/gradient_check.h"

namespace headlight::testing {

struct MemoryNumbers {
  const char* name;
  std::function<Tensor()> compute;
  std::vector<double> expected;
};

// The chain of models.md 15.2: N = 4 slots, M = 3.
inline Tensor golden_memory() { return fill(113, {1, 4, 3}); }
inline Tensor golden_similarity() {
  return reshape(cosine_scores(fill(127, {1, 1, 3}), golden_memory(), Tensor::full({1}, 1)), {1, 4});
}
inline Tensor golden_content() { return content_weights(golden_similarity(), Tensor::full({1, 1}, 2)); }
inline Tensor golden_gated() {
  return gated_weights(Tensor::full({1, 1}, Scalar(0.7)), golden_content(),
                       Tensor::of({1, 4}, {Scalar(0.1), Scalar(0.2), Scalar(0.3), Scalar(0.4)}));
}
inline Tensor golden_shifted() {
  return shifted_weights(golden_gated(), Tensor::of({1, 3}, {Scalar(0.1), Scalar(0.2), Scalar(0.7)}));
}
inline Tensor golden_weights() { return sharpened_weights(golden_shifted(), Tensor::full({1, 1}, 2)); }
inline Tensor golden_read() { return weighted_sum(reshape(golden_weights(), {1, 1, 4}), golden_memory()); }
inline Tensor golden_written() {
  return write_memory(golden_memory(), golden_weights(), sigmoid(fill(131, {1, 3})), tanh(fill(137, {1, 3})));
}

inline const std::vector<MemoryNumbers>& golden_memory_rows() {
  static const std::vector<MemoryNumbers> rows = {
      {"K", golden_similarity, {0.309033, -0.191924, 0.065875, 0.068907}},
      {"w_c", golden_content, {0.384513, 0.141184, 0.236432, 0.237871}},
      {"w_g", golden_gated, {0.299159, 0.158829, 0.255503, 0.286509}},
      {"w_tilde", golden_shifted, {0.276271, 0.266727, 0.190932, 0.26607}},
      {"w", golden_weights, {0.299649, 0.279304, 0.143119, 0.277928}},
      {"read", golden_read, {-0.00107, 0.070115, 0.040848}},
      {"M_after",
       golden_written,
       {0.298885, -0.302594, -0.484349, -0.327762, 0.093701, 0.381506, 0.253007, -0.357123, -0.460612, -0.229127,
        0.193756, 0.336342}},
  };
  return rows;
}

inline const std::vector<MemoryNumbers>& memory_rows_by_hand() {
  static const std::vector<MemoryNumbers> rows = {
      // β = ln 2 and K = 0, 1, 2: 2^0, 2^1, 2^2 of 7; in the second row β = 0: all alike
      {"content",
       [] {
         return content_weights(Tensor::of({2, 3}, {0, 1, 2, 5, -1, 3}),
                                Tensor::of({2, 1}, {static_cast<Scalar>(std::log(2.0)), 0}));
       },
       {1 / 7.0, 2 / 7.0, 4 / 7.0, 1 / 3.0, 1 / 3.0, 1 / 3.0}},
      {"content with an enormous key strength",
       [] {
         return content_weights(Tensor::of({1, 3}, {1, -1, 0}), Tensor::full({1, 1}, Scalar(1e6)));
       },
       {1, 0, 0}},
      {"gate",
       [] {
         return gated_weights(Tensor::of({2, 1}, {Scalar(0.25), 1}), Tensor::of({2, 2}, {1, 0, Scalar(0.3), 7}),
                              Tensor::of({2, 2}, {0, 1, 9, 9}));
       },
       {0.25, 0.75, 0.3, 7}},
      // slot i is ½ of its right neighbour, ¼ of itself and ⅛ of its left neighbour, in a circle
      {"shift",
       [] {
         return shifted_weights(Tensor::of({1, 4}, {8, 16, 32, 64}),
                                Tensor::of({1, 3}, {Scalar(0.5), Scalar(0.25), Scalar(0.125)}));
       },
       {8 + 2 + 8, 16 + 4 + 1, 32 + 8 + 2, 4 + 16 + 4}},
      // All of the shift on +1: what stood in slot i stands in slot i + 1.
      {"shift by +1",
       [] {
         return shifted_weights(Tensor::of({1, 4}, {1, 2, 3, 4}), Tensor::of({1, 3}, {0, 0, 1}));
       },
       {4, 1, 2, 3}},
      {"shift by -1",
       [] {
         return shifted_weights(Tensor::of({1, 4}, {1, 2, 3, 4}), Tensor::of({1, 3}, {1, 0, 0}));
       },
       {2, 3, 4, 1}},
      {"shift in a memory of one slot",
       [] {
         return shifted_weights(Tensor::full({1, 1}, 2), Tensor::of({1, 3}, {1, 2, 3}));
       },
       {12}},
      // squares of .1, .3, .6: .01, .09, .36 of .46
      {"sharpen",
       [] {
         return sharpened_weights(Tensor::of({1, 3}, {Scalar(0.1), Scalar(0.3), Scalar(0.6)}), Tensor::full({1, 1}, 2));
       },
       {1 / 46.0, 9 / 46.0, 36 / 46.0}},
      {"sharpen without sharpening",
       [] {
         return sharpened_weights(Tensor::of({2, 2}, {Scalar(0.25), Scalar(0.75), 3, 1}), Tensor::full({2, 1}, 1));
       },
       {0.25, 0.75, 0.75, 0.25}},
      {"sharpen an empty weighting",
       [] {
         return sharpened_weights(Tensor::zeros({1, 4}), Tensor::full({1, 1}, 3));
       },
       {0.25, 0.25, 0.25, 0.25}},
      {"one plus softplus",
       [] {
         return one_plus_softplus(Tensor::of({4}, {0, -1000, 1000, 1}));
       },
       {1 + std::log(2.0), 1, 1001, 1 + std::log(1 + std::exp(1.0))}},
      // slot 0 is written with weight 1: kept (1 − e), then a; slot 1 with ½; slot 2 not at all
      {"write",
       [] {
         return write_memory(Tensor::of({1, 3, 2}, {10, 20, 30, 40, 50, 60}), Tensor::of({1, 3}, {1, Scalar(0.5), 0}),
                             Tensor::of({1, 2}, {1, Scalar(0.5)}), Tensor::of({1, 2}, {2, -4}));
       },
       {2, 6, 16, 28, 50, 60}},
      {"write in two examples",
       [] {
         return write_memory(Tensor::of({2, 1, 2}, {1, 2, 3, 4}), Tensor::of({2, 1}, {1, 0}),
                             Tensor::of({2, 2}, {1, 1, 1, 1}), Tensor::of({2, 2}, {7, 8, 9, 9}));
       },
       {7, 8, 3, 4}},
  };
  return rows;
}

// Positive numbers, as weightings are.
inline Tensor positive(double s, const Shape& shape) {
  Tensor tensor = fill(s, shape);
  tensor.array() = tensor.array().abs() + Scalar(0.05);
  return tensor;
}

inline std::vector<Differentiable> memory_operations() {
  return {
      {"content weights",
       {fill(1, {2, 4}), positive(2, {2, 1})},
       [](const Inputs& in) { return content_weights(in[0], in[1]); }},
      {"gated weights",
       {positive(1, {2, 1}), positive(2, {2, 4}), positive(3, {2, 4})},
       [](const Inputs& in) { return gated_weights(in[0], in[1], in[2]); }},
      {"shifted weights",
       {fill(1, {2, 4}), fill(2, {2, 3})},
       [](const Inputs& in) { return shifted_weights(in[0], in[1]); }},
      {"shifted weights of two slots",
       {fill(1, {2, 2}), fill(2, {2, 3})},
       [](const Inputs& in) { return shifted_weights(in[0], in[1]); }},
      {"sharpened weights",
       {positive(1, {2, 4}), positive(2, {2, 1})},
       [](const Inputs& in) { return sharpened_weights(in[0], in[1]); }},
      {"one plus softplus", {fill(1, {2, 3})}, [](const Inputs& in) { return one_plus_softplus(in[0]); }},
      {"write memory",
       {fill(1, {2, 4, 3}), positive(2, {2, 4}), fill(3, {2, 3}), fill(4, {2, 3})},
       [](const Inputs& in) { return write_memory(in[0], in[1], in[2], in[3]); }},
      {"a whole step of addressing, reading and writing",
       {fill(1, {2, 4, 3}), fill(2, {2, 1, 3}), positive(3, {2, 1}), positive(4, {2, 1}), positive(5, {2, 3}),
        fill(6, {2, 1}), positive(7, {2, 4})},
       [](const Inputs& in) {
         const Tensor similarity = reshape(cosine_scores(in[1], in[0], Tensor::full({1}, 1)), {2, 4});
         const Tensor gated = gated_weights(in[3], content_weights(similarity, in[2]), in[6]);
         const Tensor w = sharpened_weights(shifted_weights(gated, in[4]), one_plus_softplus(in[5]));
         const Tensor read = weighted_sum(reshape(w, {2, 1, 4}), in[0]);  // [2 x 1 x 3]
         return write_memory(in[0], w, sigmoid(in[4]), reshape(read, {2, 3}));
       }},
  };
}

}  // namespace headlight::testing
