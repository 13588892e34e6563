#include "model/core/work_queue.h"

#include <deque>
#include <mutex>
#include <utility>

#include "model/core/slices.h"

namespace headlight {

struct WorkQueue::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  bool working = false, runs = false, quit = false;
};

WorkQueue::WorkQueue() : shared_(std::make_shared<Shared>()) {}

WorkQueue::~WorkQueue() {
  clear();
  wait();
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->quit = true;
  }
  shared_->changed.notify_all();
  if (thread_.joinable()) thread_.join();
}

void WorkQueue::start(std::function<void()> work) {
  bool runs = false;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->waiting.push_back(std::move(work));
    runs = std::exchange(shared_->runs, true);
  }
  shared_->changed.notify_all();
  if (runs) return;
  if (has_threads())
    thread_ = std::thread([shared = shared_] { run(shared); });
  else
    begin_sliced([shared = shared_] { run(shared); });
}

void WorkQueue::clear() {
  const std::lock_guard lock(shared_->mutex);
  shared_->waiting.clear();
}

void WorkQueue::wait() {
  std::unique_lock lock(shared_->mutex);
  wait_for(shared_->changed, lock, [this] { return !shared_->working && shared_->waiting.empty(); });
}

// A thread waits for what comes next; a piece of work ends, and another one begins then.
void WorkQueue::run(const std::shared_ptr<Shared>& shared) {
  std::unique_lock lock(shared->mutex);
  while (true) {
    if (has_threads()) shared->changed.wait(lock, [&] { return shared->quit || !shared->waiting.empty(); });
    if (shared->waiting.empty()) break;
    std::function<void()> work = std::move(shared->waiting.front());
    shared->waiting.pop_front();
    shared->working = true;
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
    shared->working = false;
    shared->changed.notify_all();
  }
  shared->runs = false;
}

}  // namespace headlight
