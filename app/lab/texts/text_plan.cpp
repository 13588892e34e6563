#include "app/lab/texts/text_plan.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/text/tokenizer.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr double kCharactersRead = 460'000, kTrainedOn = 0.9;  // of a text: its last tenth is held out
constexpr Index kBatch = 16;
constexpr int kMostEpochs = 60, kHeadWidth = 16;

}  // namespace

FileOptions file_options(const TextPlan& plan, const QString& path) {
  FileOptions options;
  const int last = static_cast<int>(std::size(kTokenizerNames)) - 1;
  options.tokenizer = kTokenizerNames[std::clamp(plan.tokens, 0, last)];
  if (!path.isEmpty()) options.files = {bytes_of(path)};
  return options;
}

TrainingSettings text_settings(const TextPlan& plan, const QString& path, Index characters) {
  TrainingSettings settings;
  settings.task = "text";
  settings.data = file_options(plan, path);
  const auto set = [&settings](const char* key, auto value) {
    if constexpr (std::is_same_v<decltype(value), int>)
      settings.set(std::string(key) + "=" + std::to_string(value));
    else
      settings.set(std::string(key) + "=" + value);
  };
  if (plan.recurrent) {
    settings.architecture = "recurrent_lm";
    set("embedding_size", plan.width);
    set("hidden_size", plan.width);
    set("layers", plan.layers);
  } else {
    settings.architecture = "decoder_only";
    set("model_size", plan.width);
    set("ff_size", 4 * plan.width);
    set("heads", std::max(1, plan.width / kHeadWidth));
    set("decoder_layers", plan.layers);
    set("positions", "learned");
    set("activation", "gelu_tanh");
    set("prompt", "continue");
  }
  settings.batch = kBatch;
  set("learning_rate", "0.003");
  set("clip", "1");
  set("dropout", "0");
  const double each = std::max(1.0, kTrainedOn * static_cast<double>(characters));
  settings.epochs = std::clamp(static_cast<int>(std::lround(kCharactersRead / each)), 1, kMostEpochs);
  return settings;
}

}  // namespace headlight
