#include "model/layers/gru.h"

#include "model/ops/activations.h"
#include "model/ops/basic.h"

namespace headlight {

Gru::Gru(const ParameterBuilder& parameters, Index input_size, Index hidden_size, bool reset_after,
         const CellInit& init)
    : Wx_(parameters.make("Wx", {input_size, 3 * hidden_size}, init.input)),
      Uzr_(parameters.make("Uzr", {hidden_size, 2 * hidden_size}, init.recurrent)),
      U_(parameters.make("U", {hidden_size, hidden_size}, init.recurrent)),
      b_(parameters.make("b", {3 * hidden_size}, Init::zeros())),
      c_(reset_after ? parameters.make("c", {hidden_size}, Init::zeros()) : Tensor()),
      reset_after_(reset_after) {}

Tensor Gru::project(const Tensor& x) const { return linear(x, Wx_, b_); }

CellState Gru::step(const Tensor& projected, const CellState& previous, const SitePath& place, const Tap& tap) const {
  const Index h = hidden_size();
  const Tensor gates =
      tap.columns(place, {"gru.gate.z", "gru.gate.r"}, sigmoid(linear(previous.h, Uzr_, columns(projected, 0, 2 * h))));
  const Tensor z = columns(gates, 0, h), r = columns(gates, h, h), x = columns(projected, 2 * h, h);
  if (reset_after_) {
    const Tensor recurrent = tap(place, "gru.recurrent", linear(previous.h, U_, c_));
    const Tensor reset = tap(place, "gru.reset", multiply(r, recurrent), [] { return SiteWords{"r ⊙ (h′ U + c)"}; });
    const Tensor candidate =
        tap(place, "gru.cand", tanh(add(x, reset)), [] { return SiteWords{"h~ = tanh(x W + b + r ⊙ (h′ U + c))"}; });
    return {tap(place, "gru.h", interpolate(z, candidate, previous.h),
                [] { return SiteWords{"h = (1 − z) ⊙ h~ + z ⊙ h′"}; }),
            {}};
  }
  const Tensor reset = tap(place, "gru.reset", multiply(r, previous.h));
  const Tensor candidate = tap(place, "gru.cand", tanh(linear(reset, U_, x)));
  return {tap(place, "gru.h", interpolate(z, previous.h, candidate)), {}};
}

SimpleRnn::SimpleRnn(const ParameterBuilder& parameters, Index input_size, Index hidden_size, const CellInit& init)
    : Wx_(parameters.make("Wx", {input_size, hidden_size}, init.input)),
      Wh_(parameters.make("Wh", {hidden_size, hidden_size}, init.recurrent)),
      b_(parameters.make("b", {hidden_size}, Init::zeros())) {}

Tensor SimpleRnn::project(const Tensor& x) const { return linear(x, Wx_, b_); }

CellState SimpleRnn::step(const Tensor& projected, const CellState& previous, const SitePath& place,
                          const Tap& tap) const {
  const Tensor pre = tap(place, "rnn.pre", linear(previous.h, Wh_, projected));
  return {tap(place, "rnn.h", tanh(pre)), {}};
}

}  // namespace headlight
