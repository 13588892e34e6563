// A training in the background, for the lab: started, paused, stopped, gone on with. It goes on when its panel is
// closed.
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "app/jobs/latest.h"
#include "model/recording/live_training.h"

namespace headlight {

class LabTraining : public QObject {
  Q_OBJECT
 public:
  enum class State { idle, preparing, running, paused, stopped, finished, failed };

  explicit LabTraining(QObject* parent = nullptr);
  ~LabTraining() override;  // stops; what was kept is on the disk

  // Makes data and model and trains, all of it off this thread. What ran before is stopped.
  void start(const TrainingSettings& settings, const LiveOptions& options);
  void pause();
  void go_on();   // from a pause, or from where it was stopped
  void stop();    // keeps a last moment
  void forget();  // what was trained, with its weights; ends it

  State state() const { return state_; }
  bool busy() const { return state_ == State::preparing || state_ == State::running; }
  std::shared_ptr<const Recording> recording() const { return recording_; }  // null before the first moment
  const LiveProgress& progress() const { return progress_; }
  const QString& error() const {
    return error_;
  }  // of State::failed: a plain sentence; numbers that are none are in Recording::failure
  // What a text that was typed later gives at a moment: asked off this thread, answered by probed(); the newest counts.
  void ask(const Probe& probe, int moment);

 signals:
  void stateChanged();
  void momentKept();                     // recording() has one more; at most 30 times a second
  void notKept(const QString& message);  // once: why the disk does not keep it; it goes on in memory
  void progressed();                     // at most 10 times a second
  void probed(const headlight::Probe& probe, int moment, const headlight::ProbeRun& run);
  void probeFailed(const QString& message);  // why that text has no answer: a plain sentence

 private:
  struct Work;
  struct Answer {
    Probe probe;
    int moment = 0;
    ProbeRun run;
  };
  void run();
  void prepared(const std::shared_ptr<Work>& work);
  void take(const std::shared_ptr<Work>& work);
  void ended(const std::shared_ptr<Work>& work);
  void fail(const QString& message);
  void disk_failed(const QString& message);
  void set_state(State state);
  bool kept_is_new();

  std::shared_ptr<Work> work_;
  State state_ = State::idle;
  std::shared_ptr<const Recording> recording_;
  LiveProgress progress_;
  std::shared_ptr<const Recording> told_;  // by momentKept()
  QString error_;
  bool told_disk_ = false;
  BackgroundThread trainer_;
  Latest<Answer> asker_;
};

}  // namespace headlight
