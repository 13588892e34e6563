// Element-wise functions, the functions that halve a row, and dropout.
#pragma once

#include "model/core/graph.h"
#include "model/core/random.h"

namespace headlight {

// [..] -> [..], each number by itself. Neither overflows for any finite x.
Tensor sigmoid(const Tensor& x);   // 1 / (1 + e^−x)
Tensor tanh(const Tensor& x);      // (e^x − e^−x) / (e^x + e^−x)
Tensor relu(const Tensor& x);      // max(x, 0); its derivative at 0 is 0
Tensor softplus(const Tensor& x);  // log(1 + e^x)

// y_k = max(x_2k, x_2k+1) (Goodfellow et al. 2013, eq. 1, with two pieces; of equals the even one): [.. x 2l] -> [.. x
// l].
Tensor maxout(const Tensor& x);
// A ⊙ σ(B), [A B] = x (Dauphin et al. 2017, eq. 1): [.. x 2d] -> [.. x d].
Tensor glu(const Tensor& x);

// x ⊙ b / (1 − p), b = 0 with probability p, else 1 (Srivastava et al. 2014, section 4; scaled while training): [..] ->
// [..]. One draw for each number, in order; p = 0 draws nothing and returns x.
Tensor dropout(const Tensor& x, double p, Random& random);

}  // namespace headlight
