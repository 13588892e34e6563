#include "app/lab/setup/training_estimate.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "model/core/budget.h"
#include "model/core/json_library.h"
#include "model/core/parallel.h"
#include "model/models/registry.h"
#include "model/training/trainer.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr int kSettled = 400;  // milliseconds without a change
constexpr int kUpdates = 3;    // that are timed, behind one that is not

double free_memory() {
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE)),
               pages = static_cast<double>(sysconf(_SC_AVPHYS_PAGES));
  return std::max(0.0, page * pages);
}

// Weights, their gradients (once for each part of a batch, and their sum) and two moments of the optimiser.
double bytes_of_training(Index numbers, const TrainingSettings& settings) {
  return static_cast<double>(numbers) * sizeof(Scalar) * (4 + static_cast<double>(settings.parts));
}

// A model as it would be, without taking memory for it.
Index count_numbers(const TrainingSettings& settings, const Task& task) {
  Json config = settings.model.is_object() ? settings.model : Json::object();
  config["model_type"] = find_architecture(settings.architecture).name;
  config["source_vocabulary_size"] = task.text.source.vocabulary().size();
  config["target_vocabulary_size"] = task.text.target.vocabulary().size();
  return make_model(config, InitialValues{InitialValues::Kind::none, settings.seed})->parameters().count();
}

double seconds_of_update(const TrainingSettings& settings, const CancelToken& cancel) {
  TrainingSettings few = settings;
  few.train_size = std::min<Index>(settings.train_size, 2 * settings.batch);
  few.test_size = 1;
  Trainer trainer(few);
  const Index size = std::min(few.batch, trainer.train_data().size());
  const auto batches = trainer.train_data().batches(few.seed, 1, size);
  double best = 0;
  for (int i = 0; i <= kUpdates; ++i) {
    cancel.check();
    const auto begun = std::chrono::steady_clock::now();
    trainer.step(trainer.train_data().batch(batches[static_cast<std::size_t>(i) % batches.size()]));
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (i == 1 || (i > 1 && took < best)) best = took;  // the first one fills caches
  }
  return best;
}

}  // namespace

TrainingMeasured TrainingEstimate::measure(const TrainingSettings& asked, const CancelToken& cancel) {
  const TrainingSettings settings = asked.resolved();
  const std::shared_ptr<const Task> task = find_task(settings.task, settings.pairs);
  cancel.check();
  TrainingMeasured measured;
  measured.numbers = count_numbers(settings, *task);
  measured.examples = settings.train_size;
  measured.kept = settings.test_size;
  if (task->fixed) {
    const auto all = static_cast<Index>(task->fixed->train.size() + task->fixed->test.size());
    measured.kept = std::min(settings.test_size, static_cast<Index>(task->fixed->test.size()));
    if (measured.kept == 0) measured.kept = std::min(settings.test_size, all / 2);
    measured.examples = std::min(settings.train_size, all - measured.kept);
  }
  const double needed = bytes_of_training(measured.numbers, settings), free = free_memory();
  if (free > 0 && needed > free) {
    measured.problem =
        tr("%1 numbers are too many for the memory of this machine: training them takes %2, and %3 are "
           "free. Fewer units make fewer numbers.")
            .arg(large_number(static_cast<double>(measured.numbers)), byte_size(needed), byte_size(free));
    return measured;
  }
  const double updates = static_cast<double>((measured.examples + settings.batch - 1) / settings.batch) *
                         static_cast<double>(settings.epochs);
  measured.seconds = updates * seconds_of_update(settings, cancel);
  return measured;
}

TrainingEstimate::TrainingEstimate(QObject* parent)
    : QObject(parent),
      job_([this](const TrainingMeasured& found) { emit measured(found); },
           [this](const QString& message, bool) { emit failed(message); }) {
  soon_.setSingleShot(true);
  soon_.setInterval(kSettled);
  connect(&soon_, &QTimer::timeout, this, [this] {
    job_.start([settings = settings_](const CancelToken& cancel) {
      work_behind();
      return measure(settings, cancel);
    });
  });
}

void TrainingEstimate::ask(const TrainingSettings& settings) {
  settings_ = settings;
  job_.stop();
  soon_.start();
}

void TrainingEstimate::stop() {
  soon_.stop();
  job_.stop();
}

}  // namespace headlight
