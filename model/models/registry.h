// The registry of architectures. Whoever makes models includes this; whoever runs them, model.h.
#pragma once

#include "model/core/json_library.h"
#include "model/models/model.h"

namespace headlight {

// A row of the registry: what `--architecture NAME` and `model_type` in config.json mean.
struct Architecture {
  const char* name;   // "attn_seq2seq"
  const char* label;  // "attention": short, for the picker
  const char* title;  // "LSTM encoder-decoder with dot attention"
  const char* paper;
  Published published;
  std::vector<const char*> pictures;  // views (`--view NAME`) that tell most of it first: the window names four of them
  Json defaults;                      // configuration with its default values
  // Throws FormatError for a configuration out of bounds, before any memory is taken.
  std::unique_ptr<Model> (*make)(const Json& config, InitialValues values);
};

// Settings that a model has of where it comes from, whatever its architecture: the name of its family in its own
// library, and how much of the change by an adapter its weights have, 0 none and 1 all of it
// (ModelBundle::at_strength).
inline constexpr const char *kFamily = "family", *kAdapterStrength = "adapter_strength";

const std::vector<Architecture>& architectures();
const Architecture& find_architecture(const std::string& name);  // throws UsageError
// By config["model_type"]; missing settings take their defaults, unknown ones throw FormatError.
std::unique_ptr<Model> make_model(const Json& config, InitialValues values);
inline std::unique_ptr<Model> make_model(const Json& config, std::uint64_t seed) {
  return make_model(config, {InitialValues::Kind::drawn, seed});
}

}  // namespace headlight
