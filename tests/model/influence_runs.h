// Small models for what depends on what, and their maps.
#pragma once

#include "model/analysis/influence.h"
#include "model/io/formats/format.h"
#include "model/models/registry.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

inline constexpr Index kInfluenceWords = 8;

inline std::shared_ptr<const ModelBundle> influence_model(const Json& config,
                                                          const std::function<void(Parameter&)>& change = {}) {
  Json full = {{"source_vocabulary_size", kInfluenceWords}, {"target_vocabulary_size", kInfluenceWords}};
  full.update(config);
  std::unique_ptr<Model> model = make_model(full, 3);
  if (change)
    for (Parameter& parameter : model->parameters().all()) change(parameter);
  std::vector<std::string> words;
  for (Index i = 0; i < kInfluenceWords; ++i) words.push_back("t" + std::to_string(i));
  auto bundle = std::make_shared<ModelBundle>();
  bundle->text.source = bundle->text.target = Tokenizer(Vocabulary(words));
  bundle->text.target_length = 4;
  bundle->model = std::move(model);
  return bundle;
}

inline std::shared_ptr<const Result> influence_run(const std::shared_ptr<const ModelBundle>& model, Index tokens,
                                                   std::vector<Intervention> edits = {}) {
  Request request;
  request.model = model;
  for (Index i = 0; i < tokens; ++i) request.ids.push_back(static_cast<TokenId>((3 * i + 1) % kInfluenceWords));
  request.interventions = std::move(edits);
  return std::make_shared<const Result>(run(request));
}

}  // namespace headlight::testing
