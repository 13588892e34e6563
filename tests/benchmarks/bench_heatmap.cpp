// A map of 4096 x 4096 weights: how long until it is first painted, and how long each frame takes while it is moved and
// zoomed. Each line: median, the slowest of a hundred frames, and the share that is ready within 16.7 ms (60 frames a
// second).
//   build/release/bench_heatmap [SIZE]
#include <QApplication>
#include <QPixmap>
#include <cmath>

#include "frame_times.h"
#include "widgets/matrix/heatmap.h"

namespace headlight {
namespace {

constexpr int kFrames = 200;
std::vector<AxisLabel> labels(int size) {
  std::vector<AxisLabel> made;
  for (int i = 0; i < size; ++i) made.push_back({"token" + QString::number(i), false, {}});
  return made;
}

void measure(int size) {
  std::vector<float> values(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 2654435761u >> 7 & 1023) / 1024;
  Heatmap map;
  map.resize(1100, 900);
  map.show();
  map.set_captions("looks", "is looked at", "weight");
  map.set_range(Heatmap::Range::automatic);
  map.set_labels(labels(size), labels(size));
  QPixmap picture(map.size());
  std::printf("%d x %d cells in %d x %d pixels\n", size, size, map.width(), map.height());
  std::vector<std::vector<float>> copies(8, values);
  report("first painted", timed(8, [&](int i) {
           map.set_matrix(size, size, std::move(copies[static_cast<std::size_t>(i)]));
           map.render(&picture);
         }));
  const double part = size / 4.0;
  const auto pan = [&](const char* name, double span) {
    report(name, timed(kFrames, [&](int i) {
             const double at = (size - span) * i / kFrames;
             map.set_window({at, at + span, at, at + span});
             map.render(&picture);
           }));
  };
  pan("pan, a quarter across", part);
  pan("pan, half across", size / 2.0);
  pan("pan, 300 across", 300);
  report("zoom, from all to 20 and back", timed(kFrames, [&](int i) {
           const double share = std::abs(1 - 2.0 * i / kFrames);
           const double span = 20 * std::pow(size / 20.0, share), at = (size - span) / 2;
           map.set_window({at, at + span, at, at + span});
           map.render(&picture);
         }));
  map.reset_view();
  map.render(&picture);
  report("mark under the mouse", timed(kFrames, [&](int i) {
           map.set_hover(i * 7 % size, i * 11 % size);
           map.render(&picture);
         }));
}

}  // namespace
}  // namespace headlight

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  headlight::measure(argc > 1 ? std::max(8, std::atoi(argv[1])) : 4096);
  return 0;
}
