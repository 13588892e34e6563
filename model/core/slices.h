// Work without threads: where the program was told to make none (headlight --no-threads), or where there are none, what
// else has a thread of its own runs on the main thread, in slices of some milliseconds. In between, the window answers.
//
// A piece of work is a fiber: it has a stack of its own, and where it looks whether it was cancelled it also says
// slice_point(), which goes back to run_slices() when the slice is used up. So every job stays as it is written for a
// thread; as steps, each would be a second version of the first. And nothing is entered again: the loop of events never
// runs on top of a piece of work, where it might start the next one, or delete the owner of this one. makecontext() is
// POSIX; a browser has the same as emscripten_fiber_swap().
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

namespace headlight {

// For good, before anything runs, on the main thread. `wake` is called when there is work; somebody then calls
// run_slices() again and again.
void work_without_threads(std::function<void()> wake);
bool has_threads();

// Begins a piece of work. As on a thread, what it throws ends the program.
void begin_sliced(std::function<void()> work);
// The piece of work that calls this has the time that nobody else wants.
void slice_behind();

enum class Slices { none, waiting, ready };  // what is left: nothing; only work that waits for something; work to do
// One slice for each piece of work that can go on.
Slices run_slices();
// Goes back to run_slices() where a piece of work has used up its slice; nothing elsewhere. Not under a lock.
void slice_point();
// Under a lock that another piece of work may want, or in memory that is one a thread: slice_point() does nothing.
class WholeSlice {
 public:
  WholeSlice();
  ~WholeSlice();
  WholeSlice(const WholeSlice&) = delete;
  WholeSlice& operator=(const WholeSlice&) = delete;
};
// Until `ready`, or until then; false: then. A piece of work lets the others go on meanwhile; who is none drives them.
using SliceClock = std::chrono::steady_clock;
bool wait_in_slices(const std::function<bool()>& ready, SliceClock::time_point until = SliceClock::time_point::max());

// The wait of a condition: for other threads, or in slices. `lock` is held before, while `ready` looks, and after.
template <class Ready>
bool wait_for(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, Ready ready,
              SliceClock::time_point until = SliceClock::time_point::max()) {
  if (has_threads()) {
    if (until != SliceClock::time_point::max()) return changed.wait_until(lock, until, ready);
    changed.wait(lock, ready);
    return true;
  }
  lock.unlock();
  const auto look = [&] {
    const std::lock_guard again(*lock.mutex());
    return ready();
  };
  const bool is_ready = wait_in_slices(look, until);
  lock.lock();
  return is_ready;
}

// A variable that is one a thread (thread_local) is one a piece of work, too: plain bytes that are 0 at first. Of the
// thread that makes it, once.
struct OnePerWork {
  OnePerWork(void* variable, std::size_t size);
};

}  // namespace headlight
