// Checkpoints: all that a training needs to go on as if it had never stopped, in one file.

#include "model/io/json_file.h"
#include "model/io/safetensors.h"
#include "model/training/trainer_state.h"

namespace headlight {

namespace {

// The settings that differ, each with what the checkpoint has and what was asked for; empty: none. How long to train
// may change on the way.
std::string differences(const Json& theirs, const Json& ours) {
  std::string text;
  for (const auto& [key, value] : ours.items()) {
    if (key == "epochs" || key == "patience") continue;
    const Json other = theirs.contains(key) ? theirs[key] : Json();
    if (nlohmann::json(other) != nlohmann::json(value))  // in whatever order the settings of the model were given
      text += (text.empty() ? "" : ", ") + key + " " + other.dump() + " (asked for " + value.dump() + ")";
  }
  return text;
}

// Weights after one of the last epochs, the oldest first (TrainingSettings::average).
std::string earlier_name(std::size_t epoch, const std::string& parameter) {
  return "average." + std::to_string(epoch) + "." + parameter;
}

}  // namespace

void Trainer::save_checkpoint(const std::filesystem::path& file) const {
  const State& state = *state_;
  std::vector<NamedTensor> tensors;
  for (const Parameter& p : state.model->parameters().all()) tensors.push_back({p.name, p.value});
  for (NamedTensor& t : state.optimiser.state()) tensors.push_back(std::move(t));
  for (std::size_t e = 0; e + 1 < state.last_weights.size(); ++e)  // those of the last epoch stand there already
    for (std::size_t i = 0; i < state.last_weights[e].size(); ++i)
      tensors.push_back({earlier_name(e, state.model->parameters().all()[i].name), state.last_weights[e][i]});
  write_safetensors(file, tensors,
                    {{"settings", state.settings.to_json().dump()},
                     {"history", history_json(state.history).dump()},
                     {"updates", std::to_string(state.optimiser.updates())},
                     {"last_rate", Json(state.optimiser.last_rate()).dump()},
                     {"baseline", Json(state.baseline).dump()}},
                    sizeof(Scalar) == 8 ? StorageType::f64 : StorageType::f32);
}

void Trainer::load_checkpoint(const std::filesystem::path& path) {
  State& state = *state_;
  const SafetensorsFile file(path);
  const auto refuse = [&](const std::string& what) { throw FormatError(path.string() + ": " + what); };
  const auto entry = [&](const char* key) {
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end())
      refuse("this is not a checkpoint of a training (no \"" + std::string(key) + "\")");
    return found->second;
  };
  const auto number = [&](const char* key) {
    const Json value = typed_value(entry(key));
    if (!value.is_number()) refuse("the checkpoint's " + std::string(key) + ": expected a number, found " + entry(key));
    return value.get<double>();
  };
  std::string different;
  const std::string settings = entry("settings"), history = entry("history");
  try {
    different = differences(TrainingSettings::from_json(parse_json(settings, "settings")).to_json(), state.settings.to_json());
  } catch (const std::exception&) {
    refuse("the checkpoint's settings cannot be read");
  }
  if (!different.empty()) refuse("the checkpoint belongs to other settings: " + different);
  try {
    state.history = read_history(typed_value(history));
  } catch (const Json::exception&) {
    refuse("the checkpoint's history cannot be read");
  }
  const auto epochs = static_cast<Index>(state.history.size());
  for (Index e = 0; e < epochs; ++e)
    if (const int found = state.history[static_cast<std::size_t>(e)].epoch; found != e + 1)
      refuse("the checkpoint's history: expected epoch " + std::to_string(e + 1) + ", found " + std::to_string(found));
  // Every epoch has as many updates as there are full batches.
  const Index updates = epochs * (state.train.size() / std::min(state.settings.batch, state.train.size()));
  if (number("updates") != static_cast<double>(updates))
    refuse("the checkpoint's updates: expected " + std::to_string(updates) + ", found " + entry("updates"));
  const auto load = [&](const std::string& name, Tensor target) {
    const Tensor value = file.load(name);
    if (value.shape() != target.shape())
      refuse(name + ": expected " + target.shape().text() + ", found " + value.shape().text());
    if (!value.array().isFinite().all()) refuse(name + ": expected finite numbers, found NaN or infinity");
    target.array() = value.array();
  };
  for (Parameter& p : state.model->parameters().all()) load(p.name, p.value);
  for (const NamedTensor& t : state.optimiser.state()) load(t.name, t.value);
  state.optimiser.restore(updates, number("last_rate"));
  state.baseline = number("baseline");
  state.last_weights.clear();
  const auto earlier = std::min(state.settings.average, static_cast<Index>(state.history.size())) - 1;
  for (Index e = 0; e < earlier; ++e) {
    std::vector<Tensor>& weights = state.last_weights.emplace_back();
    for (const Parameter& p : state.model->parameters().all()) {
      weights.push_back(Tensor::zeros(p.value.shape()));
      load(earlier_name(static_cast<std::size_t>(e), p.name), weights.back());
    }
  }
  if (!state.history.empty()) state.keep_weights();
  state.average_weights();
}

}  // namespace headlight
