// Products of a text's first rows, kept for the next text that begins with the same rows.
#pragma once

#include <unordered_map>

#include "model/core/tensor.h"

namespace headlight {

// What linear() has made of parameters while a Scope kept it. A causal decoder reads a prompt whose beginning is that
// of an earlier one: the products of these rows are copied, and all else is computed, so that traces and explanations
// are those of a run from nothing but for the rounding of sums.
class KnownRows {
 public:
  // While it lives, linear() on this thread notes its products in `made` and begins them with at most `rows` rows of
  // those of `before` (null: none).
  class Scope {
   public:
    Scope(KnownRows* made, const KnownRows* before, Index rows);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
  };

  // Of linear(): copies the first rows of y = x W + b that are known into y, and returns how many. Rows are known where
  // those of x are the same but for rounding, and the weight was used once.
  static Index copy(const Tensor& x, const Tensor& weight, Tensor& y);
  static void note(const Tensor& x, const Tensor& weight, const Tensor& y);

 private:
  struct Product {
    Tensor weight, x, y;
    bool once = true;
  };
  std::unordered_map<const Scalar*, Product> products_;  // by the values of the weight
};

}  // namespace headlight
