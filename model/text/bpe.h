// Learning byte-pair encoding from the words of a corpus (Sennrich et al. 2016).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/text/tokenizer.h"

namespace headlight {

// Symbols that occur in the words (characters, with kWordEnd on the last one), then what `count` merges make of them.
struct BpeModel {
  std::vector<std::string> symbols;
  Merges merges;
};
// `words` with how often each occurs; ties go to the pair that comes first in byte order.
BpeModel learn_bpe(const std::vector<std::pair<std::string, Index>>& words, Index merges);

}  // namespace headlight
