#include "app/jobs/run_worker.h"

#include <new>
#include <utility>

namespace headlight {

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
        return delivery(std::make_shared<const Result>(runner(request)));
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
