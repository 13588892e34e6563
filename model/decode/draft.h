// What the run before wrote, as a guess of what is written now.
//
// A step of a small model takes as long as its weights are read. Of guessed steps all rows of a product are made in one
// reading (speculative decoding, Leviathan et al. 2023, with the run before as the draft model). Each step is then run
// as ever, but takes over the rows whose input is its own (ops/known_rows.h): a wrong guess costs time and changes
// nothing.
#pragma once

#include <vector>

#include "model/core/tensor.h"
#include "model/decode/run.h"
#include "model/models/model.h"
#include "model/ops/known_rows.h"

namespace headlight {

class Draft {
 public:
  // Guesses nothing where there is no run before, where the model's steps depend on each other's states, or where an
  // edit or a target says what is written.
  Draft(const Request& request, const Decoding& decoding);

  // To be called in front of each step, from 0 on; it is fed `last`. Multiplies ahead where that is worth it.
  void look_ahead(const Decoding& decoding, TokenId last);
  const KnownRows& rows() const { return rows_; }
  Index row() const { return step_ - first_; }  // of the step in front of which we are
  void wrote(TokenId token);

 private:
  Index ahead() const { return first_ + count_ - step_; }
  // Where in the earlier output that goes on which ends as this one does.
  std::size_t found_again() const;

  std::vector<TokenId> before_, now_;
  std::size_t next_ = 0;  // of the earlier output, what is guessed to be written; behind its end: nothing
  Index most_ = 0;        // rows of a guess
  Index step_ = 0, first_ = 0, count_ = 0;
  KnownRows rows_;  // of steps [first_, first_ + count_)
};

}  // namespace headlight
