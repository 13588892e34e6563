// The LSTM cell.
#pragma once

#include "model/layers/cell.h"

namespace headlight {

// A = x Wx + h′ Wh + b;  f, i, o = σ, g = tanh of A's blocks;  c = f ⊙ c′ + g ⊙ i;  h = o ⊙ tanh(c)
// (Hochreiter & Schmidhuber 1997; forget gate: Gers et al. 2000). Storage order f, g, i, o.
// Wx [D x 4H], Wh [H x 4H], b [4H] = 0. Publishes place.lstm.{pre, gate.f, cand.g, gate.i, gate.o, c, h}.
class Lstm : public RecurrentCell {
 public:
  Lstm(const ParameterBuilder& parameters, Index input_size, Index hidden_size, const CellInit& init = {});

  Index hidden_size() const override { return Wh_.dim(0); }
  Index projected_size() const override { return 4 * hidden_size(); }
  Tensor project(const Tensor& x) const override;
  CellState step(const Tensor& projected, const CellState& previous, const SitePath& place,
                 const Tap& tap) const override;
  bool has_memory() const override { return true; }

 private:
  Tensor Wx_, Wh_, b_;
};

}  // namespace headlight
