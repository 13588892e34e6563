// One run of a model on a sentence: without a trace, with the values of all sites, and with the graph that explains
// every number.
//
//   build/release/bench_trace [MODEL] [--benchmark_repetitions=9 --benchmark_report_aggregates_only=true]

#include <benchmark/benchmark.h>

#include "model/decode/run.h"
#include "model/io/model_folder.h"

namespace {

std::shared_ptr<const headlight::ModelBundle> model;

void run(benchmark::State& state, bool trace, bool explain) {
  headlight::Request request;
  request.model = model;
  request.source = model->examples.empty() ? "1" : model->examples.front();
  request.trace = trace;
  request.capture.explain = explain;
  for (auto _ : state) benchmark::DoNotOptimize(headlight::run(request));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  model = headlight::load_model(argc > 1 ? argv[1] : "date-attention");
  benchmark::RegisterBenchmark("output only", run, false, false)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("all values", run, true, false)->Unit(benchmark::kMicrosecond);
  benchmark::RegisterBenchmark("all values and their arithmetic", run, true, true)->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
}
