// Keystroke to painted heatmap: a key event is posted to the source field of the whole window, and the clock stops when
// the alignment of that text has been painted.
//
//   QT_QPA_PLATFORM=offscreen build/release/bench_latency [MODEL] [KEYSTROKES]

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/main_window.h"
#include "model/io/model_folder.h"
#include "widgets/views/alignment_view.h"

using namespace headlight;

namespace {

// Milliseconds from the key event to the paint of its result; negative when none came within ten seconds.
double keystroke(MainWindow& window, QLineEdit* field, int key, const QString& text) {
  QEventLoop loop;
  const quint64 before = window.result() ? window.result()->id : 0;
  double milliseconds = -1;
  QElapsedTimer clock;
  const auto connection = QObject::connect(window.panels().alignment, &AlignmentView::painted, [&](quint64 id) {
    if (id <= before || milliseconds >= 0) return;
    milliseconds = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
    loop.quit();
  });
  QTimer::singleShot(10'000, &loop, &QEventLoop::quit);
  clock.start();
  QCoreApplication::postEvent(field, new QKeyEvent(QEvent::KeyPress, key, Qt::NoModifier, text));
  QCoreApplication::postEvent(field, new QKeyEvent(QEvent::KeyRelease, key, Qt::NoModifier, text));
  loop.exec();
  QObject::disconnect(connection);
  // What the paint left behind (status line, tables) belongs to this keystroke, not to the next one.
  QCoreApplication::processEvents();
  return milliseconds;
}

double percentile(const std::vector<double>& sorted, double p) {
  return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1) + 0.5)];
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication app(argc, argv);
  const std::string name = argc > 1 ? argv[1] : "date-attention";
  const int count = argc > 2 ? std::atoi(argv[2]) : 400;
  MainWindow window(MainWindow::Remember::no);
  window.resize(1280, 800);
  window.show();
  const auto model = load_model(name);
  window.start({model, "November 21, 202", {}, {}});
  auto* field = window.findChild<QLineEdit*>();
  if (!field) return 1;
  field->setFocus();
  QEventLoop settle;
  QTimer::singleShot(500, &settle, &QEventLoop::quit);
  settle.exec();

  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const bool typing = i % 2 == 0;
    const double ms =
        typing ? keystroke(window, field, Qt::Key_6, "6") : keystroke(window, field, Qt::Key_Backspace, {});
    if (ms < 0) {
      std::fprintf(stderr, "no paint within ten seconds\n");
      return 1;
    }
    if (i >= 20) times.push_back(ms);  // the first ones fill caches
  }
  std::sort(times.begin(), times.end());
  std::printf(
      "%s: keystroke to painted heatmap, %zu keystrokes, window 1280x800: p50 %.2f  p95 %.2f  p99 %.2f  max %.2f ms\n",
      name.c_str(), times.size(), percentile(times, 0.5), percentile(times, 0.95), percentile(times, 0.99),
      times.back());
}
