// Models: parameters, a configuration and a forward definition that inference, training and attribution share.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/layers/parameters.h"
#include "model/trace/tap.h"

namespace headlight {

using Json = nlohmann::ordered_json;

// One decoding in progress: the encoded source and the decoder's state.
class Decoding {
 public:
  virtual ~Decoding() = default;
  // Feeds T input tokens [T x N] (teacher forcing: all at once; generation: T = 1) and returns logits [N x T x V].
  // With an active tap T must be 1, so that every value has the name of its step.
  virtual Tensor advance(const Tensor& ids, const Tap& tap) = 0;
};

class Model {
 public:
  virtual ~Model() = default;
  const Json& config() const { return config_; }
  ParameterTable& parameters() { return parameters_; }
  const ParameterTable& parameters() const { return parameters_; }
  // Encodes sources [S x N] and makes the decoder ready for step 0.
  virtual std::unique_ptr<Decoding> begin(const Tensor& source_ids, const Tap& tap) const = 0;

 protected:
  explicit Model(Json config) : config_(std::move(config)) {}
  Json config_;
  ParameterTable parameters_;
};

// A row of the registry: what `--architecture NAME` and `model_type` in config.json mean.
struct Architecture {
  const char* name;   // "attn_seq2seq"
  const char* label;  // "attention": short, for the picker
  const char* title;  // "LSTM encoder-decoder with dot attention"
  const char* paper;
  Json defaults;  // configuration with its default values
  // Throws FormatError for a configuration out of bounds, before any memory is taken.
  std::unique_ptr<Model> (*make)(const Json& config, InitialValues values);
};

const std::vector<Architecture>& architectures();
const Architecture& find_architecture(const std::string& name);  // throws UsageError
// By config["model_type"]; missing settings take their defaults, unknown ones throw FormatError.
std::unique_ptr<Model> make_model(const Json& config, InitialValues values);
inline std::unique_ptr<Model> make_model(const Json& config, std::uint64_t seed) {
  return make_model(config, {InitialValues::Kind::drawn, seed});
}

}  // namespace headlight
