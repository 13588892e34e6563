// The Neural Turing Machine (Graves et al. 2014).
#pragma once

#include "model/models/registry.h"

namespace headlight {

// A row of the registry (models.md 4.15).
Architecture ntm_architecture();

}  // namespace headlight
