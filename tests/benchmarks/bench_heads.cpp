// The heads view on a large model, 144 heads at 512 tokens: from a result to the picture on the screen, frames of
// scrolling and of zooming, and what the first picture is made of.
//   build/release/bench_heads
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QPixmap>
#include <QScrollBar>
#include <cmath>

#include "frame_times.h"
#include "model/analysis/head_statistics.h"
#include "model/analysis/word_groups.h"
#include "widgets/base/selection.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/heads/heads_view.h"

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
  const SitePath encoder("encoder");
  for (Index l = 0; l < kLayers; ++l) {
    Tensor weights({kHeads, kTokens, kTokens});
    for (Index i = 0; i < weights.size(); ++i) weights[i] = static_cast<Scalar>(1 + (i * 2654435761u >> 7) % 97);
    for (Index row = 0; row < weights.rows(); ++row) weights.matrix().row(row) /= weights.matrix().row(row).sum();
    const SitePath layer(encoder, "layer", l), attention(layer, "self_attn");
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

void words_of_all(benchmark::State& state) {
  const auto maps = attention_maps(*result());
  const auto groups = [&] {
    std::vector<TokenGroup> pairs;
    for (Index i = 0; i < kTokens; i += 2) pairs.push_back({i, 2, "token"});
    return pairs;
  }();
  for (auto _ : state)
    for (const AttentionMap& map : maps) benchmark::DoNotOptimize(grouped(map, groups, groups));
}
BENCHMARK(words_of_all)->Unit(benchmark::kMillisecond);

// What somebody waits for.
void frames() {
  Selection selection;
  HeadsView view({&selection});
  view.resize(1100, 900);
  view.show();
  QPixmap picture(view.size());
  report("512 tokens x 144 heads: first painted", timed(15, [&](int) {
           view.set_result(result());
           view.render(&picture);
         }));
  constexpr int kFrames = 200;
  view.resize(560, 360);  // a panel: only some of the heads are in sight
  picture = QPixmap(view.size());
  view.set_result(result());
  view.render(&picture);
  QScrollBar* bar = view.grid()->verticalScrollBar();
  report("scrolling through all of them", timed(kFrames, [&](int i) {
           bar->setValue(bar->maximum() * i / (kFrames - 1));
           view.render(&picture);
         }));
  report("scrolling back", timed(kFrames, [&](int i) {
           bar->setValue(bar->maximum() * (kFrames - 1 - i) / (kFrames - 1));
           view.render(&picture);
         }));
  view.resize(1100, 900);
  picture = QPixmap(view.size());
  view.render(&picture);
  report("a head opened large", timed(15, [&](int i) {
           view.open({i % 12, i % 12});
           view.render(&picture);
         }));
  report("zooming in it", timed(kFrames, [&](int i) {
           const double span = 20 + (kTokens - 20) * std::abs(1 - 2.0 * i / kFrames), at = (kTokens - span) / 2;
           view.heatmap()->set_window({at, at + span, at, at + span});
           view.render(&picture);
         }));
}

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  headlight::frames();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
