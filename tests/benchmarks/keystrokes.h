// A key event that is posted to the source field of the whole window, and the time until its result is painted.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QTimer>
#include <optional>
#include <vector>

#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"

namespace headlight::benchmarks {

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
inline void wait(int milliseconds) {
  QEventLoop loop;
  QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
  loop.exec();
}

// Sends what is posted, the repaints of all windows among it, until nothing is painted any more; the time of the last
// paint.
inline double settle(PaintClock& clock) {
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

struct Stroke {
  int key = Qt::Key_unknown;
  QString text;
  Qt::KeyboardModifiers modifiers = Qt::NoModifier;
};

// Milliseconds from a key event: until the views have its result, and until its last paint.
struct Answered {
  double shown = 0, painted = 0;
};

// `field`: where it is typed; null: the source. Nothing when no result came within ten seconds.
inline std::optional<Answered> answered(MainWindow& window, PaintClock& clock, const Stroke& stroke,
                                        QWidget* field = nullptr) {
  QEventLoop loop;
  std::optional<Answered> times;
  const auto connection = QObject::connect(&window, &MainWindow::resultShown, [&] {
    times = {static_cast<double>(clock.clock.nsecsElapsed()) * 1e-6, 0};
    loop.quit();
  });
  if (!field) field = window.views().source_bar()->source_field();
  QTimer::singleShot(10'000, &loop, &QEventLoop::quit);
  clock.clock.start();
  QCoreApplication::postEvent(field, new QKeyEvent(QEvent::KeyPress, stroke.key, stroke.modifiers, stroke.text));
  loop.exec();
  QObject::disconnect(connection);
  if (times) times->painted = settle(clock);
  return times;
}

// Milliseconds to the last paint; negative when no result came within ten seconds.
inline double keystroke(MainWindow& window, PaintClock& clock, const Stroke& stroke, QWidget* field = nullptr) {
  const std::optional<Answered> times = answered(window, clock, stroke, field);
  return times ? times->painted : -1;
}

inline double percentile(const std::vector<double>& sorted, double p) {
  return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1) + 0.5)];
}

}  // namespace headlight::benchmarks
