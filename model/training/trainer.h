// Training: batches, updates, held-out accuracy, checkpoints.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/models/model.h"
#include "model/training/batch.h"
#include "model/training/task.h"

namespace headlight {

struct TrainingSettings {
  std::string task, architecture;
  Json model;  // settings of the architecture that differ from its defaults
  int epochs = 10;
  std::uint64_t seed = 1;  // of the initial weights and of the order of examples; the data have a seed of their own
  Index batch = 128;
  double learning_rate = 1e-3;
  double clip = 5;  // global norm
  Index train_size = 45'000, test_size = 5'000;
  // Each batch is cut into this many parts that run side by side and whose gradients are added in order: the result
  // depends on this number, not on the machine's cores.
  Index parts = 2;

  // Applies KEY=VALUE: one of batch, learning_rate, clip, train_size, test_size, parts, or a setting of the
  // architecture. Throws UsageError.
  void set(const std::string& key_value);
  Json to_json() const;
  static TrainingSettings from_json(const Json& json);
};

struct EpochRecord {
  int epoch = 0;             // from 1
  double loss = 0;           // mean negative log-likelihood of a training token, nats
  double exact_match = 0;    // share of held-out examples whose whole output is right, greedy decoding
  double gradient_norm = 0;  // mean before clipping
  double seconds = 0;        // of training, without the evaluation
  double examples_per_second = 0;
};

struct TrainingProgress {
  int epoch = 0, epochs = 0;
  Index batch = 0, batches = 0;
  double loss = 0;                 // of this epoch so far
  double examples_per_second = 0;  // of this epoch so far
  double seconds_left = 0;         // of the whole training, at the speed so far
  bool evaluating = false;
};

class Trainer {
 public:
  // Generates the data and makes the model. Throws UsageError and FormatError for settings that do not fit.
  explicit Trainer(TrainingSettings settings);
  ~Trainer();

  // Goes on from a checkpoint. Throws FormatError when it belongs to other settings (epochs may differ).
  void load_checkpoint(const std::filesystem::path& file);
  // One file, written atomically: parameters, optimiser state, settings, history.
  void save_checkpoint(const std::filesystem::path& file) const;

  // Trains one epoch and evaluates it. Throws Cancelled.
  EpochRecord run_epoch(const std::function<void(const TrainingProgress&)>& progress = {},
                        const CancelToken& cancel = {});
  // One update on one batch; returns its loss. The benchmark's unit of work.
  double step(const Batch& batch);

  const TrainingSettings& settings() const;
  const Task& task() const;
  const std::vector<EpochRecord>& history() const;
  int epochs_done() const { return static_cast<int>(history().size()); }
  Model& model();
  std::shared_ptr<Model> shared_model();
  const Dataset& train_data() const;
  const Dataset& test_data() const;
  const std::vector<Example>& test_examples() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct Evaluation {
  Index examples = 0;
  double exact_match = 0;     // greedy decoding, whole output
  double token_accuracy = 0;  // greedy decoding, token by token
  double nll = 0;             // teacher-forced, nats per token; the perplexity is exp(nll)
};

// Held-out quality. Examples run in batches side by side.
Evaluation evaluate(const Model& model, const Dataset& data, const CancelToken& cancel = {});

// "epoch,loss,exact_match,gradient_norm,seconds,examples_per_second" and a line for each epoch.
std::string history_csv(const std::vector<EpochRecord>& history);

}  // namespace headlight
