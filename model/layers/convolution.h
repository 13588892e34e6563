// The layers of a convolutional sequence model (Gehring et al. 2017).
#pragma once

#include <cmath>

#include "model/layers/parameters.h"
#include "model/trace/pass.h"

namespace headlight {

// Keeps the variance of a sum of two (section 3.5): sqrt(1/2).
inline const Scalar kHalfVariance = std::sqrt(Scalar(0.5));

// x W + b with its weights at hand: [.. x K] -> [.. x M].
struct LinearMap {
  Tensor W, b;
  Tensor operator()(const Tensor& x) const;
};

// The parameters of a linear map: W itself, or, with weight normalisation (Salimans & Kingma 2016), v and g of W_j =
// g_j v_j / ‖v_j‖. W [in x out] ~ N(0, deviation²) at first in both cases, b = 0.
class NormalisedLinear {
 public:
  NormalisedLinear(const ParameterBuilder& parameters, Index in, Index out, double deviation, bool weight_norm);
  // Computes W: once for a batch, not once for a step.
  LinearMap map() const;

 private:
  bool weight_norm_;
  Tensor v_, g_, b_;
};

// A convolution from the windows of its input, and its gated linear unit: [N x L x (k·d)] -> [N x L x d]. Publishes
// place.conv.pre and place.glu.{a, b, gate, out}.
Tensor gated_convolution(const LinearMap& convolution, const Tensor& seen, const SitePath& place, const Tap& tap);

// What a decoder's layers attend to: keys and values [N x S x f], keep [N x S] (undefined: all), and for each sentence
// m sqrt(1/m), m its number of tokens (section 3.5).
struct ConvMemory {
  Tensor keys, values, keep, factors;
};

// The attention of one decoder layer (section 3.3), from the layer's state to the size of the embeddings and back.
struct ConvAttention {
  LinearMap in, out;
  struct Read {
    Tensor weights;  // [N x T x S]
    Tensor out;      // [N x T x d]
  };
  // state [N x T x d], embedded [N x T x f]. Publishes place.attn.{query, scores, weights, context, out}.
  Read operator()(const Tensor& state, const Tensor& embedded, const ConvMemory& memory, const SitePath& place,
                  const Tap& tap) const;
};

}  // namespace headlight
