// Attention without a model: weights that somebody stored, with the tokens that they are of.
#pragma once

#include "model/io/formats/format.h"

namespace headlight {

// A file with "attentions", "encoder_attentions", "decoder_attentions", "cross_attentions" or
// "blocks.0.attn.hook_pattern" (docs/formats.md says which shapes), or one of a set of shards, NAME-00000-of-00002.npz,
// which is opened whole.
Format captured_format();

}  // namespace headlight
