// A decoder with drawn weights, in the shape of GPT-2: for what takes time whatever the weights are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/models/bundle.h"
#include "model/models/registry.h"

namespace headlight {

struct DrawnDecoder {
  int vocabulary = 1000, model_size = 768, heads = 12, layers = 12, ff_size = 3072;
};

inline std::shared_ptr<const ModelBundle> drawn_decoder(const DrawnDecoder& shape = {}) {
  auto bundle = std::make_shared<ModelBundle>();
  std::vector<std::string> tokens;
  for (int i = 0; i < shape.vocabulary; ++i) tokens.push_back("t" + std::to_string(i));
  bundle->text.source = bundle->text.target = Tokenizer(Vocabulary(tokens));
  bundle->text.target_length = 1;
  bundle->model = make_model({{"model_type", "decoder_only"},
                              {"source_vocabulary_size", shape.vocabulary},
                              {"target_vocabulary_size", shape.vocabulary},
                              {"model_size", shape.model_size},
                              {"heads", shape.heads},
                              {"ff_size", shape.ff_size},
                              {"decoder_layers", shape.layers},
                              {"activation", "gelu"},
                              {"norm_place", "pre"},
                              {"positions", "learned"},
                              {"max_positions", 600}},
                             1);
  return bundle;
}

// As many tokens as asked for, all in the vocabulary.
inline std::vector<TokenId> drawn_tokens(int count, const DrawnDecoder& shape = {}) {
  std::vector<TokenId> ids;
  for (int i = 0; i < count; ++i) ids.push_back(4 + i * 37 % (shape.vocabulary - 10));
  return ids;
}

}  // namespace headlight
