// The three steps of an LSTM cell (Hochreiter & Schmidhuber 1997; forget gate: Gers et al. 2000). Storage order f, g,
// i, o.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// [N x 4H] -> [N x 4H]: f = σ(A[0:H]), g = tanh(A[H:2H]), i = σ(A[2H:3H]), o = σ(A[3H:4H]).
Tensor lstm_gates(const Tensor& pre);
// c = f ⊙ c′ + g ⊙ i: gates [N x 4H], c′ [N x H] -> [N x H].
Tensor lstm_cell(const Tensor& gates, const Tensor& previous);
// h = o ⊙ tanh(c): gates [N x 4H], c [N x H] -> [N x H].
Tensor lstm_hidden(const Tensor& gates, const Tensor& cell);

}  // namespace headlight
