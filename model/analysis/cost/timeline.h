// What waits for what while a model computes: each layer at each token as a box, in the first column of time in which
// all that it needs is there. Boxes of one column wait for nothing of each other, however many there are; the number of
// columns is what no parallel machine can shorten.
//
// A box is a layer for one token, an attention that stands by itself, or the output layer. Everything is one step.
#pragma once

#include <optional>
#include <vector>

#include "model/analysis/cost/cost.h"

namespace headlight {

struct TimelineBox {
  enum class Kind { encoder, decoder, attention, output };
  Kind kind = Kind::encoder;
  bool of_source = false;  // the row is a position of the source as the run has it; else of the decoder's own text
  int row = 0;
  int layer = 0;
  bool backward = false;  // of an encoder that reads in both directions
  int column = 0;         // from 0
  bool operator==(const TimelineBox&) const = default;
};

struct Timeline {
  std::vector<TimelineBox> boxes;  // in the order of rows, then of columns
  int source_rows = 0, text_rows = 0;
  int columns = 0;  // dependent steps
};

// None: its attention was stored.
std::optional<Timeline> timeline(const Model& model, const RunLengths& lengths, Pace pace);
std::optional<Timeline> timeline(const Result& result, Pace pace);

}  // namespace headlight
