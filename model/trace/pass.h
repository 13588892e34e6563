// How a forward pass runs, besides its inputs.
#pragma once

#include <vector>

#include "model/core/random.h"
#include "model/trace/tap.h"

namespace headlight {

// What batch normalisation saw in this pass, and the running average that it belongs to.
struct SeenMoments {
  Tensor running, now;
};

struct Pass {
  Tap tap;                                 // listens to every value; inactive in training
  Random* random = nullptr;                // draws of dropout and of sampled attention; null: none are drawn
  bool training = false;                   // dropout is on only then
  std::vector<SeenMoments>* moments = nullptr;  // takes them in training

  Pass() = default;
  Pass(const Tap& listening, Random* draws = nullptr) : tap(listening), random(draws) {}  // NOLINT: a tap is a pass
};

}  // namespace headlight
