// A training that is watched: moments are kept while it runs, it can be paused, stopped and gone on with, and its
// numbers are those of `headlight train` with the same settings, bit for bit (observing draws nothing and changes
// nothing; tests/model/test_live_training.cpp).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "model/core/cancel.h"
#include "model/models/bundle.h"
#include "model/recording/recording.h"

namespace headlight {

class Trainer;

// Updates at which a moment is kept: 0, 1, 2, 4, 8, 16, 24, 32, 40 and then evenly, some `most` in all.
std::vector<Index> moment_updates(Index updates, int most = 80);

struct LiveOptions {
  std::vector<Probe> probes;        // empty: a held-out example
  std::vector<std::string> starts;  // of open-ended tasks; empty: those of the task
  int moments = 80;
  std::size_t most_bytes =
      256u << 20;   // of all weights that are kept; beyond, every second moment goes (the last stays)
  int sample = 60;  // examples of each kind that shares are measured on
  bool weights = true;
  std::string title;  // of the recording; empty: what the architecture is called
  // Where moments and the newest state are kept while it runs, each written atomically; empty: nowhere. A folder that
  // holds a training of the same settings is gone on with.
  std::filesystem::path folder;
  std::function<void(Trainer&)> epoch_ended;  // called after each epoch, on the thread of run(); may throw
  double save_every = 0.5;                    // seconds between two writes at least; 0: with each moment
};

struct LiveProgress {
  Index update = 0, updates = 0, read = 0;
  double seconds = 0, seconds_left = 0;
  double loss = 0;
};

class LiveTraining {
 public:
  // Makes the data and the model; with a folder of an interrupted training, reads where it stood. Throws Error.
  explicit LiveTraining(TrainingSettings settings, LiveOptions options = {});
  ~LiveTraining();

  // The newest recording; any thread.
  std::shared_ptr<const Recording> recording() const;

  // Trains until the end, until `cancel`, or until numbers are none (Recording::failure; then it returns too). On the
  // thread of the caller. `kept` is called for each moment, `progress` after each update. Cancelled is not thrown: a
  // training that was stopped keeps a last moment where it stood, and run() goes on from there.
  void run(const std::function<void(std::shared_ptr<const Recording>)>& kept,
           const std::function<void(const LiveProgress&)>& progress = {}, const CancelToken& cancel = {});
  bool finished() const;
  // What trains: not while run() runs.
  Trainer& trainer();

  // What a probe gives at a moment whose weights are kept, for a text that was typed later. Throws Cancelled and Error.
  // Any thread, also while run() runs.
  ProbeRun ask(const Probe& probe, int moment, const CancelToken& cancel = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The model of a moment whose weights are kept, ready to run: what *Keep it…* saves and the window opens. Throws
// UsageError where they are not.
std::shared_ptr<const ModelBundle> model_at(const Recording& recording, int moment);
// The same without the task's data at hand: probe of a bundle. `longest`: as of Recording; 0: as the model writes.
ProbeRun ask_model(const ModelBundle& bundle, const Probe& probe, const std::vector<RecordedMap>& maps,
                   const CancelToken& cancel = {}, Index longest = 0);
// As LiveTraining::ask(), of any recording with weights. Throws Cancelled and Error.
ProbeRun ask_recording(const Recording& recording, const Probe& probe, int moment, const CancelToken& cancel = {});

}  // namespace headlight
