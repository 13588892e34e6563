// All hypotheses of a beam search as a table: one row for each, step by step, best first.
#pragma once

#include <memory>

#include "model/decode/run.h"
#include "widgets/tables/table.h"

namespace headlight {

// What became of a hypothesis: "went on", "dropped", ...
QString fate_name(BeamHypothesis::Fate fate);

class BeamModel : public ColumnTable {
  Q_OBJECT
 public:
  // The parent is a place in the step before (-1: none); the rank is that of a finished output, best first.
  enum Column { kStep, kPlace, kParent, kToken, kText, kLogProbability, kScore, kFate, kRank };

  void set_result(const std::shared_ptr<const Result>& result);
};

}  // namespace headlight
