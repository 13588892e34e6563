#include "model/layers/lstm.h"

#include <cmath>

#include "model/ops/basic.h"
#include "model/ops/lstm.h"

namespace headlight {

namespace {
Init fan_in(Index n) { return Init::normal(1 / std::sqrt(static_cast<double>(n))); }
}  // namespace

Lstm::Lstm(const ParameterBuilder& parameters, Index input_size, Index hidden_size)
    : Wx_(parameters.make("Wx", {input_size, 4 * hidden_size}, fan_in(input_size))),
      Wh_(parameters.make("Wh", {hidden_size, 4 * hidden_size}, fan_in(hidden_size))),
      b_(parameters.make("b", {4 * hidden_size}, Init::zeros())) {}

LstmState Lstm::zero_state(Index batch) const {
  return {Tensor::zeros({batch, hidden_size()}), Tensor::zeros({batch, hidden_size()})};
}

Tensor Lstm::project(const Tensor& x) const { return linear(x, Wx_, b_); }

LstmState Lstm::step(const Tensor& projected, const LstmState& previous, const Place& place, const Tap& tap) const {
  const Tensor pre = tap(place, "lstm.pre", linear(previous.h, Wh_, projected));
  const Tensor gates =
      tap.columns(place, {"lstm.gate.f", "lstm.cand.g", "lstm.gate.i", "lstm.gate.o"}, lstm_gates(pre));
  LstmState state;
  state.c = tap(place, "lstm.c", lstm_cell(gates, previous.c));
  state.h = tap(place, "lstm.h", lstm_hidden(gates, state.c));
  return state;
}

}  // namespace headlight
