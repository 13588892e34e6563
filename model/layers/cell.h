// Recurrent cells behind one interface, unrolled by their caller.
#pragma once

#include <memory>

#include "model/layers/parameters.h"
#include "model/trace/tap.h"

namespace headlight {

struct CellState {
  Tensor h;  // [N x H]
  Tensor c;  // [N x H], LSTM only
};

// How the weights of a cell start.
struct CellInit {
  Init input = Init::fan_in();      // x W
  Init recurrent = Init::fan_in();  // h′ W
  double forget_bias = 0;  // LSTM: where the bias of the forget gate starts (1 in GNMT: nothing is forgotten yet)
};

class RecurrentCell {
 public:
  virtual ~RecurrentCell() = default;
  virtual Index hidden_size() const = 0;
  // Width of project(): 4H for the LSTM, 3H for the GRU, H for the simple RNN.
  virtual Index projected_size() const = 0;
  // x W + b for any number of steps at once: [.. x D] -> [.. x projected_size].
  virtual Tensor project(const Tensor& x) const = 0;
  // One step from the projection of its input [N x projected_size]. Publishes place.<cell>.*.
  virtual CellState step(const Tensor& projected, const CellState& previous, const SitePath& place,
                         const Tap& tap) const = 0;
  virtual bool has_memory() const { return false; }  // whether CellState::c is used

  CellState zero_state(Index batch) const;
};

enum class CellKind { lstm, gru, gru_reset_after, rnn };
inline const std::vector<std::string> kCellNames = {"lstm", "gru", "gru_reset_after", "rnn"};

// Parameters lie under "lstm.", "gru." or "rnn." of `parameters`.
std::unique_ptr<RecurrentCell> make_cell(CellKind kind, const ParameterBuilder& parameters, Index input_size,
                                         Index hidden_size, const CellInit& init = {});

}  // namespace headlight
