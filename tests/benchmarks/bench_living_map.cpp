// The living map of a decoder with drawn weights (12 layers of 12 heads, 48 numbers) in a view of 1600 x 900 pixels, at
// 64 and at 512 tokens, at one and two points for a pixel: when the first picture is there and when the sharp one,
// counted from the run; how long the thread of the interface is ever busy until then; frames while somebody zooms,
// pans, moves the mouse, and chooses outputs; and how much is kept. Behind the times of the clock stand those of the
// processor in the thread of the interface, which other programs do not lengthen.
//
//   build/release/bench_living_map [TOKENS...]
#include <QApplication>
#include <QPixmap>
#include <cstdlib>
#include <ctime>

#include "drawn_decoder.h"
#include "frame_times.h"
#include "model/analysis/living_map.h"
#include "model/decode/run.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/living/view.h"

namespace headlight {
namespace {

constexpr DrawnDecoder kShape{300, 48, 12, 12, 96};

std::shared_ptr<const Result> run_of(int count) {
  Request request;
  request.model = drawn_decoder(kShape);
  request.ids = drawn_tokens(count, kShape);
  return std::make_shared<const Result>(run(request));
}

void measure(const std::shared_ptr<const Result>& result, int count, int ratio) {
  std::printf("%d tokens, %d point%s a pixel\n", count, ratio, ratio == 1 ? "" : "s");
  Selection selection;
  ViewRequests requests;
  LivingView view({&selection, &requests});
  view.resize(1600, 900);
  view.show();
  QPixmap picture(view.size() * ratio);
  picture.setDevicePixelRatio(ratio);
  const auto draw = [&] { view.viewport()->render(&picture); };
  const auto frames = [&](const char* name, int many, const std::function<void(int)>& frame) {
    const FrameTimes times = frame_times(
        many,
        [&](int i) {
          frame(i);
          draw();
        },
        [] { QCoreApplication::processEvents(); });
    report(name, times);
  };

  QElapsedTimer clock;
  clock.start();
  double longest = 0, first = 0, first_of_processor = 0;
  const std::clock_t at_start = std::clock();
  const auto of_all_threads = [&] {
    return 1e3 * static_cast<double>(std::clock() - at_start) / static_cast<double>(CLOCKS_PER_SEC);
  };
  const auto turn = [&](const std::function<void()>& what) {
    const double began = processor_time();
    what();
    longest = std::max(longest, processor_time() - began);
  };
  turn([&] { view.take(analysed(result)); });
  do {
    turn([] { QCoreApplication::processEvents(QEventLoop::AllEvents, 20); });
    turn(draw);
    if (first == 0 && view.map()) {
      first = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
      first_of_processor = of_all_threads();
    }
  } while (!view.is_sharp());
  std::printf("  first picture after %.0f ms, sharp after %.0f ms\n", first,
              static_cast<double>(clock.nsecsElapsed()) * 1e-6);
  std::printf("      of the processor, all threads: %.0f and %.0f ms; the interface's at most %.1f ms at once\n",
              first_of_processor, of_all_threads(), longest);

  const int last = static_cast<int>(view.map()->lanes.size()) - 1;
  frames("  an output is chosen", 12, [&](int i) { view.choose({last - i, -1}); });
  clock.restart();
  while (!view.is_sharp()) {
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    draw();
  }
  std::printf("  sharp after %.0f ms\n", static_cast<double>(clock.nsecsElapsed()) * 1e-6);
  const std::clock_t began = std::clock();
  clock.restart();
  const QImage ground = view.scene().ground(view.scene().layout.body.toAlignedRect(), ratio);
  std::printf("  a ground of %d x %d points: %.0f ms, of the processor, all threads: %.0f ms\n", ground.width(),
              ground.height(), static_cast<double>(clock.nsecsElapsed()) * 1e-6,
              1e3 * static_cast<double>(std::clock() - began) / static_cast<double>(CLOCKS_PER_SEC));
  frames("  zoom", 200, [&](int i) { view.zoom(i % 20 < 10 ? 1.1 : 1 / 1.1, {700, 450}); });
  view.zoom(2, {700, 450});
  frames("  pan", 200, [&](int i) { view.move_by({i % 20 < 10 ? -9.0 : 9.0, i % 20 < 10 ? -5.0 : 5.0}); });
  frames("  the mouse moves over lanes", 200, [&](int i) { view.light_lane(i % last); });
  std::printf("  kept: %.1f MB\n", static_cast<double>(view.cached_bytes()) / (1 << 20));
  std::fflush(stdout);
}

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  std::vector<int> counts;
  for (int i = 1; i < argc; ++i) counts.push_back(std::atoi(argv[i]));
  if (counts.empty()) counts = {64, 512};
  for (const int count : counts) {
    const auto result = headlight::run_of(count);
    for (const int ratio : {1, 2}) headlight::measure(result, count, ratio);
  }
  return 0;
}
