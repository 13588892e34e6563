// What a run costs while other programs have the cores: the median at rest, then with a process on each core that never
// sleeps, in one go.
//
//   build/release/bench_busy [MODEL] [RUNS]

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "model/core/parallel.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"

using namespace headlight;

namespace {

struct Cost {
  double median = 0, worst = 0;
};

Cost cost(const Request& request, int runs) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run(request);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // somebody types
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times.back()};
}

}  // namespace

int main(int count, char** arguments) {
  Request request;
  request.model = load_model(count > 1 ? arguments[1] : "date-transformer");
  request.source = request.model->examples.front();
  const int runs = count > 2 ? std::atoi(arguments[2]) : 200;
  cost(request, 20);
  const Cost rest = cost(request, runs);
  std::vector<pid_t> others;
  for (int i = 0; i < thread_count(); ++i) {
    const pid_t other = fork();
    if (other == 0)
      for (volatile unsigned busy = 0;;) {
        const unsigned now = busy;
        busy = now + 1;
      }
    others.push_back(other);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const Cost crowded = cost(request, runs);
  for (const pid_t other : others) {
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
  }
  std::printf(
      "%s, %d threads: at rest median %.2f ms (worst %.2f), all cores busy median %.2f ms (worst %.2f): x %.1f\n",
      request.model->name.c_str(), thread_count(), rest.median, rest.worst, crowded.median, crowded.worst,
      crowded.median / rest.median);
}
