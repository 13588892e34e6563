// The beam search of a run: its own (beam.h), or the library's (writing.h) where the request has such settings.
#pragma once

#include <vector>

#include "model/decode/run.h"

namespace headlight {

// How an output begins before it is searched for: the start sign, and what a person has written behind it. As for the
// library, that belongs to what was given: settings count what comes behind it.
struct GivenBeginning {
  TokenId start = 0;
  std::vector<TokenId> tokens;
};

// What the best hypothesis writes, the beginning counted, at most `steps` tokens; the tree, which begins with it, goes
// into the result.
std::vector<TokenId> beam_winner(const Request& request, const Source& source, const GivenBeginning& given,
                                 const std::vector<TokenId>& never, Index steps, Result& result);

}  // namespace headlight
