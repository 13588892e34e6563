// How rotary positions are stretched to texts that are longer than those that a model learned from: each way of it
// (layers/rotary.h) as curves over positions.
#pragma once

#include "model/experiments/experiment.h"
#include "model/layers/rotary.h"

namespace headlight {

struct StretchedRotary {
  const char* name;  // of kRotaryScalingNames
  Rotary rotary;
};
// Heads of 16 numbers, θ = 10,000, learned from 64 positions.
std::vector<StretchedRotary> stretched_rotaries();

Experiment rotations_experiment();

}  // namespace headlight
