#include "app/jobs/hurry.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

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
    if (all.count > 0) {
      all.changed.wait_until(lock, last);
    } else if (HurryClock::now() < all.ended + kPainted) {
      all.changed.wait_until(lock, std::min(last, all.ended + kPainted));
    } else {
      return;
    }
  }
}

}  // namespace headlight
