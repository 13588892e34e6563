// A small attention model with fixed weights, run for real: what the tests of stepper, inspector and trace list look
// at.
#pragma once

#include "model/decode/run.h"
#include "model/models/registry.h"

namespace headlight {

inline std::shared_ptr<const ModelBundle> small_bundle(Index hidden = 6) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->name = "small";
  bundle->text.source = Tokenizer(Vocabulary({" ", "a", "b", "c", "<", ">"}));
  bundle->text.target = Tokenizer(Vocabulary({"_", "0", "1", "2", "-"}));
  const Json config = {{"model_type", "attn_seq2seq"},
                       {"source_vocabulary_size", 6},
                       {"target_vocabulary_size", 5},
                       {"embedding_size", 4},
                       {"hidden_size", hidden}};
  bundle->model = make_model(config, 7);
  bundle->text.source_width = 0;
  bundle->text.target_length = 4;
  return bundle;
}

inline Result small_result(const std::string& source, std::vector<Intervention> edits = {}, Index hidden = 6) {
  static const auto small = small_bundle();
  Request request;
  request.id = 1;
  request.model = hidden == 6 ? small : small_bundle(hidden);
  request.source = source;
  request.interventions = std::move(edits);
  return run(request);
}

}  // namespace headlight
