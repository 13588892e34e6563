#include "app/text/as_trained.h"

#include <utility>

#include "model/models/variant.h"

namespace headlight {

namespace {

// The same text, read by the same model, with nothing changed.
Request without_changes(const Result& of) {
  Request request;
  request.model = of.model->trained ? of.model->trained : of.model;
  request.source = of.source;
  request.second = of.second;
  request.type_ids = of.type_ids;
  request.seed = of.seed;
  request.capture.explain = false;
  return request;
}

bool answers(const RunInputs& one, const ModelBundle* model, const Request& wanted) {
  return model == wanted.model.get() && one == wanted.inputs();
}

}  // namespace

void AsTrained::follow(const std::shared_ptr<const Result>& newest) {
  if (!newest || !newest->model || !newest->model->model || newest->model->stored) {
    changed_ = false;
    return;
  }
  const Request wanted = without_changes(*newest);
  const std::shared_ptr<const Result> before = result();
  changed_ = !answers(newest->inputs(), newest->model.get(), wanted);
  if (!changed_) {
    unchanged_ = newest;
    if (std::exchange(asked_, std::nullopt)) emit runsWanted({});
  } else if (!unchanged_ || !answers(unchanged_->inputs(), unchanged_->model.get(), wanted)) {
    unchanged_.reset();
    if (!asked_ || !answers(asked_->inputs(), asked_->model.get(), wanted)) {
      asked_ = wanted;
      emit runsWanted({wanted});
    }
  }
  if (result() != before) emit arrived();
}

void AsTrained::set_run(int, std::shared_ptr<const Result> result) {
  if (!asked_ || !answers(result->inputs(), result->model.get(), *std::exchange(asked_, std::nullopt))) return;
  unchanged_ = std::move(result);
  if (changed_) emit arrived();
}

}  // namespace headlight
