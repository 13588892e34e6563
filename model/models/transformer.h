// The Transformer (Vaswani et al. 2017) in its three shapes, from one definition.
//
// What differs between published models (norms, activations, biases, positions, tied embeddings, scales, grouped heads)
// is a setting, read and checked in transformer_settings.cpp. A stack (layers/transformer_stack.h) appends to the keys
// and values that it has (KV cache), so that reading a prompt, teacher forcing and decoding are one call. Prompts of a
// batch have their padding in front. Rows that are computed at once are at decoder.layer[l], those of a step at
// decoder.step[t].layer[l].
#pragma once

#include "model/models/model.h"
#include "model/models/registry.h"

namespace headlight {

Architecture transformer_architecture();   // encoder and decoder
Architecture encoder_only_architecture();  // guesses masked words (Devlin et al. 2019)
Architecture decoder_only_architecture();  // continues a text (Radford et al. 2018)

// Lets the decoder behind an encoder read tokens [T x 1] at once, in front of step 0: their last states [1 x T x d].
// The values stand at decoder.layer[l], as those of a prompt. For what stands on top of them.
Tensor read_at_once(Decoding& decoding, const Tensor& ids, const Pass& pass);

// Of a decoder alone that has read a text as its prompt: the logits behind each token of it [1 x T x V].
Tensor logits_of_read(const Decoding& decoding);

}  // namespace headlight
