// Runs models off the GUI thread. A request has an id that only grows; only the newest one's result is delivered.
#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "app/jobs/latest.h"
#include "model/decode/run.h"

namespace headlight {

class RunWorker : public QObject {
  Q_OBJECT
 public:
  using Runner = std::function<Result(const Request&)>;
  explicit RunWorker(QObject* parent = nullptr, Runner runner = run);

  // Replaces a waiting request, cancels the running one, and returns the id. Id, cancel token and progress of the
  // request are filled in here; a progress function of the request is kept and called as well.
  std::uint64_t submit(Request request);
  // Nothing that was asked for until now will be delivered.
  void stop();
  bool busy() const { return latest_.busy(); }

 signals:
  void finished(std::shared_ptr<const headlight::Result> result);
  // Of the newest request: the text is shown as it is. `defect`: our own fault, not the user's.
  void failed(const QString& message, bool defect);
  void progress(double fraction);
  // Of a run that is likely to take longer than a frame of the screen: its text as tokens; nothing else is there yet.
  void read(std::shared_ptr<const headlight::Result> text);
  // What the running one has written so far, of a run that takes its time. The whole comes with its result.
  void wrote(const QString& text);
  void stopped();

 private:
  Runner runner_;
  Latest<std::shared_ptr<const Result>> latest_;
};

}  // namespace headlight
