// Element-wise functions, the functions that halve a row, and dropout.
#pragma once

#include "model/core/graph.h"
#include "model/core/random.h"

namespace headlight {

// [..] -> [..], each number by itself. Neither overflows for any finite x.
Tensor sigmoid(const Tensor& x);                // 1 / (1 + e^−x)
Tensor tanh(const Tensor& x);                   // (e^x − e^−x) / (e^x + e^−x)
Tensor relu(const Tensor& x);                   // max(x, 0); its derivative at 0 is 0
Tensor relu_squared(const Tensor& x);           // max(x, 0)² (So et al. 2021, section 4)
Tensor clipped(const Tensor& x, Scalar bound);  // min(max(x, −bound), bound); beyond it nothing goes back
Tensor softplus(const Tensor& x);               // log(1 + e^x)
// x·Φ(x), Φ(x) = (1 + erf(x/√2)) / 2 (Hendrycks and Gimpel 2016, section 2), and what stood for it where erf was slow:
// x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³))). They differ by at most 4.8e-4.
Tensor gelu(const Tensor& x);
Tensor gelu_tanh(const Tensor& x);
Tensor silu(const Tensor& x);  // x σ(x) (Hendrycks and Gimpel 2016, section 2; Swish of Ramachandran et al. 2017)

// y_k = max(x_2k, x_2k+1) (Goodfellow et al. 2013, eq. 1, with two pieces; of equals the even one): [.. x 2l] -> [.. x
// l].
Tensor maxout(const Tensor& x);
// A ⊙ σ(B), [A B] = x (Dauphin et al. 2017, eq. 1): [.. x 2d] -> [.. x d].
Tensor glu(const Tensor& x);

// x ⊙ b / (1 − p), b = 0 with probability p, else 1 (Srivastava et al. 2014, section 4; scaled while training): [..] ->
// [..]. One draw for each number, in order; p = 0 draws nothing and returns x.
Tensor dropout(const Tensor& x, double p, Random& random);

}  // namespace headlight
