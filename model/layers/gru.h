// The gated recurrent unit, in both forms that are in use.
#pragma once

#include "model/layers/cell.h"

namespace headlight {

// reset before (Cho et al. 2014; Bahdanau et al. 2015, appendix A.1.1):
//   z, r = σ(x [Wz Wr] + h′ Uzr + [bz br]);  h~ = tanh(x W + (r ⊙ h′) U + b);  h = (1 − z) ⊙ h′ + z ⊙ h~
// reset after (the form of cuDNN and PyTorch; z has the opposite meaning there):
//   h~ = tanh(x W + b + r ⊙ (h′ U + c));  h = (1 − z) ⊙ h~ + z ⊙ h′
// Storage order z, r, h~: Wx [D x 3H], Uzr [H x 2H], U [H x H], b [3H], c [H] (reset after only).
// Publishes place.gru.{gate.z, gate.r, recurrent, reset, cand, h}: `recurrent` is h′ U + c (reset after only), `reset`
// what the reset gate lets through.
class Gru : public RecurrentCell {
 public:
  Gru(const ParameterBuilder& parameters, Index input_size, Index hidden_size, bool reset_after,
      const CellInit& init = {});

  Index hidden_size() const override { return U_.dim(0); }
  Index projected_size() const override { return 3 * hidden_size(); }
  Tensor project(const Tensor& x) const override;
  CellState step(const Tensor& projected, const CellState& previous, const SitePath& place,
                 const Tap& tap) const override;

 private:
  Tensor Wx_, Uzr_, U_, b_, c_;
  bool reset_after_;
};

// h = tanh(x Wx + h′ Wh + b) (Elman 1990). Publishes place.rnn.{pre, h}.
class SimpleRnn : public RecurrentCell {
 public:
  SimpleRnn(const ParameterBuilder& parameters, Index input_size, Index hidden_size, const CellInit& init = {});

  Index hidden_size() const override { return Wh_.dim(0); }
  Index projected_size() const override { return hidden_size(); }
  Tensor project(const Tensor& x) const override;
  CellState step(const Tensor& projected, const CellState& previous, const SitePath& place,
                 const Tap& tap) const override;

 private:
  Tensor Wx_, Wh_, b_;
};

}  // namespace headlight
