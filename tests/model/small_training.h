// Small trainings, and the weights that come out.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/training/trainer.h"

namespace headlight::trainings {

inline TrainingSettings small(const std::vector<std::string>& more = {}, const char* architecture = "attn_seq2seq",
                              const char* task = "copy") {
  TrainingSettings settings;
  settings.task = task;
  settings.architecture = architecture;
  for (const char* setting : {"hidden_size=6", "embedding_size=4", "train_size=200", "test_size=40", "batch=32"})
    settings.set(setting);
  for (const std::string& setting : more) settings.set(setting);
  return settings;
}

inline std::vector<Scalar> weights(Trainer& trainer) {
  std::vector<Scalar> all;
  for (const Parameter& p : trainer.model().parameters().all())
    all.insert(all.end(), p.value.data(), p.value.data() + p.value.size());
  return all;
}

inline double distance(const std::vector<Scalar>& a, const std::vector<Scalar>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

}  // namespace headlight::trainings
