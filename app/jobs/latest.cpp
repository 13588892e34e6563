// What thread and owner share outlives whichever of them ends first.

#include "app/jobs/latest.h"

#include <QMetaObject>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "model/core/slices.h"

namespace headlight {

namespace {
using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPatience{200};
std::atomic<int> threads_left = 0;
std::optional<Clock::time_point> patience_ends;  // of the thread of all owners
}  // namespace

struct BackgroundThread::Shared {
  struct Waiting {
    std::uint64_t id;
    Job job;
  };
  struct Posted {
    std::uint64_t id;
    bool last;  // of its job
    Delivery what;
  };

  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> wake_owner;  // empty: the owner has gone
  std::optional<Waiting> waiting;
  CancelToken running;
  bool working = false, runs = false, quit = false, left = false;
  std::vector<Posted> posted;

  // The hand-over is ours, under our mutex: Qt only wakes the other side.
  void post(std::uint64_t id, bool last, Delivery what) {
    const std::lock_guard lock(mutex);
    if (!wake_owner) return;
    posted.push_back({id, last, std::move(what)});
    wake_owner();
  }
};

BackgroundThread::BackgroundThread(Failed failed) : failed_(std::move(failed)), shared_(std::make_shared<Shared>()) {
  shared_->wake_owner = [this] {
    QMetaObject::invokeMethod(
        &receiver_, [this] { deliver(); }, Qt::QueuedConnection);
  };
}

BackgroundThread::~BackgroundThread() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->wake_owner = nullptr;
    shared_->waiting.reset();
    shared_->running.cancel();
    shared_->quit = true;
  }
  shared_->changed.notify_all();
  std::unique_lock lock(shared_->mutex);
  if (wait_for(
          shared_->changed, lock, [this] { return !shared_->runs; }, Clock::now() + patience())) {
    lock.unlock();
    if (thread_.joinable()) thread_.join();
    return;
  }
  shared_->left = true;
  ++threads_left;
  if (thread_.joinable()) thread_.detach();
}

std::chrono::milliseconds BackgroundThread::patience() {
  if (!patience_ends) return kPatience;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*patience_ends - Clock::now());
  return std::clamp(left, std::chrono::milliseconds(0), kPatience);
}

void BackgroundThread::Ending::begin() { patience_ends = Clock::now() + kPatience; }
BackgroundThread::Ending::~Ending() { patience_ends.reset(); }

int BackgroundThread::left() { return threads_left; }

std::uint64_t BackgroundThread::start(Job job) {
  return start([job = std::move(job)](std::uint64_t, const Report&) { return job; });
}

std::uint64_t BackgroundThread::start(const std::function<Job(std::uint64_t id, Report report)>& make) {
  const std::uint64_t id = ++newest_;
  busy_ = true;
  Job job = make(id, [shared = shared_, id](Delivery what) { shared->post(id, false, std::move(what)); });
  bool runs = false;
  {
    const std::lock_guard lock(shared_->mutex);
    runs = std::exchange(shared_->runs, true);
    shared_->running.cancel();
    // `this` is only for deliveries, which are made while it is there.
    shared_->waiting = {id, [this, job = std::move(job)](const CancelToken& cancel) -> Delivery {
                          QString message;
                          bool defect = false;
                          try {
                            return job(cancel);
                          } catch (const Cancelled&) {
                            return {};  // whoever cancelled knows
                          } catch (const Error& error) {
                            message = QString::fromUtf8(error.what());
                          } catch (const std::exception& error) {
                            message = QString::fromUtf8(error.what());
                            defect = true;
                          }
                          return [this, message, defect] {
                            if (failed_) failed_(message, defect);
                          };
                        }};
  }
  shared_->changed.notify_all();
  if (runs) return id;
  if (has_threads())
    thread_ = std::thread([shared = shared_] { work(shared); });
  else
    begin_sliced([shared = shared_] { work(shared); });
  return id;
}

bool BackgroundThread::stop() {
  ++newest_;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->running.cancel();
    shared_->waiting.reset();
  }
  return std::exchange(busy_, false);
}

void BackgroundThread::finish() {
  std::unique_lock lock(shared_->mutex);
  wait_for(shared_->changed, lock, [this] { return !shared_->working && !shared_->waiting; });
}

bool BackgroundThread::finish_soon() {
  std::unique_lock lock(shared_->mutex);
  const auto is_done = [this] { return !shared_->working && !shared_->waiting; };
  return wait_for(shared_->changed, lock, is_done, Clock::now() + patience());
}

// A thread waits for what comes next; a piece of work ends, and another one begins then.
void BackgroundThread::work(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  while (true) {
    shared->working = false;
    shared->changed.notify_all();
    if (has_threads()) shared->changed.wait(lock, [&] { return shared->quit || shared->waiting; });
    if (shared->quit || !shared->waiting) break;
    const CancelToken cancel = shared->running = CancelToken::make();
    const std::uint64_t id = shared->waiting->id;
    Job job = std::move(shared->waiting->job);
    shared->waiting.reset();
    shared->working = true;
    lock.unlock();
    shared->post(id, true, job(cancel));
    job = nullptr;
    lock.lock();
  }
  shared->runs = false;
  if (shared->left) --threads_left;
  shared->changed.notify_all();
}

void BackgroundThread::deliver() {
  std::vector<Shared::Posted> arrived;
  {
    const std::lock_guard lock(shared_->mutex);
    arrived.swap(shared_->posted);
  }
  for (const Shared::Posted& each : arrived) {
    if (each.id != newest_) continue;
    if (each.last) busy_ = false;
    if (each.what) each.what();
  }
}

}  // namespace headlight
