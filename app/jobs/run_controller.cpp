#include "app/jobs/run_controller.h"

#include <utility>

#include "model/models/variant.h"

namespace headlight {

RunController::RunController(RunWorker::Runner runner, ModelLoader::Loader loader, QObject* parent)
    : QObject(parent), worker_(nullptr, std::move(runner)), loader_(std::move(loader)) {
  connect(&session_, &Session::changed, this, &RunController::run_document);
  connect(&worker_, &RunWorker::progress, this, &RunController::progress);
  connect(&worker_, &RunWorker::stopped, this, &RunController::stopped);
  connect(&worker_, &RunWorker::finished, this, &RunController::take);
  connect(&worker_, &RunWorker::failed, this, [this](const QString& message, bool defect) {
    side_runs_.resume();
    emit failed(message, defect);
  });
  connect(&loader_, &ModelLoader::loaded, this,
          [this](std::shared_ptr<const ModelBundle> model) { session_.set_model(std::move(model)); });
  connect(&loader_, &ModelLoader::failed, this, &RunController::modelFailed);
}

void RunController::stop_all() {
  loader_.stop();
  side_runs_.stop();
  worker_.stop();
}

void RunController::run_document() {
  emit changed();
  if (!session_.document().model) return;
  emit started();
  side_runs_.pause();
  Request request = session_.request();
  request.previous = result_;  // what is the same in it is not computed again
  worker_.submit(std::move(request));
}

void RunController::take(const std::shared_ptr<const Result>& result) {
  const auto before = std::exchange(result_, result);
  emit finished(result, !before || &as_trained(*before->model) != &as_trained(*result->model));
  side_runs_.resume();
}

}  // namespace headlight
