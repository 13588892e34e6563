// A recurrent network that continues a text (Mikolov et al. 2010): a decoder alone, without attention.
//
// One network reads the text and goes on writing, with the same weights (decoder.*). What it computes while it reads
// has the names of an encoder (encoder.step[j]), what it computes while it writes those of a decoder (decoder.step[t]),
// so that a step is always an output. The last token of the text is read at step 0, in place of a start sign.
#pragma once

#include "model/models/registry.h"

namespace headlight {

Architecture recurrent_lm_architecture();

}  // namespace headlight
