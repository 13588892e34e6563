// Times of frames: median, the slowest of a hundred, and how many are ready for a screen of 60 frames a second.
#pragma once

#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "model/core/clock.h"

namespace headlight {

// In milliseconds.
inline std::vector<double> timed(int count, const std::function<void(int)>& frame) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    QElapsedTimer clock;
    clock.start();
    frame(i);
    times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
  }
  return times;
}

inline void report(const char* name, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto size = static_cast<double>(times.size());
  const auto at = [&](double share) { return times[static_cast<std::size_t>(share * (size - 1))]; };
  const auto in_time = std::upper_bound(times.begin(), times.end(), 1000.0 / 60) - times.begin();
  std::printf("%-40s %8.2f ms median %8.2f ms p99 %6.1f %% within 16.7 ms\n", name, at(0.5), at(0.99),
              100 * static_cast<double>(in_time) / size);
}

// Milliseconds of the processor in this thread.
inline double processor_time() { return 1e3 * thread_seconds(); }

struct FrameTimes {
  std::vector<double> clock, processor;
};

// `between` belongs to no frame.
inline FrameTimes frame_times(int count, const std::function<void(int)>& frame, const std::function<void()>& between) {
  FrameTimes times;
  for (int i = 0; i < count; ++i) {
    times.clock.push_back(timed(1, [&](int) {
      const double began = processor_time();
      frame(i);
      times.processor.push_back(processor_time() - began);
    })[0]);
    between();
  }
  return times;
}

inline void report(const char* name, FrameTimes times) {
  report(name, times.clock);
  std::sort(times.processor.begin(), times.processor.end());
  const auto at = [&](double share) {
    return times.processor[static_cast<std::size_t>(share * static_cast<double>(times.processor.size() - 1))];
  };
  std::printf("%-40s %8.2f ms median %8.2f ms p99\n", "      of the processor", at(0.5), at(0.99));
}

}  // namespace headlight
