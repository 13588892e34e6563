// Runs models off the GUI thread. A request has an id that only grows; only the newest one's result is delivered.
#pragma once

#include <QObject>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

class Computer : public QObject {
  Q_OBJECT
 public:
  using Runner = std::function<Result(const Request&)>;
  explicit Computer(QObject* parent = nullptr, Runner runner = run);
  // Cancels what is running; waits only until the computation next looks at its token.
  ~Computer() override;

  // Replaces a waiting request, cancels the running one, and returns the id. Id, cancel token and progress of the
  // request are filled in here; a progress function of the request is kept and called as well.
  std::uint64_t submit(Request request);
  // Nothing that was asked for until now will be delivered.
  void stop();
  bool busy() const { return busy_; }

 signals:
  void finished(std::shared_ptr<const headlight::Result> result);
  // Of the newest request: the text is shown as it is. `defect`: our own fault, not the user's.
  void failed(const QString& message, bool defect);
  void progress(double fraction);
  void stopped();

 private:
  void work(const std::stop_token& stop);
  void execute(const Request& request);
  // Hands something over to the thread of this object; it is dropped there when `id` is not the newest any more. The
  // hand-over is ours, under our mutex: Qt only wakes the other side.
  void post(std::uint64_t id, bool last, std::function<void()> what);
  Q_INVOKABLE void deliver();

  struct Delivery {
    std::uint64_t id;
    bool last;
    std::function<void()> what;
  };
  Runner runner_;
  std::uint64_t newest_ = 0;  // of this object's thread
  bool busy_ = false;         // of this object's thread

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Request> waiting_;
  CancelToken running_;
  std::vector<Delivery> deliveries_;
  std::jthread thread_;  // last: it uses the members above
};

}  // namespace headlight
