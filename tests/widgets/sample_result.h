// Results made by hand, so that the views' tests need no trained model.
#pragma once

#include <QString>
#include <cmath>

#include "model/decode/run.h"
#include "model/trace/trace.h"

namespace headlight::sample {

// What a row of weights looks like in a date model: most of it on one token, some beside it. Sums to 1.
inline std::vector<Scalar> weights_around(int middle, int size) {
  std::vector<Scalar> weights(static_cast<std::size_t>(size));
  double sum = 0;
  for (int j = 0; j < size; ++j) sum += std::exp(-1.4 * std::abs(j - middle));
  for (int j = 0; j < size; ++j)
    weights[static_cast<std::size_t>(j)] = static_cast<Scalar>(std::exp(-1.4 * std::abs(j - middle)) / sum);
  return weights;
}

inline std::shared_ptr<const ModelBundle> bundle() {
  auto model = std::make_shared<ModelBundle>();
  model->name = "sample";
  model->title = "Dates, attention";
  model->text.source = Tokenizer(Vocabulary({" ", "s", "e", "p", "t", "m", "b", "r", "2", "7", ",", "1", "9", "4"}));
  model->text.target = Tokenizer(Vocabulary({"_", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "-"}));
  model->text.source_width = 24;
  model->text.target_length = 10;
  return model;
}

struct Options {
  std::string source = "september 27, 1994";
  std::string output = "1994-09-27";
  bool attention = true;
  int layers = 0;  // 0: one attention; else a model that attends in that many layers, with their mean
  std::vector<int> looked_at = {14, 15, 16, 17, 9, 3, 5, 12, 10, 11};  // by step: token
  std::uint64_t id = 1;
};

// Characters outside the small vocabulary of bundle() are left out of the run, as in a real one.
inline std::shared_ptr<const Result> result(const Options& options = {}) {
  auto made = std::make_shared<Result>();
  made->id = options.id;
  made->model = bundle();
  made->source = options.source;
  made->tokens = made->model->text.source.split(options.source);
  int known = 0;
  for (const TextToken& token : made->tokens) known += token.id ? 1 : 0;
  for (; known < made->model->text.source_width; ++known)
    made->tokens.push_back({" ", options.source.size(), options.source.size(), 0, true});
  // The encoder reads backwards.
  for (int i = 0, read = 0; i < static_cast<int>(made->tokens.size()); ++i)
    made->position_of_token.push_back(made->tokens[static_cast<std::size_t>(i)].id ? known - 1 - read++ : -1);
  made->token_of_position.resize(static_cast<std::size_t>(known));
  for (int i = 0; i < static_cast<int>(made->tokens.size()); ++i)
    if (const int at = made->position_of_token[static_cast<std::size_t>(i)]; at >= 0)
      made->token_of_position[static_cast<std::size_t>(at)] = i;

  Recorder recorder(Capture{{}, false}, {});
  const Tap tap = recorder.tap();
  const SitePath decoder("decoder");
  for (std::size_t t = 0; t < options.output.size(); ++t) {
    for (int layer = 0; layer < options.layers; ++layer) {
      const SitePath step(decoder, "step", static_cast<Index>(t));
      const SitePath place(step, "layer", layer);
      tap(SitePath(place, "attn"), "weights",
          Tensor::vector(weights_around((static_cast<int>(t) + layer) % known, known)));
    }
    if (options.layers > 0) {
      std::vector<Scalar> mean(static_cast<std::size_t>(known));
      for (int layer = 0; layer < options.layers; ++layer) {
        const auto weights = weights_around((static_cast<int>(t) + layer) % known, known);
        for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += weights[j] / static_cast<Scalar>(options.layers);
      }
      tap(SitePath(decoder, "step", static_cast<Index>(t)), "attn_mean", Tensor::vector(mean));
    } else if (options.attention) {
      const int token = options.looked_at[t % options.looked_at.size()];
      const int position = std::max(0, made->position_of_token[static_cast<std::size_t>(token)]);
      tap(SitePath(decoder, "step", static_cast<Index>(t)), "attention.weights",
          Tensor::vector(weights_around(position, known)));
    }
    OutputStep step;
    step.text = options.output.substr(t, 1);
    step.id = made->model->target_vocabulary().find(step.text).value_or(0);
    step.probability = t == 6 ? 0.62 : 0.9986;
    double rest = 1 - step.probability;
    step.top.push_back({step.id, step.text, step.probability});
    for (TokenId id = 1; step.top.size() < 5; ++id) {
      if (id == step.id) continue;
      step.top.push_back({id, made->model->target_vocabulary().text(id), rest * 0.7});
      rest *= 0.3;
    }
    made->steps.push_back(step);
    made->output += step.text;
  }
  made->trace = recorder.finish({});
  return made;
}

}  // namespace headlight::sample
