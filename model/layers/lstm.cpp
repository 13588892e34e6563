#include "model/layers/lstm.h"

#include "model/ops/basic.h"
#include "model/ops/lstm.h"

namespace headlight {

Lstm::Lstm(const ParameterBuilder& parameters, Index input_size, Index hidden_size, const CellInit& init)
    : Wx_(parameters.make("Wx", {input_size, 4 * hidden_size}, init.input)),
      Wh_(parameters.make("Wh", {hidden_size, 4 * hidden_size}, init.recurrent)),
      b_(parameters.make("b", {4 * hidden_size}, Init::first_quarter(init.forget_bias))) {}

Tensor Lstm::project(const Tensor& x) const { return linear(x, Wx_, b_); }

CellState Lstm::step(const Tensor& projected, const CellState& previous, const SitePath& place, const Tap& tap) const {
  const Tensor pre = tap(place, "lstm.pre", linear(previous.h, Wh_, projected));
  const Tensor gates =
      tap.columns(place, {"lstm.gate.f", "lstm.cand.g", "lstm.gate.i", "lstm.gate.o"}, lstm_gates(pre));
  CellState state;
  state.c = tap(place, "lstm.c", lstm_cell(gates, previous.c));
  state.h = tap(place, "lstm.h", lstm_hidden(gates, state.c));
  return state;
}

}  // namespace headlight
