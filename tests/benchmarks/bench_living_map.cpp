// All that is promised of how fast the living map is. A decoder with drawn weights (12 layers of 12 heads, 48 numbers)
// in a view of 1600 x 900 pixels, at 64 and at 512 tokens, at one and two points for a pixel: when the first picture is
// there and when the sharp one, counted from the run; how long the thread of the interface is ever busy until then;
// frames while somebody zooms, pans, moves the mouse, chooses outputs; and how much is kept. Then how long a key takes
// in a window with the map in front (bench_latency). Behind the times of the clock stand those of the processor, which
// other programs lengthen less; of all threads they are added up.
//
//   build/release/bench_living_map [TOKENS...]
#include <QApplication>
#include <QDir>
#include <QProcess>
#include <QStyle>
#include <cstdlib>
#include <ctime>

#include "drawn_decoder.h"
#include "frame_times.h"
#include "model/analysis/living/map.h"
#include "model/decode/run.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/living/view.h"

namespace headlight {
namespace {

constexpr DrawnDecoder kShape{300, 48, 12, 12, 96};

std::shared_ptr<const Result> run_of(int count) {
  static const auto model = drawn_decoder(kShape);
  Request request;
  request.model = model;
  request.ids = drawn_tokens(count, kShape);
  return std::make_shared<const Result>(run(request));
}

// Milliseconds of the processor in all threads.
double all_threads() { return 1e3 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC); }

// At the ratio that QT_SCALE_FACTOR says.
void measure(int count) {
  const auto result = run_of(count), longer = run_of(count + 1);
  Selection selection;
  ViewRequests requests;
  LivingView view({&selection, &requests});
  view.resize(1600, 900);
  view.show();
  QCoreApplication::processEvents();
  const int ratio = qRound(view.devicePixelRatioF());
  std::printf("%d tokens, %d point%s a pixel\n", count, ratio, ratio == 1 ? "" : "s");
  const auto frames = [&](const char* name, int many, const std::function<void(int)>& frame) {
    report(name, frame_times(
                     many,
                     [&](int i) {
                       frame(i);
                       view.viewport()->repaint();
                     },
                     [] { QCoreApplication::processEvents(); }));
  };
  double longest = 0;
  const auto turn = [&](const std::function<void()>& what) {
    const double began = processor_time();
    what();
    longest = std::max(longest, processor_time() - began);
  };
  const auto wait = [&] { turn([] { QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents); }); };

  QElapsedTimer clock;
  clock.start();
  const double at_start = all_threads();
  turn([&] { view.take(analysed(result)); });
  while (!view.map()) wait();
  view.viewport()->repaint();
  std::printf("  first picture after %.0f ms", static_cast<double>(clock.nsecsElapsed()) * 1e-6);
  std::printf(" (of the processor, all threads: %.0f)", all_threads() - at_start);
  while (!view.is_sharp()) wait();
  std::printf(", sharp after %.0f ms (%.0f)\n", static_cast<double>(clock.nsecsElapsed()) * 1e-6,
              all_threads() - at_start);
  std::printf("  the longest turn of the interface until then: %.1f ms of the processor\n", longest);

  const int last = static_cast<int>(view.map()->lanes.size()) - 1;
  frames("  an output is chosen", 40, [&](int i) { view.choose({last - i % 12, -1}); });
  while (!view.is_sharp()) wait();
  const double began = all_threads();
  const QImage ground = view.scene().ground(view.scene().layout.body.toAlignedRect(), ratio);
  std::printf("  a ground of %d x %d points: %.0f ms of the processor, all threads\n", ground.width(), ground.height(),
              all_threads() - began);
  frames("  zoom", 200, [&](int i) { view.zoom(i % 20 < 10 ? 1.1 : 1 / 1.1, {700, 450}); });
  view.zoom(2, {700, 450});
  frames("  pan", 200, [&](int i) { view.move_by({i % 20 < 10 ? -9.0 : 9.0, i % 20 < 10 ? -5.0 : 5.0}); });
  frames("  the mouse moves over lanes", 200, [&](int i) { view.light_lane(i % last); });
  view.light_lane(-1);
  view.show_all();
  while (!view.is_sharp()) wait();
  view.take(analysed(longer));
  while (!view.map() || view.map()->result != longer || !view.is_sharp()) wait();
  std::printf("  kept: %.1f MB\n", static_cast<double>(view.cached_bytes()) / (1 << 20));
  std::fflush(stdout);
}

// This program, or one beside it, at another ratio.
void run_beside(const QString& program, const QStringList& arguments, int ratio) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("QT_SCALE_FACTOR", QString::number(ratio));
  process.setProcessEnvironment(environment);
  process.setProcessChannelMode(QProcess::ForwardedChannels);
  process.start(QDir(QCoreApplication::applicationDirPath()).filePath(program), arguments);
  process.waitForFinished(-1);
}

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  QStringList arguments = QApplication::arguments().mid(1);
  if (arguments.size() == 2 && arguments[0] == "--here") {
    headlight::measure(arguments[1].toInt());
    return 0;
  }
  const bool all = arguments.empty();
  if (all) arguments = {"64", "512"};
  for (const QString& count : arguments)
    for (const int ratio : {1, 2}) headlight::run_beside("bench_living_map", {"--here", count}, ratio);
  if (all)
    for (const char* model : {"date-attention", "story-gpt", "tatoeba-transformer"})
      headlight::run_beside("bench_latency", {model, "200", "map"}, 1);
  return 0;
}
