// What an attention head does, in a few numbers and one word (models.md 9.1).
#pragma once

#include "model/analysis/attention_maps.h"

namespace headlight {

// The habit of a head: where most of its weight goes. Of a text that looks at itself it is its Pattern
// (bench/patterns.h).
enum class HeadKind {
  same,        // on the token itself; in cross-attention along the diagonal
  previous,    // on the token before
  next,        // on the token behind
  first,       // on the first token of the text, often a place to rest (Clark et al. 2019)
  separators,  // on special tokens but the first, and punctuation
  same_word,   // on other tokens of the same text
  one_word,    // of all rows, on one token
  even,        // spread over everything
  sharp,       // of a source that is read: on one token, another one for each row
  mixed,
  not_numbers,  // a weight is NaN or infinite
  not_shares,   // of stored values: a row does not add up to 1, or has a negative one
};

// Means over the rows that have a choice (two kept keys or more). NaN where the weights are no shares.
struct HeadStatistics {
  double entropy = 0;   // -Σ a log2 a, divided by log2 of the kept keys: 0 one token, 1 all alike
  double bits = 0;      // the same undivided
  double distance = 0;  // Σ a |t - j| in tokens; in cross-attention of relative positions t/T and j/S
  double same = 0, previous = 0, next = 0, first = 0;  // share of the weight
  double confidence = 0;                               // the largest weight of a row
  double highest = 0;                                  // the largest weight of all
  Index rows = 0;                                      // that had a choice
};
HeadStatistics head_statistics(const AttentionMap& map, Index head);
HeadKind head_kind(const AttentionMap& map, Index head);

}  // namespace headlight
