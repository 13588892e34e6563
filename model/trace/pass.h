// How a forward pass runs, besides its inputs.
#pragma once

#include "model/core/random.h"
#include "model/trace/tap.h"

namespace headlight {

struct Pass {
  Tap tap;                   // listens to every value; inactive in training
  Random* random = nullptr;  // draws of dropout and of sampled attention; null: none are drawn
  bool training = false;     // dropout is on only then

  Pass() = default;
  Pass(const Tap& listening, Random* draws = nullptr) : tap(listening), random(draws) {}  // NOLINT: a tap is a pass
};

}  // namespace headlight
