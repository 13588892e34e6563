// What a configuration says about a Transformer, checked before any memory is taken.
#pragma once

#include "model/layers/transformer_stack.h"
#include "model/models/settings.h"

namespace headlight {

enum class TransformerShape { both, encoder_only, decoder_only };

struct TransformerSettings {
  TransformerShape shape = TransformerShape::both;
  Index source_vocabulary = 0, target_vocabulary = 0;
  TokenInputSettings input, decoder_input;    // of the encoder or the only side, of the decoder
  TransformerStackSettings encoder, decoder;  // those that the shape has
  enum class Tie { none, decoder, all } tie = Tie::decoder;
  bool output_bias = false;
  double output_scale = 1;      // of what the logits are computed from
  double logit_cap = 0;         // logits are c tanh(x / c) (Gemma Team 2024); 0: as they are
  Index output_size = 0;        // columns of what the logits are computed from
  bool has_output = true;       // it has an output layer
  bool head_transform = false;  // of one side alone: a layer in front of the logits
  bool head_bias = true;
  Activation head_activation = Activation::relu;
  bool continues = false;   // decoder only: the last source token stands in for the start sign
  Index random_offset = 0;  // in training, texts begin up to so many positions later (Dehghani et al. 2019)
  bool mask_padding = true;
  bool reverse_source = false;
  Activation activation = Activation::relu;
  Init init;
};

// Throws FormatError that names the setting, what was expected and what was found.
TransformerSettings read_transformer_settings(const Json& config, TransformerShape shape);
// The settings of that shape with their default values.
Json transformer_defaults(TransformerShape shape);

}  // namespace headlight
