// Keystroke to painted with every view of the model open: a key event is posted to the source field of the whole
// window, and the clock stops with the last paint that its result causes in any view.
//
//   QT_QPA_PLATFORM=offscreen build/release/bench_latency [MODEL|all] [KEYSTROKES] [heatmap]
//
// `heatmap`: only the panels that stand in front at the start, as most people use the window.

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "app/main_window.h"
#include "app/model_list.h"
#include "app/source_bar.h"
#include "model/io/model_folder.h"

using namespace headlight;

namespace {

// Counts the repaints of all windows, since a time.
class PaintClock : public QObject {
 public:
  QElapsedTimer clock;
  int paints = 0;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    paints += event->type() == QEvent::UpdateRequest ? 1 : 0;
    return QObject::eventFilter(watched, event);
  }
};

// Runs the event loop for a while.
void wait(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

// Sends what is posted, the repaints of all windows among it, until nothing is painted any more; the time of the last
// paint.
double settle(PaintClock& clock) {
  double painted = static_cast<double>(clock.clock.nsecsElapsed()) * 1e-6;
  for (int quiet = 0; quiet < 2;) {
    const int before = clock.paints;
    QCoreApplication::processEvents();
    if (clock.paints == before) {
      ++quiet;
    } else {
      quiet = 0;
      painted = static_cast<double>(clock.clock.nsecsElapsed()) * 1e-6;
    }
  }
  return painted;
}

// Milliseconds from the key event to the last paint of its result; negative when none came within ten seconds.
double keystroke(MainWindow& window, PaintClock& clock, int key, const QString& text) {
  QEventLoop loop;
  bool shown = false;
  const auto connection = QObject::connect(&window, &MainWindow::resultShown, [&] {
    shown = true;
    loop.quit();
  });
  QLineEdit* field = window.panels().source_bar->source_field();
  QTimer::singleShot(10'000, &loop, &QEventLoop::quit);
  clock.clock.start();
  QCoreApplication::postEvent(field, new QKeyEvent(QEvent::KeyPress, key, Qt::NoModifier, text));
  loop.exec();
  QObject::disconnect(connection);
  return shown ? settle(clock) : -1;
}

double percentile(const std::vector<double>& sorted, double p) {
  return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1) + 0.5)];
}

// Each panel as a window of its own, so that all are painted.
int open_all(MainWindow& window) {
  int views = 0;
  for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
    if (dock->isHidden()) continue;
    dock->setFloating(true);
    dock->resize(560, 380);
    ++views;
  }
  return views;
}

bool measure(const QString& name, int count, bool all_views) {
  MainWindow window(MainWindow::Remember::no);
  window.resize(1280, 800);
  window.show();
  window.start(first_document(name.toStdString()));
  wait(500);
  const int views = all_views ? open_all(window) : 0;
  PaintClock clock;
  qApp->installEventFilter(&clock);
  wait(500);
  // A key that the model can read: the last character of the example, typed again.
  QLineEdit* field = window.panels().source_bar->source_field();
  field->setFocus();
  const QString letter = field->text().right(1);
  std::vector<double> times;
  for (int i = 0; i < count + 10; ++i) {
    const bool typing = i % 2 == 0;
    const double ms =
        typing ? keystroke(window, clock, Qt::Key_unknown, letter) : keystroke(window, clock, Qt::Key_Backspace, {});
    if (ms < 0) {
      std::fprintf(stderr, "%s: no result within ten seconds\n", qPrintable(name));
      return false;
    }
    if (i >= 10) times.push_back(ms);  // the first ones fill caches
    wait(1);                           // what belongs to this keystroke does not burden the next one
  }
  std::sort(times.begin(), times.end());
  std::printf("%-22s %2d views  %4zu keystrokes  p50 %6.2f  p95 %6.2f  p99 %6.2f  max %6.2f ms\n",
              window.session().document().model->name.c_str(), views, times.size(), percentile(times, 0.5),
              percentile(times, 0.95), percentile(times, 0.99), times.back());
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  const QString name = argc > 1 ? argv[1] : "all";
  const int count = argc > 2 ? std::atoi(argv[2]) : 100;
  const bool all_views = argc <= 3 || std::strcmp(argv[3], "heatmap") != 0;
  QStringList names = {name};
  if (name == "all") {
    names.clear();
    for (const SourceBar::Entry& entry : listed_models()) names << entry.folder;
  }
  bool good = true;
  for (const QString& each : names) good = measure(each, count, all_views) && good;
  return good ? 0 : 1;
}
