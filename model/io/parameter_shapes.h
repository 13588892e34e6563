// The shapes of a model's parameters, known before the model is made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/models/model.h"

namespace headlight {

struct ExpectedTensor {
  std::string name;
  Shape shape;
};

// A strange configuration may ask for more memory than there is, so its shapes are compared with the weight file first.
// They come from tiny models: every dimension is a sum of multiples of the settings that end in "_size" (4·H, D + H),
// and one tiny model per setting gives the multiples. Nothing when that does not hold for this architecture, or when
// the settings are not numbers.
std::optional<std::vector<ExpectedTensor>> expected_shapes(const Json& config);

}  // namespace headlight
