// Small models with fixed random weights, run for real: recurrent ones, convolutions, machines with a memory; and
// bundled ones.
#pragma once

#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"

namespace headlight::sample {

inline std::shared_ptr<const Result> small_run(const Json& settings, const std::string& source = "abcde",
                                               std::vector<Intervention> edits = {}) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->text.source = Tokenizer(Vocabulary({" ", "a", "b", "c", "<", ">", "d", "e"}));
  bundle->text.target = Tokenizer(Vocabulary({"_", "0", "1", "2", "-", "3", "4", "5"}));
  bundle->text.target_length = 6;
  Json config = {{"source_vocabulary_size", 8}, {"target_vocabulary_size", 8}};
  config.update(settings);
  bundle->model = make_model(config, 11);
  Request request;
  request.id = 1;
  request.model = bundle;
  request.source = source;
  request.interventions = std::move(edits);
  return std::make_shared<const Result>(run(request));
}

inline std::shared_ptr<const Result> recurrent_run(const Json& more = Json::object(),
                                                   const std::string& source = "abcde") {
  Json settings = {{"model_type", "attn_seq2seq"}, {"embedding_size", 6}, {"hidden_size", 24}};
  settings.update(more);
  return small_run(settings, source);
}

inline std::shared_ptr<const Result> convolution_run(const std::string& source = "abcdeabcde") {
  return small_run({{"model_type", "convs2s"},
                    {"embedding_size", 8},
                    {"hidden_size", 16},
                    {"encoder_layers", 3},
                    {"decoder_layers", 2},
                    {"kernel_size", 3},
                    {"max_positions", 32}},
                   source);
}

inline std::shared_ptr<const Result> machine_run(const Json& more = Json::object(),
                                                 const std::string& source = "abcde") {
  Json settings = {{"model_type", "ntm"}, {"hidden_size", 8}, {"memory.slots", 12}, {"memory.width", 5}};
  settings.update(more);
  return small_run(settings, source);
}

inline std::shared_ptr<const Result> bundled_run(const char* model, const char* source) {
  Request request;
  request.model = load_model(model);
  request.source = source;
  return std::make_shared<const Result>(run(request));
}

}  // namespace headlight::sample
