// The clock by which runs tell how long they took. A test of pictures that show such times lets it stand still.
#pragma once

#include <atomic>
#include <chrono>

namespace headlight {

inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline std::atomic<double (*)()> run_clock = &steady_seconds;

}  // namespace headlight
