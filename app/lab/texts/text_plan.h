// What the fields of the page of texts say, as a training.
#pragma once

#include <QString>

#include "model/recording/live_training.h"
#include "model/training/training_settings.h"

namespace headlight {

struct TextPlan {
  int tokens = 0;          // of kTokenizerNames: characters, words, byte pairs
  bool recurrent = false;  // else a Transformer that reads the text itself (GPT)
  int width = 64, layers = 2;
  QString start = QStringLiteral("the ");
  int dice = 1;
  bool operator==(const TextPlan&) const = default;
};

inline constexpr int kLeastWidth = 16, kMostWidth = 256, kWidthStep = 16, kMostLayers = 4;

FileOptions file_options(const TextPlan& plan, const QString& path);
// `characters` of the text: short ones are read more often, so that all read about as many.
TrainingSettings text_settings(const TextPlan& plan, const QString& path, Index characters);

}  // namespace headlight
