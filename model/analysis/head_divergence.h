// Which heads look elsewhere in a second run of the same text: with an adapter and without, of two files of one model.
#pragma once

#include <string>
#include <vector>

#include "model/trace/trace.h"

namespace headlight {

struct HeadDivergence {
  std::string attention;  // "attentions", "encoder_attentions", "decoder_attentions", "cross_attentions"
  Index layer = 0, head = 0;
  // Jensen-Shannon divergence of the rows of both, on the average: 0 alike, ln 2 nothing shared.
  double nats = 0;
};

// Of every head of two runs, by what the library calls their weights: "attentions.LAYER" [H x Q x K]. By attention, and
// of each the largest first; what only one run has, or has in another shape, is left out.
std::vector<HeadDivergence> head_divergences(const std::vector<NamedTensor>& one,
                                             const std::vector<NamedTensor>& other);

}  // namespace headlight
