// The arithmetic of the living map on a model of GPT-2's size (12 layers, 12 heads, 768 numbers, drawn weights): shares
// of all states, the flow from one output, the shares of each head of one layer, and the lens; at 64 and at 512 tokens.
// And the same of a bundled recurrent model.
//
//   build/release/bench_living [ROUNDS]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "drawn_decoder.h"
#include "model/analysis/living/map.h"
#include "model/core/parallel.h"
#include "model/io/model_folder.h"

using namespace headlight;

namespace {

// In milliseconds: the median and the largest.
template <class F>
void measure(const char* what, int rounds, F f) {
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) {
    const auto start = std::chrono::steady_clock::now();
    f();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("  %-34s %9.2f ms   at most %9.2f ms\n", what, times[times.size() / 2], times.back());
  std::fflush(stdout);
}

void measure_map(const std::shared_ptr<const Result>& result, int rounds) {
  std::shared_ptr<const LivingMap> map;
  measure("shares of all states", rounds, [&] { map = living_map(result); });
  const LivingChoice choice{map->lane_of_step(static_cast<int>(result->steps.size()) - 1), -1};
  LivingFlow flow;
  measure("flow from one output", 5 * rounds, [&] { flow = living_flow(*map, choice); });
  measure("where the word comes from", 5 * rounds, [&] { living_origins(*map, flow); });
  for (int s = static_cast<int>(map->stations.size()) - 1; s >= 0; --s)
    if (const int part = map->stations[static_cast<std::size_t>(s)].part(LivingPart::Kind::attention);
        part >= 0 && map->stations[static_cast<std::size_t>(s)].parts[static_cast<std::size_t>(part)].heads > 1) {
      measure("each head of one layer", rounds, [&] { head_shares(*map, s, part); });
      break;
    }
  if (!living_lens(*map, choice).empty()) measure("lens", rounds, [&] { living_lens(*map, choice); });
  double numbers = 0;
  for (const LivingStation& station : map->stations)
    for (const LivingPart& part : station.parts) numbers += static_cast<double>(part.share.size());
  std::printf("  %zu stations, shares of %.1f MB\n", map->stations.size(), numbers * sizeof(Scalar) / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  std::printf("%d cores\n", thread_count());
  const auto model = drawn_decoder();
  for (const int length : {64, 512}) {
    Request request;
    request.model = model;
    request.ids = drawn_tokens(length);
    request.capture = {{"decoder.embed.out", "decoder.layer.residual*", "decoder.layer.ffn.out",
                        "decoder.layer.self_attn.head.v", "decoder.layer.self_attn.head.weights", "decoder.step.*"},
                       false};
    std::printf("12 layers x 12 heads, %d tokens\n", length);
    measure_map(std::make_shared<const Result>(run(request)), rounds);
  }
  for (const char* name : {"tatoeba-bahdanau", "date-attention", "toy-mt-convs2s", "copy-ntm"}) {
    Request request;
    request.model = load_model(name);
    request.source = request.model->examples.front();
    request.capture.explain = false;
    std::printf("%s, its first example\n", name);
    measure_map(std::make_shared<const Result>(run(request)), rounds);
  }
}
