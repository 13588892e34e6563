// Learning byte-pair encoding from the words of a corpus (Sennrich et al. 2016, algorithm 1).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/text/tokenizer.h"

namespace headlight {

struct BpeModel {
  // Characters that occur often enough, each also with kWordEnd, the most frequent first; then what the merges make.
  std::vector<std::string> tokens;
  Merges merges;
};

// `words` with how often each occurs. The most frequent pair of neighbours becomes one symbol, again and again; of
// equals the one that is first in byte order. Ends after `count` merges, or when every pair is rarer than
// `min_frequency` (or stands alone).
BpeModel learn_bpe(const std::vector<std::pair<std::string, Index>>& words, Index count, Index min_frequency = 1);

}  // namespace headlight
