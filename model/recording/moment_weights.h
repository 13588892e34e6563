// Weights of moments: made from a model, and put into one.
#pragma once

#include <memory>

#include "model/layers/parameters.h"
#include "model/recording/recording.h"

namespace headlight {

std::shared_ptr<const MomentWeights> weights_of(const ParameterTable& parameters);

}  // namespace headlight
