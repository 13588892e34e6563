// Tiny recurrent models with weights by formula, and a sentence for them.
#pragma once

#include "model/core/json_library.h"
#include "tests/model/recurrent_cases.h"

namespace headlight::testing {

// A model from a configuration, with weights by formula.
inline std::shared_ptr<Model> filled(Json config) {
  Json full = {{"source_vocabulary_size", 7}, {"target_vocabulary_size", 7}, {"embedding_size", 3}, {"hidden_size", 4}};
  full.update(config);
  std::shared_ptr<Model> model = make_model(full, 1);
  double s = 0;
  for (Parameter& p : model->parameters().all()) p.value.array() = fill(s += 1, p.value.shape()).array() * Scalar(1.4);
  return model;
}

inline Sentences tiny_sentence(Index s_count, Index t_count) {
  Sentences one;
  one.source = Source(Tensor({s_count, 1}));
  for (Index j = 0; j < s_count; ++j) one.source.ids[j] = static_cast<Scalar>((3 * j + 2) % 7);
  one.fed = Tensor({t_count, 1});
  one.targets = Tensor({1, t_count});
  for (Index t = 0; t < t_count; ++t) {
    one.fed[t] = static_cast<Scalar>((4 * t + 1) % 7);
    one.targets[t] = static_cast<Scalar>((5 * t + 3) % 7);
  }
  one.mask = Tensor::full({1, t_count}, 1);
  one.draws = Tensor::full({1, t_count}, Scalar(0.4));
  one.tokens = t_count;
  return one;
}

inline Json changed(Json config, const Json& changes) {
  config.update(changes);
  return config;
}

}  // namespace headlight::testing
