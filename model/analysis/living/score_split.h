// What of a score is due to the tokens and what to their positions, where positions are added to the embeddings: q and
// k of the first layer are sums, so q·k splits into token·token, token·position, position·token, position·position,
// and what kinds of sentences and biases add (models.md 5, fact 6; Ke et al. 2021, section 3.1).
//
// A norm on the way is a linear map too once its scale is held as it was in this run: the split is exact then as well.
#pragma once

#include <array>
#include <optional>

#include "model/analysis/living/map.h"

namespace headlight {

struct ScoreSplit {
  enum Part { token_token, token_position, position_token, position_position, rest };
  static constexpr int kParts = 5;
  std::array<Tensor, kParts> parts;  // [Q x K], lanes of the side that asks and that is asked; the first is the query's
  Tensor scores;                     // of the run; 0 where a row has no such key
  bool norm = false;                 // one stands between, with its scale held
  bool has_rest = false;             // something beside tokens and positions adds
};

// Of which sides the first layer's scores split; cheap.
std::vector<LivingLane::Side> split_sides(const Result& result);
// Of a head of the first layer; nothing where it does not split, or the run kept too little.
std::optional<ScoreSplit> score_split(const LivingMap& map, LivingLane::Side side, Index head);

}  // namespace headlight
