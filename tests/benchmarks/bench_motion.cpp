// Frames while something moves: how long the window's thread is busy with each, of everything that is painted in it.
// bench_motion [MODEL]: one line for each thing that a person does; median, the slowest of a hundred, and the slowest.
// QT_QPA_PLATFORM=offscreen build/release/bench_motion date-attention
#include <QApplication>
#include <QMouseEvent>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "app/document/model_list.h"
#include "app/language.h"
#include "app/window/main_window.h"
#include "tests/benchmarks/frame_times.h"
#include "widgets/base/motion.h"
#include "widgets/base/selection.h"
#include "widgets/base/style.h"
#include "widgets/base/utf8_text.h"

namespace {

using namespace headlight;

bool anything_moves() {
  const QWidgetList all = QApplication::allWidgets();
  return std::ranges::any_of(all, [](const QWidget* each) { return Motion::is_moving(*each); });
}

class TimedApplication : public QApplication {
 public:
  using QApplication::QApplication;
  std::vector<double> frames;  // milliseconds of the processor
  bool notify(QObject* object, QEvent* event) override {
    if (event->type() != QEvent::UpdateRequest || !anything_moves()) return QApplication::notify(object, event);
    const double began = processor_time();
    const bool done = QApplication::notify(object, event);
    frames.push_back(processor_time() - began);
    return done;
  }
};

void wait(int milliseconds) {
  QElapsedTimer clock;
  clock.start();
  while (clock.elapsed() < milliseconds) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
}

}  // namespace

int main(int count, char** arguments) {
  TimedApplication application(count, arguments);
  QApplication::setStyle(new Style);
  load_resources();
  Motion::watch();
  MainWindow window(MainWindow::Remember::no);
  window.resize(1280, 800);
  const char* model = count > 1 ? arguments[1] : "date-attention";
  window.start(first_document(model));
  window.show();
  wait(1500);
  const std::vector<std::string> examples = window.session().document().model->examples;
  const auto measure = [&](const char* name, const std::function<void(int)>& act) {
    application.frames.clear();
    for (int i = 0; i < 12; ++i) {
      wait(600);  // two acts close together do not move
      for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
        QMouseEvent event(type, QPointF(1, 1), window.mapToGlobal(QPointF(1, 1)), Qt::LeftButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&window, &event);
      }
      act(i);
      wait(400);
    }
    std::vector<double>& times = application.frames;
    std::ranges::sort(times);
    if (times.empty()) return void(std::printf("%-40s nothing moves\n", name));
    const auto at = [&](double share) {
      return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::printf("%-40s %4zu frames %7.2f ms median %7.2f ms p99 %7.2f ms at most\n", name, times.size(), at(0.5),
                at(0.99), times.back());
    std::fflush(stdout);
  };
  for (const char* view : {"alignment", "heads", "ribbons", "states", "map"}) {
    if (!window.panels().raise(QString::fromUtf8(view))) continue;
    wait(800);
    measure(qPrintable(QStringLiteral("%1, another text").arg(QString::fromUtf8(view))), [&](int i) {
      window.session().set_source(from_utf8(examples[static_cast<std::size_t>(i) % examples.size()]));
    });
    measure(qPrintable(QStringLiteral("%1, another output").arg(QString::fromUtf8(view))), [&](int i) {
      SelectionState state = window.selection().state();
      state.step = i % 4;
      window.selection().set(state);
    });
  }
  measure("another mode",
          [&](int i) { window.panels().arrange(i % 2 ? QStringLiteral("look") : QStringLiteral("explain")); });
  return 0;
}
