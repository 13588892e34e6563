// The beam search of a run: its own (beam.h), or the library's (writing.h) where the request has such settings.
#pragma once

#include <vector>

#include "model/decode/run.h"

namespace headlight {

// What the best hypothesis writes, at most `steps` tokens; the tree goes into the result.
std::vector<TokenId> beam_winner(const Request& request, const Source& source, const std::vector<TokenId>& never,
                                 Index steps, Result& result);

}  // namespace headlight
