// Makes the living map of a run off the thread of the interface, where it would take longer than a frame. The newest
// run wins: one that waits gives way to it, the one that is being made is cancelled.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

#include "model/core/cancel.h"
#include "model/core/work_queue.h"

namespace headlight {

class AnalysedRun;
struct LivingMap;

class LivingMaker : public QObject {
  Q_OBJECT
 public:
  // What else is made of the map, on the worker: it must not touch its owner there, and may throw Cancelled. What it
  // returns is done on the thread of the interface; AnalysedRun::living() answers at once then.
  using Done = std::function<void()>;
  using Work = std::function<Done(const std::shared_ptr<const LivingMap>& map, const CancelToken& cancel)>;

  explicit LivingMaker(QObject* parent = nullptr);
  ~LivingMaker() override;

  // Whether the map of this run is worth a worker: that of a line of text is made in a few milliseconds.
  static bool is_long(const AnalysedRun& run);
  void start(std::shared_ptr<const AnalysedRun> run, Work work);
  void stop();  // cancels what is under way
  bool is_busy() const { return busy_; }
  bool is_late() const { return busy_ && late_; }  // for half a second: time to say so

 signals:
  void late();

 private:
  WorkQueue queue_;
  QTimer patience_;
  quint64 newest_ = 0;
  CancelToken cancel_;
  std::weak_ptr<const AnalysedRun> of_;  // whose map is made
  bool busy_ = false, late_ = false;
};

}  // namespace headlight
