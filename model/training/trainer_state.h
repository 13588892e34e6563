// What a Trainer holds; shared by training and checkpoints.
#pragma once

#include "model/training/optimiser.h"
#include "model/training/parallel.h"
#include "model/training/trainer.h"

namespace headlight {

struct Trainer::State {
  explicit State(TrainingSettings s);

  TrainingSettings settings;  // resolved
  std::shared_ptr<const Task> task;
  TaskData data;
  std::shared_ptr<Model> model;
  Dataset train, test;
  Optimiser optimiser;
  Workers workers;
  std::vector<EpochRecord> history;
  double baseline = 0;            // moving average of log p of a target (Xu et al. 2015, section 4.1)
  double gradient_norm = 0;       // sum over the epoch's batches so far
  std::vector<Tensor> gradients;  // of the last update, in the order of the parameters
};

}  // namespace headlight
