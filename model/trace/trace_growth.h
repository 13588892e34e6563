// How much a run will keep, from a shorter or longer one of the same model.
#pragma once

#include "model/trace/trace.h"

namespace headlight {

// Bytes of the values of a trace by the number of tokens n of its text: fixed + linear n + square n². Along the axes
// that count tokens, values grow with the text. What explanations keep beside the named values is about as much again.
struct TraceGrowth {
  double fixed = 0, linear = 0, square = 0;
  double at(Index tokens) const {
    const auto n = static_cast<double>(tokens);
    return fixed + linear * n + square * n * n;
  }
};

// Of a trace of a text of `tokens` (at least 1) tokens. Values that share their storage count once.
TraceGrowth growth_of(const Trace& trace, Index tokens, bool explained);

}  // namespace headlight
