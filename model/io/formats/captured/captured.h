// Attention without a model: weights that somebody stored, with the tokens that they are of.
//
// Opened, it is a bundle with StoredRuns: run() asks those for the result, and the model of the bundle has no weights.
// Shapes that do not fit each other are refused before anything is read (stored_maps.h). AttentionRows (model/decode)
// says whether rows are shares; where AttentionMap::are_shares is false, views draw values as far as they go and say
// nothing of habits. Views that need a model do not offer themselves (is_computed in app/stage/view_table.cpp).
#pragma once

#include "model/io/formats/format.h"

namespace headlight {

// A file with "attentions", "encoder_attentions", "decoder_attentions", "cross_attentions" or
// "blocks.0.attn.hook_pattern" (docs/formats.md says which shapes), or one of a set of shards, NAME-00000-of-00002.npz,
// which is opened whole.
Format captured_format();

}  // namespace headlight
