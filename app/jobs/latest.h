// Work off the GUI thread of which only the newest counts: typing faster than a model runs never makes a queue.
#pragma once

#include <QObject>
#include <QString>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "model/core/cancel.h"

namespace headlight {

// One thread with room for one waiting job. A newer job takes the place of the waiting one and cancels the running one;
// what those would have delivered is dropped. All members are for the thread of the owner, where jobs are delivered.
class BackgroundThread {
 public:
  using Delivery = std::function<void()>;
  // Runs on the thread; what it returns is done on the thread of the owner. It must not touch its owner, which may have
  // gone by then. Throws Cancelled, or what Failed is told.
  using Job = std::function<Delivery(const CancelToken& cancel)>;
  // The text is shown as it is. `defect`: our own fault, not the user's.
  using Failed = std::function<void(const QString& message, bool defect)>;
  // Delivers something of a job that still runs; for any thread.
  using Report = std::function<void(Delivery)>;

  explicit BackgroundThread(Failed failed);
  // Cancels. A job that does not look at its token is left to itself after patience().
  ~BackgroundThread();

  // Returns the number of the job; it only grows.
  std::uint64_t start(Job job);
  // The same for a job that reports while it runs.
  std::uint64_t start(const std::function<Job(std::uint64_t id, Report report)>& make);
  // Nothing that was started until now will be delivered. Whether something would have been.
  bool stop();
  bool busy() const { return busy_; }
  // Waits until nothing runs and nothing waits, however long that takes; or for patience(), and says whether it was
  // enough.
  void finish();
  bool finish_soon();

  // Threads that were left to themselves and still run: the program then ends without tidying up behind them.
  static int left();

  // How long the end of a thread may take: 200 ms; or what is left of them since Ending::begin().
  static std::chrono::milliseconds patience();
  // While something ends that owns several threads: they are waited for together, not one after the other.
  class Ending {
   public:
    void begin();
    ~Ending();
  };

 private:
  struct Shared;
  static void work(const std::shared_ptr<Shared>& shared);
  void deliver();

  Failed failed_;
  std::uint64_t newest_ = 0;
  bool busy_ = false;
  std::shared_ptr<Shared> shared_;
  std::thread thread_;
  QObject receiver_;
};

// A thread whose jobs make a T.
template <class T>
class Latest {
 public:
  explicit Latest(std::function<void(const T&)> done, BackgroundThread::Failed failed = nullptr)
      : done_(std::move(done)), thread_(std::move(failed)) {}
  std::uint64_t start(std::function<T(const CancelToken& cancel)> work) {
    return thread_.start(
        [delivery = delivery(), work = std::move(work)](const CancelToken& cancel) { return delivery(work(cancel)); });
  }
  // For a job of one's own, which calls it on the thread.
  std::function<BackgroundThread::Delivery(T)> delivery() {
    return [this](T made) -> BackgroundThread::Delivery { return [this, made = std::move(made)] { done_(made); }; };
  }
  BackgroundThread& thread() { return thread_; }
  bool stop() { return thread_.stop(); }
  bool busy() const { return thread_.busy(); }

 private:
  std::function<void(const T&)> done_;
  BackgroundThread thread_;
};

}  // namespace headlight
