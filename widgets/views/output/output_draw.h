// How a sampled token was drawn: the probabilities that it was drawn from, side by side, and the number that fell.
#pragma once

#include <optional>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

// Tokens stand in the order of their ids, which is the order in which they are added up: the first at which the sum
// exceeds u is written.
struct OutputDraw {
  struct Part {
    double from = 0, to = 0;  // of 1
    bool written = false;
  };
  std::vector<Part> parts;  // neighbours that are too thin to be told apart are one
  double u = 0;
  int kept = 0;      // tokens that could be drawn
  double share = 0;  // of the written token among those
};

// Parts below this share of the whole are drawn as one with their neighbours.
inline constexpr double kThinnestPart = 1.0 / 64;

// Nothing for steps that were not drawn (forced, greedy), and for runs that kept no logits.
std::optional<OutputDraw> output_draw(const Result& result, int step);

}  // namespace headlight
