// One thread trains, another answers what is asked in between. What the training thread has made since the window
// looked last lies in Work, newest only: nothing queues up.

#include "app/lab/lab_training.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "app/jobs/hurry.h"
#include "model/core/parallel.h"
#include "model/core/slices.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

using LabClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kBetweenMoments{1000 / 30}, kBetweenProgress{100};
// Who types without a break slows the training down to this, and is not slowed by it.
constexpr std::chrono::milliseconds kStepAside{100};

}  // namespace

struct LabTraining::Work {
  TrainingSettings settings;
  LiveOptions options;

  std::mutex mutex;
  std::condition_variable changed;
  bool paused = false, on_its_way = false;
  CancelToken halt;
  std::shared_ptr<LiveTraining> live;
  std::shared_ptr<const Recording> kept;  // not told yet
  std::optional<LiveProgress> progress;
  LabClock::time_point kept_told{}, progress_told{};

  // Between two updates.
  void wait_while_paused() {
    std::unique_lock lock(mutex);
    wait_for(changed, lock, [this] { return !paused || halt.cancelled(); });
  }
  void set_paused(bool now) {
    {
      const std::lock_guard lock(mutex);
      paused = now;
    }
    changed.notify_all();
  }
  void end() {
    {
      const std::lock_guard lock(mutex);
      halt.cancel();
    }
    changed.notify_all();
  }
  // Whether the window is to be woken for what there is.
  bool is_due() {
    const std::lock_guard lock(mutex);
    const auto now = LabClock::now();
    const bool due = (kept && (paused || now - kept_told >= kBetweenMoments)) ||
                     (progress && (paused || now - progress_told >= kBetweenProgress));
    return due && !std::exchange(on_its_way, true);
  }
  std::shared_ptr<LiveTraining> training() {
    const std::lock_guard lock(mutex);
    return live;
  }
  // How the window hears of it, from the thread that trains.
  struct Told {
    std::function<void()> news;
    std::function<void(const std::string& message)> disk;
  };
  void prepare(const Told& told);
  void train(const Told& told);
};

// Data and model, once: a training that was stopped goes on from where it stood. What cannot be kept on the disk is
// trained all the same.
void LabTraining::Work::prepare(const Told& told) {
  if (training()) return;
  std::shared_ptr<LiveTraining> made;
  try {
    made = std::make_shared<LiveTraining>(settings, options);
  } catch (const FileError& error) {
    if (options.folder.empty()) throw;
    options.folder.clear();
    made = std::make_shared<LiveTraining>(settings, options);
    told.disk(error.what());
  }
  const std::lock_guard lock(mutex);
  live = std::move(made);
}

void LabTraining::Work::train(const Told& told) {
  const CancelToken stopping = halt;
  Index update = 0, failed_at = -1;
  const auto keep = [&](std::shared_ptr<const Recording> recording) {
    {
      const std::lock_guard lock(mutex);
      kept = std::move(recording);
    }
    if (is_due()) told.news();
  };
  const auto between = [&](const LiveProgress& now) {
    update = now.update;
    {
      const std::lock_guard lock(mutex);
      progress = now;
    }
    if (is_due()) told.news();
    if (!stopping.cancelled()) Hurry::let_pass(kStepAside);
    wait_while_paused();
  };
  // A full disk throws where it cannot write; the training stands where it stood, and goes on. It writes again with the
  // next moment.
  while (true) {
    try {
      return live->run(keep, between, stopping);
    } catch (const FileError& error) {
      told.disk(error.what());
      if (stopping.cancelled() || live->finished()) return;
      if (std::exchange(failed_at, update) == update) throw;
    }
  }
}

LabTraining::LabTraining(QObject* parent)
    : QObject(parent),
      trainer_([this](const QString& message, bool) { fail(message); }),
      asker_([this](const Answer& answer) { emit probed(answer.probe, answer.moment, answer.run); },
             [this](const QString& message, bool) { emit probeFailed(message); }) {}

LabTraining::~LabTraining() {
  if (work_) work_->end();
}

void LabTraining::start(const TrainingSettings& settings, const LiveOptions& options) {
  if (work_) work_->end();
  asker_.stop();
  work_ = std::make_shared<Work>();
  work_->settings = settings;
  work_->options = options;
  recording_.reset();
  progress_ = {};
  error_.clear();
  told_disk_ = false;
  run();
  set_state(State::preparing);
}

