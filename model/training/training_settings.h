// What a training is asked for. Every flat key of `headlight train --set KEY=VALUE` is a row of one table: its bounds,
// its meaning, and its place in the checkpoint.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/core/json.h"
#include "model/core/json_library.h"
#include "model/training/optimiser.h"
#include "model/training/schedule.h"
#include "model/training/tasks/task.h"

namespace headlight {

struct TrainingSettings {
  std::string task, architecture;
  Json model;  // settings of the architecture that differ from its defaults
  int epochs = 10;
  std::uint64_t seed =
      1;             // of the initial weights, the order of examples and dropout; the data have a seed of their own
  FileOptions data;  // of the tasks that read files: "pairs" and "text"
  // Sources that are asked while it trains: what the model reads as the same tokens is neither trained on nor held out.
  std::vector<std::string> probes;

  Index batch = 128;
  Index train_size = 45'000, test_size = 5'000;
  // Each batch is cut into this many parts that run side by side and whose gradients are added in order: the result
  // depends on this number, not on the machine's cores.
  Index parts = 2;
  std::string optimiser = "adam_epsilon_hat", schedule = "constant";
  OptimiserConstants constants;  // what differs from the optimiser's own
  ScheduleSettings rates;        // learning_rate and width are filled in by the trainer
  double clip = 5;               // global norm of the gradients; 0: not cut
  double clip_value = 0;         // every number of the gradients; 0: not cut
  double label_smoothing = 0;
  // Chance that a decoder step is fed the right token before it instead of the model's own choice; multiplied by the
  // decay after every epoch (scheduled sampling, Bengio et al. 2015).
  double teacher_forcing = 1, teacher_forcing_decay = 1;
  Index patience = 0;  // stop after so many epochs without a lower held-out loss; 0: never
  // The model that is measured and saved has the mean of the weights after so many last epochs (Vaswani et al. 2017,
  // section 6.1); training goes on from its own. 0 and 1: its own.
  Index average = 0;

  // Applies KEY=VALUE: a key of training_keys(), or a setting of the architecture. Throws UsageError.
  void set(const std::string& key_value);
  // With the optimiser's constants and what the task takes by itself filled in.
  TrainingSettings resolved() const;
  Json to_json() const;
  // Missing keys take their defaults. Throws UsageError or Json::exception for values that do not fit.
  static TrainingSettings from_json(const Json& json);
};

// A row of the table of keys.
struct TrainingKey {
  // Where the value stands: whole numbers, numbers, numbers that may be left open, words, yes or no or open.
  using Field = std::variant<Index*, double*, std::optional<double>*, std::string*, std::optional<bool>*>;
  const char* name;
  const char* meaning;
  Field (*field)(TrainingSettings&);
  double low, high;                // of numbers
  std::vector<std::string> words;  // that are allowed
  std::vector<std::string> tasks;  // that have it; empty: all
  bool serves(const std::string& task) const;
};
const std::vector<TrainingKey>& training_keys();

}  // namespace headlight
