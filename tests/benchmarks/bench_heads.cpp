// The heads view on a large model: from a result to the picture on the screen, with 144 heads at 512 tokens, and what
// it is made of.
//   build/release/bench_heads
#include <benchmark/benchmark.h>

#include <QApplication>

#include "model/analysis/head_statistics.h"
#include "widgets/views/heads_view.h"

namespace headlight {
namespace {

constexpr Index kLayers = 12, kHeads = 12, kTokens = 512;

std::shared_ptr<const Result> large_result() {
  auto made = std::make_shared<Result>();
  for (Index i = 0; i < kTokens; ++i) {
    made->tokens.push_back({"token", 0, 0, 1, false});
    made->position_of_token.push_back(static_cast<int>(i));
    made->token_of_position.push_back(static_cast<int>(i));
  }
  Recorder recorder(Capture{{}, false}, {});
  const Place encoder("encoder");
  for (Index l = 0; l < kLayers; ++l) {
    Tensor weights({kHeads, kTokens, kTokens});
    for (Index i = 0; i < weights.size(); ++i) weights[i] = static_cast<Scalar>(1 + (i * 2654435761u >> 7) % 97);
    for (Index row = 0; row < weights.rows(); ++row) weights.matrix().row(row) /= weights.matrix().row(row).sum();
    const Place layer(encoder, "layer", l), attention(layer, "self_attn");
    recorder.tap()(attention, "head.weights", weights);
  }
  made->trace = recorder.finish({});
  return made;
}

const std::shared_ptr<const Result>& result() {
  static const auto made = large_result();
  return made;
}

void find_maps(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(attention_maps(*result()));
}
BENCHMARK(find_maps)->Unit(benchmark::kMillisecond);

void statistics_of_all(benchmark::State& state) {
  const auto maps = attention_maps(*result());
  for (auto _ : state)
    for (const AttentionMap& map : maps)
      for (Index head = 0; head < kHeads; ++head) benchmark::DoNotOptimize(head_statistics(map, head));
}
BENCHMARK(statistics_of_all)->Unit(benchmark::kMillisecond);

void thumbnails_of_all(benchmark::State& state) {
  const auto maps = attention_maps(*result());
  for (auto _ : state)
    for (const AttentionMap& map : maps)
      for (Index head = AttentionMap::kMax; head < kHeads; ++head) benchmark::DoNotOptimize(pooled(map, head, 60, 60));
}
BENCHMARK(thumbnails_of_all)->Unit(benchmark::kMillisecond);

// From the result to the pixels, and the same picture again (scrolling).
void first_paint(benchmark::State& state) {
  Selection selection;
  HeadsView view(&selection);
  view.resize(1100, 900);
  view.show();
  QPixmap picture(view.size());
  for (auto _ : state) {
    view.set_result(result());
    view.render(&picture);
  }
}
BENCHMARK(first_paint)->Unit(benchmark::kMillisecond);

void paint_again(benchmark::State& state) {
  Selection selection;
  HeadsView view(&selection);
  view.resize(1100, 900);
  view.show();
  QPixmap picture(view.size());
  view.set_result(result());
  view.render(&picture);
  for (auto _ : state) view.render(&picture);
}
BENCHMARK(paint_again)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