void LabTraining::run() {
  {
    const std::lock_guard lock(work_->mutex);
    work_->halt = CancelToken::make();
    work_->paused = work_->on_its_way = false;
  }
  trainer_.start([this](std::uint64_t, const BackgroundThread::Report& report) -> BackgroundThread::Job {
    Work::Told told;
    told.news = [this, report, work = work_] { report([this, work] { take(work); }); };
    told.disk = [this, report](const std::string& message) {
      report([this, message = from_utf8(message)] { disk_failed(message); });
    };
    return [this, report, told, work = work_](const CancelToken& cancel) -> BackgroundThread::Delivery {
      work_behind();
      try {
        work->wait_while_paused();
        cancel.check();
        work->prepare(told);
        report([this, work] { prepared(work); });
        work->wait_while_paused();
        work->train(told);
      } catch (const std::bad_alloc&) {
        throw UsageError(tr("Not enough memory for this training. Try a smaller model, fewer sentences at a time, or "
                            "fewer examples.")
                             .toStdString());
      }
      return [this, work] { ended(work); };
    };
  });
}

void LabTraining::prepared(const std::shared_ptr<Work>& work) {
  if (work != work_) return;
  const auto recording = work->training()->recording();
  if (!recording_ && !recording->moments.empty()) recording_ = recording;  // it goes on with one from the disk
  if (state_ == State::preparing) set_state(State::running);
  if (kept_is_new()) emit momentKept();
}

// The newest of both; a moment that comes too soon after one before waits for the next update.
void LabTraining::take(const std::shared_ptr<Work>& work) {
  if (work != work_) return;
  std::shared_ptr<const Recording> kept;
  std::optional<LiveProgress> progress;
  {
    const std::lock_guard lock(work->mutex);
    const auto now = LabClock::now();
    work->on_its_way = false;
    if (now - work->kept_told >= kBetweenMoments || work->paused) {
      kept = std::move(work->kept);
      work->kept.reset();
      if (kept) work->kept_told = now;
    }
    if (now - work->progress_told >= kBetweenProgress || work->paused) {
      progress = std::exchange(work->progress, {});
      if (progress) work->progress_told = now;
    }
  }
  if (progress) progress_ = *progress;
  if (kept) recording_ = std::move(kept);
  if (kept_is_new()) emit momentKept();
  if (progress) emit progressed();
}

bool LabTraining::kept_is_new() { return std::exchange(told_, recording_) != recording_ && recording_; }

void LabTraining::ended(const std::shared_ptr<Work>& work) {
  if (work != work_) return;
  {
    const std::lock_guard lock(work->mutex);
    work->kept.reset();
    if (work->progress) progress_ = *std::exchange(work->progress, {});
  }
  const auto recording = work->live->recording();
  if (recording && !recording->moments.empty()) recording_ = recording;
  if (kept_is_new()) emit momentKept();
  emit progressed();
  if (recording && recording->failure) return set_state(State::failed);
  set_state(work->live->finished() ? State::finished : State::stopped);
}

void LabTraining::fail(const QString& message) {
  error_ = message;
  set_state(State::failed);
}

void LabTraining::disk_failed(const QString& message) {
  if (!std::exchange(told_disk_, true)) emit notKept(message);
}

void LabTraining::set_state(State state) {
  if (std::exchange(state_, state) != state) emit stateChanged();
}

void LabTraining::pause() {
  if (!busy()) return;
  work_->set_paused(true);
  take(work_);
  set_state(State::paused);
}

void LabTraining::go_on() {
  if (state_ == State::paused) {
    work_->set_paused(false);
    set_state(work_->training() ? State::running : State::preparing);
  } else if (state_ == State::stopped) {
    run();
    set_state(State::running);
  }
}

void LabTraining::stop() {
  if (busy() || state_ == State::paused) work_->end();
}

void LabTraining::forget() {
  if (work_) work_->end();
  trainer_.stop();
  asker_.stop();
  work_.reset();
  recording_.reset();
  told_.reset();
  progress_ = {};
  error_.clear();
  set_state(State::idle);
}

void LabTraining::ask(const Probe& probe, int moment) {
  const std::shared_ptr<LiveTraining> live = work_ ? work_->training() : nullptr;
  if (!live) return;
  asker_.start([live, probe, moment](const CancelToken& cancel) {
    const Hurry hurry;
    return Answer{probe, moment, live->ask(probe, moment, cancel)};
  });
}

}  // namespace headlight
