// Convolutional sequence to sequence learning (Gehring et al. 2017).
#pragma once

#include "model/models/registry.h"

namespace headlight {

Architecture convs2s_architecture();

}  // namespace headlight
