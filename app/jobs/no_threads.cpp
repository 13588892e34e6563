#include "app/jobs/no_threads.h"

#include <QCoreApplication>
#include <QPointer>
#include <QTimer>

#include "model/core/slices.h"

namespace headlight {

// A timer of no time comes when the loop of events has nothing else to do.
void compute_without_threads() {
  constexpr int kLook = 10;  // milliseconds, whether work that waits can go on
  const QPointer timer = new QTimer(QCoreApplication::instance());
  QObject::connect(timer, &QTimer::timeout, timer, [timer = timer.data()] {
    switch (run_slices()) {
      case Slices::none:
        return timer->stop();
      case Slices::waiting:
        return timer->setInterval(kLook);
      case Slices::ready:
        return timer->setInterval(0);
    }
  });
  work_without_threads([timer] {
    if (timer) timer->start(0);
  });
}

}  // namespace headlight
