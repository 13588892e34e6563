// Training: updates, held-out quality, checkpoints.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
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

// The model as it is before the first update. Throws UsageError for settings that do not fit.
std::unique_ptr<Model> untrained_model(const TrainingSettings& settings, const Task& task);

// One update on the next batch of an epoch.
struct UpdateRecord {
  double nll = 0, tokens = 0;  // sum over the target tokens of the batch that count, nats, and how many these are
  double learning_rate = 0, gradient_norm = 0;  // the norm before clipping
};

class Trainer {
 public:
  // Makes or reads the data and makes the model. Throws UsageError, FileError and FormatError for what does not fit.
  // `task`: that of the settings, where it was read already.
  explicit Trainer(TrainingSettings settings, std::shared_ptr<const Task> task = nullptr);
  ~Trainer();

  // Goes on from a checkpoint. Throws FormatError when it belongs to other settings (epochs and patience may differ).
  void load_checkpoint(const std::filesystem::path& file);
  // One file, written atomically: parameters, optimiser state, settings, history, and how far the begun epoch is: it
  // may be saved between any two updates. `more` is kept with it, for whoever reads the file.
  void save_checkpoint(const std::filesystem::path& file, const std::map<std::string, std::string>& more = {}) const;

  // Trains one epoch, or the rest of the one that is begun, and evaluates it. Throws Cancelled, and goes on from there
  // when it is called again; and Error when the numbers overflow: the weights are then of no use, the checkpoint of the
  // epoch before is.
  EpochRecord run_epoch(const std::function<void(const TrainingProgress&)>& progress = {},
                        const CancelToken& cancel = {});
  // The same in its parts. One update on the next batch of the begun epoch, which has one left:
  UpdateRecord advance();
  Index batches_left() const;  // of the begun epoch; 0: it is to be ended
  // Evaluates the epoch, whose batches were all read. Throws as above.
  EpochRecord end_epoch(const CancelToken& cancel = {});
  // One update on one batch; returns its mean negative log-likelihood per token. The benchmark's unit of work.
  double step(const Batch& batch);

  // The asked-for epochs are done, or held-out loss has not fallen for `patience` epochs.
  bool finished() const;
  // No other epoch so far had a lower held-out loss than the last one.
  bool last_epoch_is_best() const { return best_epoch(history()) == epochs_done() - 1; }

  const TrainingSettings& settings() const;
  const Task& task() const { return *shared_task(); }
  const std::shared_ptr<const Task>& shared_task() const;
  const std::vector<EpochRecord>& history() const;
  int epochs_done() const { return static_cast<int>(history().size()); }
  Index updates() const;            // that were made
  Index updates_in_epoch() const;   // full batches of the training data
  Index examples_in_batch() const;  // of every batch
  double seconds() const;           // of training, in all epochs
  // Norms of the last update's gradients before clipping, one for each parameter; empty unless they were asked for.
  const std::vector<double>& gradient_norms() const;
  void keep_gradient_norms();
  double learning_rate() const;  // of the next update
  // What is measured and saved: the trained weights, or their mean over the last epochs (TrainingSettings::average).
  Model& model();
  std::shared_ptr<Model> shared_model();
  std::shared_ptr<Model> trained_model();  // that the updates are made to
  bool reverses_targets() const;           // as ModelTraits::writes_reversed
  const Dataset& train_data() const;
  const Dataset& test_data() const;
  const std::vector<Example>& train_examples() const;
  const std::vector<Example>& test_examples() const;
  // What was taken out of both, as the settings' probes ask.
  const std::vector<Example>& left_out() const;

 private:
  struct State;
  [[noreturn]] void overflow(const char* what, const std::string& place) const;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
