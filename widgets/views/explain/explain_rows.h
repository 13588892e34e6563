// How one output came about, in four steps, each with its numbers in the trace: the scores of an attention, its shares,
// what they mix, and what is chosen.
#pragma once

#include <optional>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "widgets/base/selection.h"

namespace headlight {

class AnalysedRun;

struct ExplainRows {
  enum class Kind { compare, share, mix, choose };
  struct Number {
    double value = 0;
    Index cell = 0;  // flat index within the entry of its row; -1: it is none of the trace
  };
  struct Row {
    Kind kind = Kind::compare;
    int entry = -1;  // of the trace
    std::vector<Number> numbers;
  };
  int step = -1, steps = 0;
  std::string written;
  // The words of a text are looked at in place of an output: whether this one was hidden, and whether the model writes
  // nothing at all.
  bool of_words = false, hidden = false, only_read = false;
  bool of_classes = false;            // what is chosen from are classes, not tokens
  const AttentionMap* map = nullptr;  // of the run, whose row this is; null: it looks at nothing
  Index head = 0;
  std::vector<AttentionToken> columns;  // of compare and share
  std::vector<std::string> candidates;  // of choose, the most probable first
  std::vector<Row> rows;                // those that the run has, in this order

  // How many outputs there are to explain; of a model that writes nothing, words.
  static int count(const Result& result);
  // Of such a model the word that looks with the selected weight, else the selected word; nothing: none is.
  static std::optional<int> word(const AnalysedRun& run, const SelectionState& chosen);
  // Of the output `step`, with the attention that a selected number belongs to, else the last that reads the text.
  // Nothing without a recorded run.
  // `folded`: columns of padding are one, with the sum of their shares and no number of the trace.
  static std::optional<ExplainRows> of(const AnalysedRun& run, int step, const SelectionState& chosen,
                                       bool folded = false);
};

}  // namespace headlight
