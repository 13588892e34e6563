// Recurrent encoder-decoders whose decoder runs first and looks at the source with its new state.
//
// Sutskever et al., Peeky, Luong et al., deep stacks and GNMT are one definition: what differs is a setting. Every
// score, reach and selection is in layers/attention.h. What looks with the previous state is attend_before.h.
#pragma once

#include "model/models/registry.h"

namespace headlight {

// Rows of the registry (models.md 4.1, 4.2, 4.4 to 4.7, 4.9, 4.14).
Architecture seq2seq_architecture();
Architecture peeky_architecture();
Architecture attention_architecture();
Architecture luong_architecture();
Architecture gnmt_architecture();

}  // namespace headlight
