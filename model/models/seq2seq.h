// Recurrent encoder-decoders: plain, Peeky, and with attention.
#pragma once

#include "model/models/model.h"

namespace headlight {

// Rows of the registry (models.md 4.1, 4.2, 4.4).
Architecture seq2seq_architecture();
Architecture peeky_architecture();
Architecture attention_architecture();

}  // namespace headlight
