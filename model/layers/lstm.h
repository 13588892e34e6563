// One LSTM layer, unrolled by its caller.
#pragma once

#include "model/layers/parameters.h"
#include "model/trace/tap.h"

namespace headlight {

struct LstmState {
  Tensor h, c;  // [N x H]
};

// A = x Wx + h′ Wh + b;  f, i, o = σ, g = tanh of A's blocks;  c = f ⊙ c′ + g ⊙ i;  h = o ⊙ tanh(c)
// (Hochreiter & Schmidhuber 1997; forget gate: Gers et al. 2000). Storage order f, g, i, o.
class Lstm {
 public:
  // Wx [D x 4H] ~ N(0, 1/D), Wh [H x 4H] ~ N(0, 1/H), b [4H] = 0.
  Lstm(const ParameterBuilder& parameters, Index input_size, Index hidden_size);

  Index hidden_size() const { return Wh_.dim(0); }
  LstmState zero_state(Index batch) const;
  // x Wx + b for any number of steps at once: [.. x D] -> [.. x 4H].
  Tensor project(const Tensor& x) const;
  // One step from the projection [N x 4H] of its input. Publishes place.lstm.{pre, gate.f, cand.g, gate.i, gate.o, c,
  // h}.
  LstmState step(const Tensor& projected, const LstmState& previous, const Place& place, const Tap& tap) const;

 private:
  Tensor Wx_, Wh_, b_;
};

}  // namespace headlight
