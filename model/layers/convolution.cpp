#include "model/layers/convolution.h"

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/convolution.h"
#include "model/ops/softmax.h"

namespace headlight {

Tensor LinearMap::operator()(const Tensor& x) const { return linear(x, W, b); }

NormalisedLinear::NormalisedLinear(const ParameterBuilder& parameters, Index in, Index out, double deviation,
                                   bool weight_norm)
    : weight_norm_(weight_norm) {
  v_ = parameters.make(weight_norm ? "v" : "W", {in, out}, Init::normal(deviation));
  if (weight_norm) {
    g_ = parameters.make("g", {out}, Init::zeros());
    // A length that is there already was trained, and may be shared with the model that it was trained in.
    if (g_.defined() && (g_.array() == Scalar(0)).all()) g_.array() = v_.matrix().colwise().norm().transpose();
  }
  b_ = parameters.make("b", {out}, Init::zeros());
}

LinearMap NormalisedLinear::map() const { return {weight_norm_ ? weight_norm(v_, g_) : v_, b_}; }

Tensor gated_convolution(const LinearMap& convolution, const Tensor& seen, const SitePath& place, const Tap& tap) {
  const Tensor pre = tap(place, "conv.pre", convolution(seen));
  if (!tap.active()) return glu(pre);
  // The same in its parts, for whoever looks.
  const Index d = pre.columns() / 2;
  const Tensor a = tap(place, "glu.a", columns(pre, 0, d)), b = tap(place, "glu.b", columns(pre, d, d));
  return tap(place, "glu.out", multiply(a, tap(place, "glu.gate", sigmoid(b))));
}

ConvAttention::Read ConvAttention::operator()(const Tensor& state, const Tensor& embedded, const ConvMemory& memory,
                                              const SitePath& place, const Tap& tap) const {
  const Tensor query = tap(place, "attn.query", scaled_linear(state, in.W, in.b, embedded, kHalfVariance));
  const Tensor scores = tap(place, "attn.scores", dot_scores(query, memory.keys));
  const Tensor weights = tap(place, "attn.weights", softmax(scores, memory.keep));
  const Tensor context = tap(place, "attn.context", scaled_weighted_sum(weights, memory.values, memory.factors));
  return {weights, tap(place, "attn.out", scaled_linear(context, out.W, out.b, state, kHalfVariance))};
}

}  // namespace headlight
