// What the heads view shows of each head: its weights as a picture, what it brings, or one number.
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "model/analysis/bench/text_heads.h"
#include "widgets/views/heads/heads_measures.h"

namespace headlight {

// In the place of a layer.
inline constexpr Index kAllLayers = -2;

enum class HeadsShown {
  weights,  // pictures
  values,
  alti,
  rollout,
  without_first,  // weights, but for those of the first token
  previous,       // numbers, in the order of kPatternNames
  self,
  next,
  first,
  separators,
  same_word,
  one_word,
  entropy,
  reach,
  effect,
  pair
};
inline constexpr const char* kHeadsShownNames[] = {
    "weights", "values",     "alti",      "rollout",  "without_first", "previous", "self",   "next",
    "first",   "separators", "same_word", "one_word", "entropy",       "reach",    "effect", "pair"};
inline bool is_number(HeadsShown shown) { return shown >= HeadsShown::previous; }
inline bool is_share(HeadsShown shown) { return shown >= HeadsShown::previous && shown <= HeadsShown::reach; }
QString shown_name(HeadsShown shown);
QString shown_help(HeadsShown shown);

// Of a pair of tokens: the row and the column of a map of this kind.
struct HeadPair {
  AttentionMap::Kind kind = AttentionMap::Kind::encoder_self;
  Index query = 0, key = 0;
};

// The maps of one kind with other numbers in the place of the weights; empty: they do not fit the run.
std::vector<AttentionMap> maps_shown(HeadsShown shown, const std::vector<AttentionMap>& maps, const SideHeads& heads);
// The weights without those that the first token gets, and how much of all that is.
struct WithoutFirst {
  std::vector<AttentionMap> maps;
  double share = 0;
};
WithoutFirst without_first(const std::vector<AttentionMap>& maps);
// One number of each head of a kind, as far as there is one.
MeasuredHeads measured_share(HeadsShown shown, const SideHeads& heads);
MeasuredHeads measured_pair(const HeadPair& pair, const std::vector<AttentionMap>& maps, const SideHeads* heads);
MeasuredHeads measured_effect(const HeadEffects& effects, AttentionMap::Kind kind, const SideHeads* heads);

}  // namespace headlight
