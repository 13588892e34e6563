#include "model/core/parallel.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "model/core/slices.h"

namespace headlight {

namespace {

thread_local bool inside = false;  // of a part: what it calls must not ask for the threads again
thread_local bool behind = false;  // see work_behind()

// Of the calling thread alone, as Linux has it. Where that is not allowed it works as everybody.
void lower_priority() {
  constexpr int kLower = 10;
  [[maybe_unused]] const int now = nice(kLower);
}

// Waits for `ready` without giving up the core, for as long as waking a thread would take about.
template <class F>
bool spin_until(F ready) {
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
    }
  } while (std::chrono::steady_clock::now() - start < std::chrono::microseconds(50));
  return false;
}

class Pool {
 public:
  explicit Pool(bool low) {
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    for (int i = 1; i < cores; ++i)
      threads_.emplace_back([this, low] {
        if (low) lower_priority();
        loop();
      });
  }
  ~Pool() {
    stop_ = true;
    { const std::lock_guard lock(mutex_); }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // Of the calling thread.
  static Pool& get() { return behind ? get_behind() : get_before(); }

  int size() const { return static_cast<int>(threads_.size()) + 1; }
  // Whether somebody else has the cores: a thread of ours that took a piece was seen to wait for one. For a while
  // everything is done by the calling thread then, longer each time that it is found so again.
  bool is_crowded() const { return clock() < alone_until_; }
  std::mutex& turn() { return turn_; }

  // The caller holds turn().
  void run(std::uint32_t parts, const std::function<void(int)>& work) {
    work_ = &work;
    parts_ = parts;
    error_ = nullptr;
    finished_ = 0;
    const std::uint64_t job = (state_ >> 32) + 1;
    state_ = job << 32 | parts;
    if (sleepers_ > 0) {
      { const std::lock_guard lock(mutex_); }
      wake_.notify_all();
    }
    const auto begun = clock();
    while (take()) {
    }
    const auto own_done = clock();
    const auto all_done = [this] { return finished_ == parts_; };
    if (!spin_until(all_done)) {
      std::unique_lock lock(mutex_);
      caller_sleeps_ = true;
      done_.wait(lock, all_done);
      caller_sleeps_ = false;
    }
    note_wait(clock() - own_done, own_done - begun);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static Pool& get_before() {
    static Pool pool(false);
    return pool;
  }
  static Pool& get_behind() {
    static Pool pool(true);
    return pool;
  }

  using Nanoseconds = std::int64_t;
  static constexpr Nanoseconds kMillisecond = 1'000'000;
  static constexpr Nanoseconds kShortWait = kMillisecond / 2;  // what a thread may take to wake up
  static constexpr Nanoseconds kFirstPause = 20 * kMillisecond, kLongestPause = 1'000 * kMillisecond;

  static Nanoseconds clock() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  // How long the caller waited for the others when it had nothing left to do, and how long its own pieces took: pieces
  // are of one size, so that alone it would have needed `own` for each other thread's as well. Two pieces of a large
  // product differ by milliseconds by chance; where others have the cores, a thread needs twice as long and more.
  void note_wait(Nanoseconds waited, Nanoseconds own) {
    if (waited < std::max(kShortWait, own * (size() - 1))) {
      pause_ = std::max(kFirstPause, pause_ / 2);
      return;
    }
    alone_until_ = clock() + pause_;
    pause_ = std::min(2 * pause_, kLongestPause);
  }

  static std::uint32_t left(std::uint64_t state) { return static_cast<std::uint32_t>(state); }

  // Does one part of the current job; false when none is left. Only after the exchange is it certain that the job is
  // not over, so work_ and parts_ are read behind it.
  bool take() {
    std::uint64_t state = state_;
    do {
      if (left(state) == 0) return false;
    } while (!state_.compare_exchange_weak(state, state - 1));
    const std::uint32_t parts = parts_;
    inside = true;
    try {
      (*work_)(static_cast<int>(parts - left(state)));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
    inside = false;
    if (++finished_ == parts && caller_sleeps_) {
      { const std::lock_guard lock(mutex_); }
      done_.notify_one();
    }
    return true;
  }

  void loop() {
    const auto ready = [this] { return stop_ || left(state_) > 0; };
    while (!stop_) {
      if (!spin_until(ready)) {
        std::unique_lock lock(mutex_);
        ++sleepers_;
        wake_.wait(lock, ready);
        --sleepers_;
      }
      while (!stop_ && take()) {
      }
    }
  }

  std::mutex turn_;   // held by the caller whose job it is
  std::mutex mutex_;  // for sleeping, and for error_
  std::condition_variable wake_, done_;
  std::atomic<std::uint64_t> state_{0};  // number of the job, and in the low half how many of its parts nobody has
  std::atomic<std::uint32_t> finished_{0};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> caller_sleeps_{false}, stop_{false};
  const std::function<void(int)>* work_ = nullptr;
  std::uint32_t parts_ = 0;
  std::exception_ptr error_;
  std::atomic<Nanoseconds> alone_until_{0};
  Nanoseconds pause_ = kFirstPause;  // with turn_
  std::vector<std::thread> threads_;
};

}  // namespace

void work_behind() {
  if (!has_threads()) return slice_behind();
  if (behind) return;
  behind = true;
  lower_priority();
}

int thread_count() { return has_threads() ? Pool::get().size() : 1; }

void parallel_parts(int parts, const std::function<void(int part)>& work) {
  if (parts <= 1 || inside || !has_threads()) {
    for (int part = 0; part < parts; ++part) work(part);
    return;
  }
  Pool& pool = Pool::get();
  const std::lock_guard turn(pool.turn());
  pool.run(static_cast<std::uint32_t>(parts), work);
}

void parallel_pieces(Index count, Index grain, const std::function<void(Index begin, Index end)>& work) {
  if (inside || !has_threads()) return work(0, count);
  Pool& pool = Pool::get();
  std::unique_lock turn(pool.turn(), std::try_to_lock);
  if (!turn || pool.size() == 1 || pool.is_crowded()) return work(0, count);
  const auto pieces = static_cast<std::uint32_t>((count + grain - 1) / grain);
  pool.run(pieces, [&](int i) { work(i * grain, std::min(count, (i + 1) * grain)); });
}

Index grain_for(Index count, Index cost, Index step) {
  constexpr Index kWorth = 65'536;  // numbers: tens of microseconds, what waking a thread takes
  if (count * cost < 2 * kWorth) return std::max<Index>(1, count);
  const Index pieces = std::min<Index>(count * cost / kWorth, thread_count());
  return ((count + pieces - 1) / pieces + step - 1) / step * step;
}

}  // namespace headlight
