#include "app/jobs/run_controller.h"

#include <algorithm>
#include <utility>

#include "model/models/variant.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

RunController::RunController(RunWorker::Runner runner, ModelLoader::Loader loader, QObject* parent)
    : QObject(parent), worker_(nullptr, std::move(runner)), loader_(std::move(loader)) {
  connect(&session_, &Session::changed, this, &RunController::run_document);
  connect(&worker_, &RunWorker::progress, this, &RunController::progress);
  connect(&worker_, &RunWorker::read, this, &RunController::read);
  connect(&worker_, &RunWorker::wrote, this, &RunController::wrote);
  connect(&worker_, &RunWorker::stopped, this, &RunController::stopped);
  connect(&worker_, &RunWorker::finished, this, &RunController::take);
  connect(&worker_, &RunWorker::failed, this, [this](const QString& message, bool defect) {
    side_runs_.resume();
    emit failed(message, defect);
  });
  connect(&loader_, &ModelLoader::loaded, this, [this](std::shared_ptr<const ModelBundle> model) {
    emit loading(false);
    session_.set_model(std::move(model));
    if (std::exchange(looked_enough_, false)) session_.end_looking();
  });
  connect(&loader_, &ModelLoader::failed, this, [this](const QString& message) {
    emit loading(false);
    if (std::exchange(looked_enough_, false)) {
      session_.look_back();
      session_.end_looking();
    }
    emit modelFailed(message);
  });
}

void RunController::open_model(const QString& name_or_folder) {
  if (session_.is_looking()) {
    const auto& model = session_.document().model;
    if (!loader_.busy() && model && path_text(model->folder) == name_or_folder) return session_.end_looking();
    looked_enough_ = true;
  }
  load(name_or_folder);
}

void RunController::load(const QString& name_or_folder) {
  emit loading(true);
  loader_.load(name_or_folder);
}

void RunController::stop() {
  worker_.stop();
  if (!loader_.busy() || session_.is_looking()) return;
  loader_.stop();
  emit loading(false);
}

void RunController::look_at_model(const QString& folder) {
  if (!session_.is_looking()) session_.begin_looking();
  load(folder);
}

void RunController::look_back() {
  if (!session_.is_looking()) return;
  loader_.stop();
  emit loading(false);
  session_.look_back();
  session_.end_looking();
}

void RunController::stop_all() {
  loader_.stop();
  side_runs_.stop();
  worker_.stop();
}

void RunController::run_document() {
  emit changed();
  if (session_.document().model) submit();
}

void RunController::submit() {
  emit started();
  side_runs_.pause();
  Request request = session_.request();
  request.previous = result_;  // what is the same in it is not computed again
  request.shown = shown_;
  worker_.submit(std::move(request));
}

void RunController::set_shown(std::optional<Capture> shown) {
  shown_ = std::move(shown);
  if (!result_ || !result_->only_shown) return;
  const auto is_kept = [this](const std::string& site) {
    return std::ranges::find(result_->captured, site) != result_->captured.end();
  };
  if (!shown_ || !std::ranges::all_of(shown_->sites, is_kept)) submit();
}

void RunController::take(const std::shared_ptr<const Result>& result) {
  const auto before = std::exchange(result_, result);
  emit finished(result, !before || &as_trained(*before->model) != &as_trained(*result->model));
  side_runs_.resume();
}

}  // namespace headlight
