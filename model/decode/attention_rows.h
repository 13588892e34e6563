// Whether rows of attention are shares, as a softmax makes them: of weights that somebody stored nobody knows.
#pragma once

#include "model/core/tensor.h"

namespace headlight {

struct AttentionRows {
  Index rows = 0;         // those that are not 0 throughout, as rows of padding are
  Index not_numbers = 0;  // of them, those with a NaN or an infinite value
  Index negative = 0;     // those with a negative weight
  Index other_sum = 0;    // those that do not add up to 1, but for the rounding of half precision
  Index percent = 0;      // of them, those that add up to 100
  bool columns_are_shares = true;  // every column adds up to 1, or is 0: a map that lies on its side
  double lowest = 0, highest = 0;  // of the finite values

  bool are_shares() const { return negative == 0 && other_sum == 0; }
  void add(const Tensor& maps);  // [.. x Q x K]
  void add_row(const Scalar* weights, Index length);
};

}  // namespace headlight
