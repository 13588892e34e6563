// Models: parameters, a configuration and a forward definition that inference, training and attribution share.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/layers/parameters.h"
#include "model/trace/pass.h"

namespace headlight {

using Json = nlohmann::ordered_json;

// Sources of a batch.
struct Source {
  Tensor ids;   // [S x N]
  Tensor keep;  // [N x S], 1 = a token, 0 = padding at the end; undefined: all are tokens

  Source(Tensor tokens, Tensor kept = {})
      : ids(std::move(tokens)), keep(std::move(kept)) {}  // NOLINT: ids are a source
};

// What the trainer knows when it asks for the losses that a decoding adds to its cross-entropy.
struct LossContext {
  Tensor sequence_nll;  // [N]: −log p of each target, summed over its tokens
  Tensor mask;          // [N x T], 1 = a token that counts
  double baseline = 0;  // moving average of log p (Xu et al. 2015, section 4.1)
  double scale = 1;     // what the cross-entropy of a token is multiplied by: 1 / counted tokens of the batch
};

// What a decoder remembers of a text that it has read at once (its prompt). A later run whose text begins with the same
// tokens may go on from there.
struct ReadText {
  virtual ~ReadText() = default;
  std::vector<TokenId> ids;
};

// One decoding in progress: the encoded source and the decoder's state.
class Decoding {
 public:
  virtual ~Decoding() = default;
  // Feeds T input tokens [T x N] (teacher forcing: all at once; generation: T = 1) and returns logits [N x T x V].
  // With an active tap T and N must be 1, so that every value has the name of its step.
  virtual Tensor advance(const Tensor& ids, const Pass& pass) = 0;
  // Goes on with these rows of the batch, in this order; a row may repeat (beam search). The source's side may be left
  // as it is when it has one row.
  virtual void select(const std::vector<Index>& rows) = 0;
  // The attention to show and to count coverage by, of the last advance(): [N x T x S]; undefined where there is none.
  virtual Tensor attention() const { return {}; }
  // For runs to come (N = 1); null where there is nothing to go on from.
  virtual std::shared_ptr<const ReadText> read_text() const { return nullptr; }
  // Losses beside the cross-entropy (REINFORCE, doubly stochastic attention), of all advances so far; undefined: none.
  virtual Tensor additional_loss(const LossContext& context) {
    (void)context;
    return {};
  }
};

class Model {
 public:
  virtual ~Model() = default;
  const Json& config() const { return config_; }
  ParameterTable& parameters() { return parameters_; }
  const ParameterTable& parameters() const { return parameters_; }
  // Encodes sources and makes the decoder ready for step 0. The model has to outlive the decoding.
  virtual std::unique_ptr<Decoding> begin(const Source& source, const Pass& pass) const = 0;

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
