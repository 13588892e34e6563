#include "app/jobs/hurry.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "model/core/slices.h"

namespace headlight {

namespace {

using HurryClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPainted{16};  // after a run: one frame of the screen

struct Waiting {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
  HurryClock::time_point ended{};
};

// Never destroyed: threads that were left to themselves may still hold one.
Waiting& waiting() {
  static auto* all = new Waiting;
  return *all;
}

}  // namespace

Hurry::Hurry() {
  const std::lock_guard lock(waiting().mutex);
  ++waiting().count;
}

Hurry::~Hurry() {
  {
    const std::lock_guard lock(waiting().mutex);
    --waiting().count;
    waiting().ended = HurryClock::now();
  }
  waiting().changed.notify_all();
}

void Hurry::let_pass(std::chrono::milliseconds at_most) {
  Waiting& all = waiting();
  const HurryClock::time_point last = HurryClock::now() + at_most;
  std::unique_lock lock(all.mutex);
  while (HurryClock::now() < last) {
    const bool waits = all.count > 0;
    const HurryClock::time_point painted = all.ended + kPainted;
    if (!waits && HurryClock::now() >= painted) return;
    wait_for(
        all.changed, lock, [&] { return (all.count > 0) != waits; }, waits ? last : std::min(last, painted));
  }
}

}  // namespace headlight
