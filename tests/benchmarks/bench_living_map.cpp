// How long the living map takes for a frame, on a decoder with drawn weights (12 layers of 12 heads, 48 numbers): pan,
// zoom, another output, and how much the cache of pictures holds; at 64 and 512 tokens, at one and two points for a
// pixel.
//
//   build/release/bench_living_map [TOKENS...]
#include <QApplication>
#include <QPixmap>
#include <cstdlib>

#include "frame_times.h"
#include "model/analysis/living_map.h"
#include "model/decode/run.h"
#include "model/models/registry.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/living/view.h"

namespace headlight {
namespace {

std::shared_ptr<const Result> run_of(int count) {
  auto bundle = std::make_shared<ModelBundle>();
  std::vector<std::string> tokens;
  for (int i = 0; i < 300; ++i) tokens.push_back("t" + std::to_string(i));
  bundle->text.source = bundle->text.target = Tokenizer(Vocabulary(tokens));
  bundle->text.target_length = 1;
  bundle->model = make_model({{"model_type", "decoder_only"},
                              {"source_vocabulary_size", 300},
                              {"target_vocabulary_size", 300},
                              {"model_size", 48},
                              {"heads", 12},
                              {"ff_size", 96},
                              {"decoder_layers", 12},
                              {"activation", "gelu"},
                              {"norm_place", "pre"},
                              {"positions", "learned"},
                              {"max_positions", 600}},
                             1);
  Request request;
  request.model = bundle;
  for (int i = 0; i < count; ++i) request.ids.push_back(2 + i * 7 % 290);
  return std::make_shared<const Result>(run(request));
}

void measure(int count, int ratio) {
  std::printf("%d tokens, ratio %d\n", count, ratio);
  const auto run = analysed(run_of(count));
  run->living();
  Selection selection;
  ViewRequests requests;
  LivingView view({&selection, &requests});
  view.resize(1600, 900);
  view.show();
  QPixmap picture(view.size() * ratio);
  picture.setDevicePixelRatio(ratio);
  const auto draw = [&] { view.viewport()->render(&picture); };
  report("first picture, nothing chosen", timed(1, [&](int) {
           view.take(run);
           draw();
         }));
  const int last = static_cast<int>(view.map()->lanes.size()) - 1;
  report("an output is chosen", timed(6, [&](int i) {
           view.choose({last - i, -1});
           draw();
         }));
  const auto sharp = timed(1, [&](int) {
    do {
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
      draw();
    } while (!view.is_sharp());
  });
  std::printf("  sharp after %.0f ms\n", sharp[0]);
  report("zoom", timed(60, [&](int i) {
           view.zoom(i % 20 < 10 ? 1.1 : 1 / 1.1, {700, 450});
           draw();
           QCoreApplication::processEvents();
         }));
  view.zoom(2, {700, 450});
  report("pan", timed(60, [&](int i) {
           view.zoom_along(1.0, {700, 450}, LivingCamera::Along::both);
           view.move_by({i % 20 < 10 ? -9.0 : 9.0, i % 20 < 10 ? -5.0 : 5.0});
           draw();
           QCoreApplication::processEvents();
         }));
  std::printf("  cache %.1f MB\n", static_cast<double>(view.tile_bytes()) / (1 << 20));
}

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  std::vector<int> counts;
  for (int i = 1; i < argc; ++i) counts.push_back(std::atoi(argv[i]));
  if (counts.empty()) counts = {64, 512};
  for (const int count : counts)
    for (const int ratio : {1, 2}) headlight::measure(count, ratio);
  return 0;
}
