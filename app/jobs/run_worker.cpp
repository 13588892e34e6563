#include "app/jobs/run_worker.h"

#include <QCoreApplication>
#include <QThreadPool>
#include <new>
#include <utility>

namespace headlight {

namespace {

// Thousands of values and nodes of the graph: to let go of them takes as long as to paint a picture. Whoever is the
// last to have it, the person does not wait for that.
std::shared_ptr<const Result> let_go_elsewhere(Result result) {
  return {new Result(std::move(result)), [](const Result* old) {
            QThreadPool* pool = QCoreApplication::instance() ? QThreadPool::globalInstance() : nullptr;
            if (pool)
              pool->start([old] { delete old; });
            else
              delete old;
          }};
}

}  // namespace

RunWorker::RunWorker(QObject* parent, Runner runner)
    : QObject(parent),
      runner_(std::move(runner)),
      latest_([this](const std::shared_ptr<const Result>& result) { emit finished(result); },
              [this](const QString& message, bool defect) { emit failed(message, defect); }) {}

std::uint64_t RunWorker::submit(Request request) {
  return latest_.thread().start([&](std::uint64_t id, const BackgroundThread::Report& report) {
    request.id = id;
    request.progress = [this, report, also = std::move(request.progress)](double fraction) {
      if (also) also(fraction);
      report([this, fraction] { emit progress(fraction); });
    };
    return [delivery = latest_.delivery(), runner = runner_,
            request = std::move(request)](const CancelToken& cancel) mutable {
      request.cancel = cancel;
      try {
        return delivery(let_go_elsewhere(runner(request)));
      } catch (const std::bad_alloc&) {
        throw UsageError(tr("Not enough memory for this run. Try a shorter text.").toStdString());
      }
    };
  });
}

void RunWorker::stop() {
  if (latest_.stop()) emit stopped();
}

}  // namespace headlight
