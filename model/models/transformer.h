// The Transformer (Vaswani et al. 2017) in its three shapes, from one definition.
#pragma once

#include "model/models/registry.h"

namespace headlight {

Architecture transformer_architecture();   // encoder and decoder
Architecture encoder_only_architecture();  // guesses masked words (Devlin et al. 2019)
Architecture decoder_only_architecture();  // continues a text (Radford et al. 2018)

}  // namespace headlight
