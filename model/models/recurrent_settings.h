// The settings that all recurrent encoder-decoders share, read from a configuration within bounds.
#pragma once

#include "model/layers/attention_history.h"
#include "model/layers/encoder.h"
#include "model/models/settings.h"

namespace headlight {

// How the weights of a model start; "init" in the configuration.
struct InitScheme {
  Init embed, matrix;
  CellInit cell;
  AttentionInit attention;
};

struct RecurrentSettings {
  Index target_vocabulary = 0;
  EncoderSettings encoder;
  InitScheme init;
};

// Settings of every recurrent encoder-decoder, with their defaults.
Json recurrent_defaults();
// Settings of the attention, under "attention."
Json attention_defaults();

// All throw FormatError.
RecurrentSettings recurrent_settings(const Json& config);
AttentionSettings attention_settings(const Json& config);
AttentionLosses attention_losses(const Json& config);

}  // namespace headlight
