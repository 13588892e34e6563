// What a Trainer holds; shared by training and checkpoints.
#pragma once

#include <deque>

#include "model/training/optimiser.h"
#include "model/training/trainer.h"

namespace headlight {

struct Trainer::State {
  explicit State(TrainingSettings s);

  TrainingSettings settings;  // resolved
  std::shared_ptr<const Task> task;
  TaskData data;
  std::shared_ptr<Model> model;  // that is trained
  Dataset train, test;
  Optimiser optimiser;
  std::vector<EpochRecord> history;
  double baseline = 0;            // moving average of log p of a target (Xu et al. 2015, section 4.1)
  double gradient_norm = 0;       // sum over the epoch's batches so far
  std::vector<Tensor> gradients;  // of the last update, in the order of the parameters

  // Of settings.average: the weights after the last epochs, oldest first, and the model that holds their mean. Without
  // it, that is the trained model itself.
  std::deque<std::vector<Tensor>> last_weights;
  std::shared_ptr<Model> averaged;
  void keep_weights();  // of the trained model, after an epoch
  void average_weights();
};

}  // namespace headlight
