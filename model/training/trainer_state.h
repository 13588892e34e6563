// What a Trainer holds; shared by training and checkpoints.
#pragma once

#include <cstdint>
#include <deque>

#include "model/training/optimiser.h"
#include "model/training/trainer.h"

namespace headlight {

// Takes the probes out of training and held-out examples: those that the model would read as the same tokens.
std::vector<Example> take_out(const std::vector<std::string>& probes, const TextRules& text, TaskData& data);

struct Trainer::State {
  State(TrainingSettings s, std::shared_ptr<const Task> t);

  TrainingSettings settings;  // resolved
  std::shared_ptr<const Task> task;
  TaskData data;
  std::vector<Example> left_out;  // the probes
  std::shared_ptr<Model> model;  // that is trained
  Dataset train, test;
  Optimiser optimiser;
  std::vector<EpochRecord> history;
  double baseline = 0;            // moving average of log p of a target (Xu et al. 2015, section 4.1)
  // Of the epoch that is begun: sums over its batches so far, and the order of all of them.
  struct Begun {
    Index batches = 0;
    double nll = 0, tokens = 0, gradient_norm = 0;
    double seconds = 0, learning_rate = 0;
  } begun;
  std::vector<std::vector<std::uint32_t>> cut;  // empty: not yet cut
  double last_norm = 0;                         // of the last update's gradients, before clipping
  bool keeps_norms = false;
  std::vector<double> norms;      // of each parameter, the same
  std::vector<Tensor> gradients;  // of the last update, in the order of the parameters

  // Of settings.average: the weights after the last epochs, oldest first, and the model that holds their mean. Without
  // it, that is the trained model itself.
  std::deque<std::vector<Tensor>> last_weights;
  std::shared_ptr<Model> averaged;
  void keep_weights();  // of the trained model, after an epoch
  void average_weights();
};

}  // namespace headlight
