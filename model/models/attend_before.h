// Recurrent encoder-decoders that look at the source before the decoder's cell runs, with its previous state.
// Bahdanau et al. and Xu et al.; the rest is as in attend_after.h.
#pragma once

#include "model/models/registry.h"

namespace headlight {

// Rows of the registry (models.md 4.8, 4.10).
Architecture bahdanau_architecture();
Architecture bahdanau_m30k_architecture();
Architecture hard_attention_architecture();

}  // namespace headlight
