#include "model/io/formats/pretrained/pretrained_plan.h"

#include "model/core/budget.h"
#include "model/models/registry.h"

namespace headlight {

using families::Family;
using families::Weights;

namespace {

// Our settings for this file: what config.json says, and what is there.
Json settings_for(const Json& config, const Family& family, Weights& weights, bool& predicts, const CancelToken& cancel,
                  bool adapted) {
  Json settings = family.settings(config);
  if (adapted) weights.settle_adapted(settings);
  const std::string kind = families::architecture_of(config);
  const bool pretraining = kind.ends_with("ForPreTraining");
  const bool encodes = settings.at("model_type") == "encoder_only";
  const bool transforms = !family.names.first("head.W").empty();
  if (transforms &&
      (encodes || settings.value("head_transform", false))) {  // BERT's output layer, of an encoder or of a decoder
    const char* named = encodes ? "MaskedLM" : "LM";
    predicts = weights.has_for("head.W") && (kind.empty() || pretraining || kind.find(named) != kind.npos);
    settings["head_transform"] = predicts;
    // BERT's tied output layer has a bias, ModernBERT's says whether it has.
    settings["output_bias"] =
        predicts && (weights.has_for("output.b") || settings.at("output_bias") == "yes") ? "yes" : "no";
  } else if (encodes) {  // the output layer alone, or none
    predicts = kind.find("MaskedLM") != kind.npos || (kind.empty() && weights.has_for("output.W"));
    settings["head_transform"] = false;
    settings["output_bias"] = "no";
  } else {
    predicts = kind.empty() || kind.find("LM") != kind.npos || kind.ends_with("ForConditionalGeneration") ||
               kind.ends_with("MTModel");
    // A file without it leaves it 0.
    if (!predicts || !weights.has_for("output.b")) settings["output_bias"] = "no";
  }
  settings["family"] = config.value("model_type", std::string());
  weights.settle(settings, predicts, cancel);
  if (adapted) settings[kAdapterStrength] = 1.0;
  return settings;
}

}  // namespace

PretrainedPlan::PretrainedPlan(const Json& given, const Json& rules, const TensorFile& file, std::string where,
                               const CancelToken& cancel, bool adapted)
    : config(families::in_own_words(given)), where_(std::move(where)) {
  if (const std::string reason = families::why_not(given); !reason.empty())
    throw FormatError(where_ + ": config.json: " + reason);
  const Family& family = *families::family_of(config);
  read_settings(family, file, cancel, adapted);
  try {
    top = families::OnTop(config, shapes->config(), family, *weights);
    const Json& full = shapes->config();  // states leave OPT as narrow as its embeddings
    top.try_on(full.at(full.value("output_projection", false) ? "embedding_size" : "model_size").get<Index>());
    generation = families::Generation(config, rules);
  } catch (const FormatError& error) {
    const std::string said = error.what();
    throw FormatError(said.starts_with(where_) ? said : where_ + ": " + said);
  }
  const std::string kind = families::architecture_of(config);
  weights->check_all_used(kind.empty() || kind.ends_with("Model") || predicts || top);
}

void PretrainedPlan::read_settings(const Family& family, const TensorFile& file, const CancelToken& cancel,
                                   bool adapted) {
  try {
    weights = std::make_unique<Weights>(file, family, config, where_);
    settings = settings_for(config, family, *weights, predicts, cancel, adapted);
    shapes = make_model(settings, {InitialValues::Kind::none});
  } catch (const Error& error) {
    const std::string said = families::in_their_words(error.what(), family.keys);
    throw FormatError(said.starts_with(where_) ? said : where_ + ": " + said);
  }
  pretraining = families::architecture_of(config).ends_with("ForPreTraining");
  const Json& full = shapes->config();
  head_size = full.at("head_size").get<Index>();
  if (head_size <= 0) head_size = full.at("model_size").get<Index>() / full.at("heads").get<Index>();
  within_budget(weights->memory_for(shapes->parameters()), budget::kWeights, where_ + ": holding its weights",
                "open a smaller model");
  weights->check_complete(shapes->parameters(), head_size);
}

}  // namespace headlight
