#include "model/recording/moment_weights.h"

#include <algorithm>

#include "model/core/errors.h"
#include "model/io/half.h"
#include "model/models/bundle.h"
#include "model/recording/live_training.h"
#include "model/training/trainer.h"

namespace headlight {

namespace {

constexpr double kLargestHalf = 65504;

}  // namespace

std::size_t MomentWeights::bytes() const {
  std::size_t sum = 0;
  for (const auto& parameter : parameters) sum += static_cast<std::size_t>(parameter->count()) * sizeof(std::uint16_t);
  return sum;
}

std::shared_ptr<const MomentWeights> weights_of(const ParameterTable& parameters) {
  auto weights = std::make_shared<MomentWeights>();
  for (const Parameter& p : parameters.all()) {
    auto halves = std::make_shared<Halves>(Halves::Kind::float16, p.value.size());
    const Scalar* numbers = p.value.data();
    for (Index i = 0; i < p.value.size(); ++i)
      halves->bits()[i] = to_half(std::clamp(static_cast<double>(numbers[i]), -kLargestHalf, kLargestHalf));
    weights->parameters.push_back(std::move(halves));
  }
  return weights;
}

std::shared_ptr<const ModelBundle> model_at(const Recording& recording, int moment) {
  const std::shared_ptr<const MomentWeights>& weights = recording.at(moment).weights;
  if (!weights) throw UsageError("the weights of this moment were not kept");
  const std::shared_ptr<const Task> task =
      recording.task ? recording.task : find_task(recording.settings.task, recording.settings.data);
  const std::shared_ptr<Model> model = untrained_model(recording.settings, *task);
  std::vector<Parameter>& parameters = model->parameters().all();
  if (parameters.size() != weights->parameters.size())
    throw UsageError("the weights of this moment do not fit the model: expected " + std::to_string(parameters.size()) +
                     " parameters, found " + std::to_string(weights->parameters.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Halves& halves = *weights->parameters[i];
    Tensor& value = parameters[i].value;
    if (halves.count() != value.size())
      throw UsageError(parameters[i].name + " of this moment: expected " + std::to_string(value.size()) +
                       " numbers, found " + std::to_string(halves.count()));
    halves.read(0, halves.count(), value.data());
  }
  auto bundle = std::make_shared<ModelBundle>();
  bundle->name = bundle->title = recording.title;
  bundle->model = model;
  bundle->text = task->text;
  bundle->description = task->description;
  bundle->task = task->name;
  for (const Probe& probe : recording.probes) bundle->examples.push_back(probe.source);
  for (const std::string& example : task->examples)
    if (std::find(bundle->examples.begin(), bundle->examples.end(), example) == bundle->examples.end())
      bundle->examples.push_back(example);
  return bundle;
}

}  // namespace headlight
