// Training: updates, held-out quality, checkpoints.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "model/core/cancel.h"
#include "model/training/batch.h"
#include "model/training/evaluate.h"
#include "model/training/history.h"
#include "model/training/training_settings.h"

namespace headlight {

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
  // Makes or reads the data and makes the model. Throws UsageError, FileError and FormatError for what does not fit.
  explicit Trainer(TrainingSettings settings);
  ~Trainer();

  // Goes on from a checkpoint. Throws FormatError when it belongs to other settings (epochs and patience may differ).
  void load_checkpoint(const std::filesystem::path& file);
  // One file, written atomically: parameters, optimiser state, settings, history.
  void save_checkpoint(const std::filesystem::path& file) const;

  // Trains one epoch and evaluates it. Throws Cancelled, and Error when the numbers overflow: the weights are then of
  // no use, the checkpoint of the epoch before is.
  EpochRecord run_epoch(const std::function<void(const TrainingProgress&)>& progress = {},
                        const CancelToken& cancel = {});
  // One update on one batch; returns its mean negative log-likelihood per token. The benchmark's unit of work.
  double step(const Batch& batch);

  // The asked-for epochs are done, or held-out loss has not fallen for `patience` epochs.
  bool finished() const;
  // No other epoch so far had a lower held-out loss than the last one.
  bool last_epoch_is_best() const { return best_epoch(history()) == epochs_done() - 1; }

  const TrainingSettings& settings() const;
  const Task& task() const;
  const std::vector<EpochRecord>& history() const;
  int epochs_done() const { return static_cast<int>(history().size()); }
  double learning_rate() const;  // of the next update
  // What is measured and saved: the trained weights, or their mean over the last epochs (TrainingSettings::average).
  Model& model();
  std::shared_ptr<Model> shared_model();
  const Dataset& train_data() const;
  const Dataset& test_data() const;
  const std::vector<Example>& test_examples() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
