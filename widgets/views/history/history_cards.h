// One text through the history of attention: which models can read it, in the order in which they were published, and
// what they agree on. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/analysis/difference.h"
#include "model/models/description.h"

namespace headlight {

struct HistoryCard {
  std::shared_ptr<const ModelBundle> bundle;  // may be without its weights
  int year = 0;                               // 0: not known
  const char* paper = "";                     // who: names, not translated
  bool open = false;                          // the model of the window
};

// The models with the same task as the open one, and those that read words and know every one of this text (every
// letter is known to any model that reads letters: that says nothing). The open one is always among them.
std::vector<HistoryCard> history_cards(const std::vector<ModelDescription>& models, const Result& open);

// The output that most of these results have; of equally many the one that comes first. Empty results do not count.
std::vector<std::string> common_output(const std::vector<const Result*>& results);
// The tokens that a result has in common with it, and where it differs: aligned(common, its tokens).
std::vector<PlacePair> agreement(const std::vector<std::string>& common, const Result& result);
std::vector<std::string> output_tokens(const Result& result);

}  // namespace headlight
