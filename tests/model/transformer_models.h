// Small Transformers with weights by formula, and a batch of two padded sentences for them.
#pragma once

#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/heads.h"
#include "tests/model/transformer_cases.h"

namespace headlight::testing {

inline const char* const kTransformers[] = {"transformer", "encoder_only", "decoder_only"};

// One layer on each side, 6 units, 2 heads; dropout off.
inline Json tiny_transformer(const Json& differences = Json::object()) {
  Json config = {{"model_type", "transformer"},
                 {"source_vocabulary_size", 5},
                 {"target_vocabulary_size", 5},
                 {"model_size", 6},
                 {"heads", 2},
                 {"ff_size", 4},
                 {"positions", "sinusoid"},
                 {"dropout", 0}};
  for (const auto& [key, value] : differences.items()) config[key] = value;
  for (const char* side : {"encoder_layers", "decoder_layers"})
    if (!config.contains(side) &&
        !std::string(config.at("model_type")).starts_with(side[0] == 'e' ? "decoder" : "encoder"))
      config[side] = 1;
  return config;
}

// Weights large enough that attention prefers some tokens, and biases that are not 0.
inline std::unique_ptr<Model> filled_transformer(const Json& differences = Json::object()) {
  auto model = make_model(tiny_transformer(differences), 1);
  double s = 0;
  for (Parameter& p : model->parameters().all()) {
    const bool positive = p.name.ends_with("gamma") || p.name.ends_with("running_var");
    p.value.array() =
        p.value.array() * Scalar(1.2) + fill(s += 1, p.value.shape()).array() * Scalar(positive ? 0.4 : 0.6);
  }
  return model;
}

// Two sentences of 4 and 2 tokens, padded behind, and what is fed: 3 tokens, or as many as the source has.
struct PaddedSentences {
  Index batch = 2, length = 4;
  std::vector<Index> lengths = {4, 2};
  Tensor ids{Shape{4, 2}}, keep = Tensor::zeros({2, 4}), fed;

  explicit PaddedSentences(const Json& config) : fed({config.at("model_type") == "encoder_only" ? 4 : 3, 2}) {
    for (Index i = 0; i < ids.size(); ++i) ids[i] = static_cast<Scalar>((7 * i + 3) % 5);
    for (Index i = 0; i < fed.size(); ++i) fed[i] = static_cast<Scalar>((4 * i + 1) % 5);
    for (Index n = 0; n < batch; ++n)
      for (Index j = 0; j < lengths[static_cast<std::size_t>(n)]; ++j) keep[n * length + j] = 1;
  }
  Source source() const { return {ids, keep}; }
};

inline Tensor column_of(const std::vector<Scalar>& ids) { return Tensor::of({static_cast<Index>(ids.size()), 1}, ids); }
inline const std::vector<Scalar> kSource = {3, 1, 4, 1, 0, 2}, kFed = {1, 4, 2, 2, 0, 3};

// Logits [T x V] of one sentence, all rows at once.
inline Tensor logits_of(const Model& model, const std::vector<Scalar>& source, const std::vector<Scalar>& fed) {
  const Tensor all = model.begin(column_of(source), {})->advance(column_of(fed), {});
  return all.view(0, {all.dim(1), all.dim(2)});
}

inline Json settings_of(QString text) { return Json::parse(text.replace('\'', '"').toStdString()); }

}  // namespace headlight::testing
