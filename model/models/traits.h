// What the rest of the program asks about a model, whatever its architecture.
//
// Read from the configuration once. Only the switches (model/analysis/switches.h), and what shows or stores settings,
// look into the JSON itself.
#pragma once

#include <string>

#include "model/core/json.h"
#include "model/core/tensor.h"

namespace headlight {

// When an architecture was first published (arXiv, or the conference), and by whom.
struct Published {
  int year = 0, month = 0;
  const char* authors = "";  // "Luong et al."
};

struct ModelTraits {
  enum class Kind { encoder_decoder, encoder_only, decoder_only };
  std::string architecture;  // Architecture::name: "attn_seq2seq"
  Published published;
  Kind kind = Kind::encoder_decoder;
  Index target_vocabulary = 0;
  Index width = 1;  // d of Vaswani et al. 2017, or the size of the hidden state
  Index heads = 1;
  Index kernel_size = 0;           // of its convolutions; 0: it has none
  bool reads_reversed = false;     // the encoder reads the source from its end to its beginning
  bool writes_reversed = false;    // trained on outputs that are turned round: they are turned back for the reader
  bool causal = true;              // the decoder sees no later token
  bool continues_source = false;   // decoder only: the last token of the source stands in for the start sign
  bool attends_ahead = false;      // what a step looks up is not used before the next one writes
  bool local_attention = false;    // the decoder reads a window of the source (Luong et al. 2015, section 3.2)
  Index half_width = 0;            // D of that window
  double sigma = 0;                // of its hill; 0: D / 2
  std::string positions = "none";  // of kPositionNames (layers/token_input.h)
  Index position_size = 0;         // columns of a table of sinusoids; 0: the configuration does not say
  double rotary_theta = 10'000;    // base of the angles (Su et al. 2021)
  bool rotary_neighbours = false;  // numbers 2i and 2i + 1 turn together; else i and i + d/2
};

// Of a complete configuration, as a model holds it.
ModelTraits traits_of(const Json& config);
// Of a configuration from a file: what it leaves out has its default value. Throws FormatError, and UsageError for an
// architecture that does not exist.
ModelTraits described_traits(const Json& config);

}  // namespace headlight
