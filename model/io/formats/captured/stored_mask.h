// The mask that was stored with attention: which tokens only fill up a batch, in whatever way somebody wrote that.
#pragma once

#include <optional>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct StoredMask {
  std::vector<bool> is_token;       // of each key
  std::optional<RunNote> note;      // what is unusual about it
  std::size_t without_end() const;  // how many tokens there are when the padding behind them is left out
};

// `mask`: a number for each key, above 0 for a token; where there are only 0 and negative ones, it is one that is added
// to scores, and 0 is a token. `maps` [H x Q x K]: what it is compared with. A mask that leaves nothing, or leaves out
// what is looked at, is not applied, and the note says so.
StoredMask read_mask(const std::vector<Scalar>& mask, const Tensor& maps);

}  // namespace headlight
