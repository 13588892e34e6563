// What decoders that follow Llama have in common: settings, names of tensors, rows.
#pragma once

#include <string>
#include <vector>

#include "model/io/formats/families/family.h"

namespace headlight::families {

// Settings of Llama (Touvron et al. 2023), without positions.
Json decoder_settings(const Json& c, Index head_size, const char* act, bool tied);
Index usual_head_size(const Json& c);  // width / heads
Index head_size_of(const Json& settings);
bool every_layer(const Json&, Index);
// Windows in the layers that layer_types or else `local` names.
void set_windows(Json& s, const Json& c, Index window, bool (*local)(const Json&, Index));
void turn_whole_heads(Json& s, const Json& c);

// What a family has of its own where it is Llama otherwise: defaults of its keys, and what some of them are called.
struct Usual {
  bool tied = false;
  Index head_size = 0;        // 0: width / heads
  Index key_value_heads = 0;  // 0: as many as heads
  double epsilon = 1e-6;
  const char* epsilon_key = "rms_norm_eps";
  const char* activation = "silu";
  Rope rope{};
  bool in_part = false;     // heads may be turned in part
  bool neighbours = false;  // pairs (2i, 2i + 1) are turned
  bool layer_norm = false;  // with bias
};
Json after_llama(const Json& c, const Usual& usual);
// All of its linear maps have a bias, or none.
void set_biases(Json& s, bool attention, bool output, bool ffn);

Json granite_settings(const Json& c);
// Throws FormatError for a number that is not above 0.
double above_zero(const Json& c, const char* key, double fallback);

// Names of Llama's layers, and of ours.
inline const std::string kOurLayer = "decoder.layer[#]", kLlamaLayer = "layers.#.";
Names around_layers(How norm);           // embeddings, the first norm, the last, output
void add_sublayers(Names& n, How norm);  // attention with norms of queries and keys, gated network
Names llama_names();

// A row: what it adds to the keys that all have.
struct DecoderRow {
  const char *type, *keys;
  std::vector<Fixed> fixed;
  Json (*settings)(const Json&);
  Names names;
  std::vector<std::string> ignored{};
};
std::vector<Family> decoder_rows(std::vector<DecoderRow> rows);

}  // namespace headlight::families
