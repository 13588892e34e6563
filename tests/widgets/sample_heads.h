// A result of a small Transformer made by hand: heads with known habits in every layer.
#pragma once

#include "sample_result.h"

namespace headlight::sample {

struct HeadOptions {
  Index layers = 3, heads = 4;
  std::vector<std::string> source = {"the", "old", "cat", "sleeps", "on", "a", "red", "chair", "."};
  std::vector<std::string> output = {"le", "vieux", "chat", "dort", "sur", "une", "chaise", "rouge", ".", "</s>"};
  bool decoder = true;
  Scalar instead = 0.1f;  // of the first head of the first encoder layer, row 3, key 2; not where it is .1
  TokenizerKind kind = TokenizerKind::words;
  std::uint64_t id = 1;
};

// A row of weights of head `head` in layer `layer`: the habits go around. Sums to 1.
inline void write_habit(Scalar* weights, Index keys, Index own, Index head, Index layer) {
  const Index habit = (head + layer) % 5;
  const Index target = habit == 0 ? own : habit == 1 ? own - 1 : habit == 2 ? 0 : (own * 3 + layer) % keys;
  double sum = 0;
  for (Index j = 0; j < keys; ++j) {
    const double score =
        habit == 4 ? 0 : -1.3 * static_cast<double>(std::abs(j - std::clamp<Index>(target, 0, keys - 1)));
    weights[j] = static_cast<Scalar>(std::exp(score));
    sum += static_cast<double>(weights[j]);
  }
  for (Index j = 0; j < keys; ++j) weights[j] = static_cast<Scalar>(static_cast<double>(weights[j]) / sum);
}

inline std::shared_ptr<Result> heads_result(const HeadOptions& options = {}) {
  auto made = std::make_shared<Result>();
  made->id = options.id;
  auto model = std::make_shared<ModelBundle>();
  model->text.source = Tokenizer(Vocabulary({" "}), options.kind);
  model->text.target = Tokenizer(Vocabulary({"_"}), options.kind);
  made->model = model;
  const auto size = static_cast<Index>(options.source.size());
  for (Index i = 0; i < size; ++i) {
    made->tokens.push_back({options.source[static_cast<std::size_t>(i)], 0, 0, 1, false});
    made->position_of_token.push_back(static_cast<int>(i));
    made->token_of_position.push_back(static_cast<int>(i));
  }
  Recorder recorder(Capture{{}, false}, {});
  const Tap tap = recorder.tap();
  const SitePath encoder("encoder"), decoder("decoder");
  for (Index l = 0; l < options.layers; ++l) {
    Tensor weights({options.heads, size, size});
    for (Index h = 0; h < options.heads; ++h)
      for (Index t = 0; t < size; ++t) write_habit(weights.data() + (h * size + t) * size, size, t, h, l);
    if (l == 0 && options.instead != HeadOptions().instead) weights[3 * size + 2] = options.instead;
    const SitePath layer(encoder, "layer", l), attention(layer, "self_attn");
    tap(attention, "head.weights", weights);
  }
  for (std::size_t t = 0; options.decoder && t < options.output.size(); ++t) {
    OutputStep written;
    written.text = options.output[t];
    written.probability = 0.9;
    made->steps.push_back(written);
    const SitePath step(decoder, "step", static_cast<Index>(t));
    const Index now = static_cast<Index>(t) + 1;
    for (Index l = 0; l < options.layers; ++l) {
      Tensor own({options.heads, now}), cross({options.heads, size});
      for (Index h = 0; h < options.heads; ++h) {
        write_habit(own.data() + h * now, now, now - 1, h, l);
        write_habit(cross.data() + h * size, size, std::min(now - 1, size - 1), h + 3, l);
      }
      const SitePath layer(step, "layer", l);
      tap(SitePath(layer, "self_attn"), "head.weights", own);
      tap(SitePath(layer, "cross_attn"), "head.weights", cross);
    }
  }
  made->trace = recorder.finish({});
  return made;
}

}  // namespace headlight::sample
