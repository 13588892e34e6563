// The clock by which runs tell how long they took, which a test of pictures that show such times lets stand still, and
// that of the processor.
#pragma once

#include <atomic>
#include <chrono>
#include <ctime>

namespace headlight {

inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
// How long this thread had the processor: what else the machine does is not counted.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
inline std::atomic<double (*)()> run_clock = &steady_seconds;

}  // namespace headlight
