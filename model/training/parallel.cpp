#include "model/training/parallel.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace headlight {

struct Workers::State {
  std::mutex mutex;
  std::condition_variable wake, done;
  const std::function<void(int)>* work = nullptr;
  int parts = 0, next = 0, running = 0;
  std::uint64_t generation = 0;
  bool stop = false;
  std::exception_ptr error;
  std::vector<std::thread> threads;

  // Takes parts until none is left.
  void take(std::unique_lock<std::mutex>& lock) {
    while (next < parts) {
      const int part = next++;
      ++running;
      lock.unlock();
      std::exception_ptr caught;
      try {
        (*work)(part);
      } catch (...) {
        caught = std::current_exception();
      }
      lock.lock();
      if (caught && !error) error = caught;
      --running;
    }
    if (running == 0) done.notify_all();
  }

  void loop() {
    std::unique_lock lock(mutex);
    for (std::uint64_t seen = 0;;) {
      wake.wait(lock, [&] { return stop || generation != seen; });
      if (stop) return;
      seen = generation;
      take(lock);
    }
  }
};

Workers::Workers(int count) : state_(std::make_unique<State>()) {
  for (int i = 1; i < count; ++i) state_->threads.emplace_back([this] { state_->loop(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->wake.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
}

void Workers::run(int parts, const std::function<void(int part)>& work) {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  state.work = &work;
  state.parts = parts;
  state.next = 0;
  state.error = nullptr;
  ++state.generation;
  state.wake.notify_all();
  state.take(lock);
  state.done.wait(lock, [&] { return state.running == 0 && state.next == state.parts; });
  if (state.error) std::rethrow_exception(state.error);
}

}  // namespace headlight
