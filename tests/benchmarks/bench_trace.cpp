// One run of a model on a sentence: without a trace, with the values of all sites, and with the graph that explains
// every number; then with every core kept busy by others, as the median of all runs and its ratio to that at rest.
//
//   build/release/bench_trace [MODEL] [--benchmark_repetitions=9 --benchmark_report_aggregates_only=true]

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "model/decode/run.h"
#include "model/io/model_folder.h"

namespace {

std::shared_ptr<const headlight::ModelBundle> model;

headlight::Request request_of(bool trace, bool explain) {
  headlight::Request request;
  request.model = model;
  request.source = model->examples.empty() ? "1" : model->examples.front();
  request.trace = trace;
  request.capture.explain = explain;
  return request;
}

void run(benchmark::State& state, bool trace, bool explain) {
  const headlight::Request request = request_of(trace, explain);
  for (auto _ : state) benchmark::DoNotOptimize(headlight::run(request));
}

// Milliseconds of the median run, of those that fit into two seconds. Between runs the thread rests, as the window does.
double median_run() {
  using Clock = std::chrono::steady_clock;
  const headlight::Request request = request_of(true, true);
  std::vector<double> times;
  for (const auto end = Clock::now() + std::chrono::seconds(2); Clock::now() < end;) {
    const auto start = Clock::now();
    benchmark::DoNotOptimize(headlight::run(request));
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

void beside_others() {
  const double rest = median_run();
  std::atomic<bool> stop = false;
  std::vector<std::thread> others;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
    others.emplace_back([&] {
      while (!stop) {
      }
    });
  const double busy = median_run();
  stop = true;
  for (std::thread& other : others) other.join();
  std::printf("median run at rest %.2f ms, with every core busy %.2f ms, ratio %.1f\n", rest, busy, busy / rest);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  model = headlight::load_model(argc > 1 ? argv[1] : "date-attention");
  benchmark::RegisterBenchmark("output only", run, false, false)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("all values", run, true, false)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("all values and their arithmetic", run, true, true)->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
  beside_others();
}
