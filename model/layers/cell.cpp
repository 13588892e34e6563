#include "model/layers/cell.h"

#include "model/layers/gru.h"
#include "model/layers/lstm.h"

namespace headlight {

CellState RecurrentCell::zero_state(Index batch) const {
  CellState state;
  state.h = Tensor::zeros({batch, hidden_size()});
  if (has_memory()) state.c = Tensor::zeros({batch, hidden_size()});
  return state;
}

std::unique_ptr<RecurrentCell> make_cell(CellKind kind, const ParameterBuilder& parameters, Index input_size,
                                         Index hidden_size, const CellInit& init) {
  switch (kind) {
    case CellKind::gru:
    case CellKind::gru_reset_after:
      return std::make_unique<Gru>(parameters / "gru", input_size, hidden_size, kind == CellKind::gru_reset_after,
                                   init);
    case CellKind::rnn:
      return std::make_unique<SimpleRnn>(parameters / "rnn", input_size, hidden_size, init);
    case CellKind::lstm:
      break;
  }
  return std::make_unique<Lstm>(parameters / "lstm", input_size, hidden_size, init);
}

}  // namespace headlight
