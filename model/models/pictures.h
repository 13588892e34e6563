// Which pictures of a model are worth the first look.
#pragma once

#include <vector>

#include "model/models/traits.h"

namespace headlight {

// Views (`--view NAME`), that which tells most first; from the row of its architecture. Some may be of what this model
// lacks.
std::vector<const char*> telling_pictures(const ModelTraits& traits);

}  // namespace headlight
