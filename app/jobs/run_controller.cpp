#include "app/jobs/run_controller.h"

#include <utility>

#include "model/models/variant.h"

namespace headlight {

RunController::RunController(Computer::Runner runner, QObject* parent)
    : QObject(parent), computer_(nullptr, std::move(runner)) {
  connect(&session_, &Session::changed, this, &RunController::run_document);
  connect(&computer_, &Computer::progress, this, &RunController::progress);
  connect(&computer_, &Computer::stopped, this, &RunController::stopped);
  connect(&computer_, &Computer::finished, this, &RunController::take);
  connect(&computer_, &Computer::failed, this, [this](const QString& message, bool defect) {
    companion_.resume();
    emit failed(message, defect);
  });
  connect(&loader_, &ModelLoader::loaded, this,
          [this](std::shared_ptr<const ModelBundle> model) { session_.set_model(std::move(model)); });
  connect(&loader_, &ModelLoader::failed, this, &RunController::modelFailed);
}

void RunController::run_document() {
  emit changed();
  if (!session_.document().model) return;
  emit started();
  companion_.pause();
  computer_.submit(session_.request());
}

void RunController::take(const std::shared_ptr<const Result>& result) {
  const auto before = std::exchange(result_, result);
  emit finished(result, !before || &as_trained(*before->model) != &as_trained(*result->model));
  companion_.resume();
}

}  // namespace headlight
