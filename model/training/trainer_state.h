// What a Trainer holds; shared by training and checkpoints.
#pragma once

#include "model/training/optimiser.h"
#include "model/training/parallel.h"
#include "model/training/trainer.h"

namespace headlight {

struct Trainer::State {
  explicit State(TrainingSettings s);

  TrainingSettings settings;
  const Task& task;
  TaskData data;
  Dataset train, test;
  std::shared_ptr<Model> model;
  Optimiser optimiser;
  Workers workers;
  std::vector<EpochRecord> history;
  double gradient_norm = 0;  // sum over the epoch's batches so far
};

}  // namespace headlight
