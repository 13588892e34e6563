// The alignment: attention weights of all steps as one matrix, its columns in reading order.
#pragma once

#include <string>
#include <vector>

#include "model/analysis/attention_maps.h"

namespace headlight {

struct Alignment {
  Tensor weights;                          // [T x S]: output step t, source token in reading order (reversal undone)
  std::vector<std::string> row_labels;     // what was written at each step (AWO, models.md 1.2 rule 6)
  std::vector<std::string> input_labels;   // what the decoder was fed at each step (AWI)
  std::vector<std::string> column_labels;  // source tokens
  std::vector<AttentionToken> rows, columns;
  std::vector<int> token_of_column;    // index into Result::tokens; -1: a token that was written
  std::vector<bool> hidden;            // AttentionMap::hidden_cells
  std::vector<int> entry_of_row;       // trace entry of the weights of each step; -1: a mean over heads, or words
  std::vector<Index> index_of_column;  // flat index within that entry
  bool are_shares = true;              // AttentionMap::are_shares
  bool words = false;                  // pieces of words were put together: no weight is a cell of the trace
  bool empty() const { return !weights.defined(); }
};

// The model's attention; of a model that looks in several layers their mean, or one of them (of several heads the
// mean). `words`: pieces of words are put together (word_groups.h). Empty for a model without attention (or without
// that layer), or for a result without a trace.
Alignment alignment(const Result& result, int layer = -1, bool words = false);
// The same of a result whose attention_maps() are there already.
Alignment alignment(const Result& result, const std::vector<AttentionMap>& maps, int layer, bool words);
// Whether it has pieces of words.
bool alignment_has_pieces(const Result& result, const std::vector<AttentionMap>& maps, int layer = -1);

// The layers that look at the source, in order; none for a model that does so in one place.
std::vector<int> aligned_layers(const std::vector<AttentionMap>& maps);

}  // namespace headlight
