// Checkpoints: all that a training needs to go on as if it had never stopped, in one file.

#include <cmath>
#include <map>
#include <optional>

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

// The epoch that is begun: a name in the checkpoint for each of its numbers.
template <class Begun>
struct BegunNumber {
  const char* name;
  double Begun::*value;
};
template <class Begun>
constexpr BegunNumber<Begun> kBegun[] = {{"nll", &Begun::nll},
                                         {"tokens", &Begun::tokens},
                                         {"gradient_norm", &Begun::gradient_norm},
                                         {"seconds", &Begun::seconds},
                                         {"learning_rate", &Begun::learning_rate}};

template <class Begun>
Json begun_json(const Begun& begun) {
  Json json{{"batches", begun.batches}};
  for (const auto& number : kBegun<Begun>) json[number.name] = begun.*number.value;
  return json;
}

// Of an epoch with so many batches; nothing where it does not fit.
template <class Begun>
std::optional<Begun> read_begun(const Json& json, Index batches) {
  Begun begun;
  if (!json.is_object() || !json.contains("batches") || !json["batches"].is_number_integer()) return {};
  begun.batches = json["batches"].get<Index>();
  if (begun.batches < 1 || begun.batches > batches) return {};
  for (const auto& number : kBegun<Begun>) {
    if (!json.contains(number.name) || !json[number.name].is_number()) return {};
    begun.*number.value = json[number.name].template get<double>();
    if (!std::isfinite(begun.*number.value)) return {};
  }
  return begun.tokens > 0 && begun.seconds >= 0 ? std::optional(begun) : std::nullopt;
}

// Weights after one of the last epochs, the oldest first (TrainingSettings::average).
std::string earlier_name(std::size_t epoch, const std::string& parameter) {
  return "average." + std::to_string(epoch) + "." + parameter;
}

}  // namespace

void Trainer::save_checkpoint(const std::filesystem::path& file, const std::map<std::string, std::string>& more) const {
  const State& state = *state_;
  std::vector<NamedTensor> tensors;
  for (const Parameter& p : state.model->parameters().all()) tensors.push_back({p.name, p.value});
  for (NamedTensor& t : state.optimiser.state()) tensors.push_back(std::move(t));
  // Between two epochs those of the last one stand there already.
  const std::size_t same = state.begun.batches == 0 && !state.last_weights.empty() ? 1 : 0;
  for (std::size_t e = 0; e + same < state.last_weights.size(); ++e)
    for (std::size_t i = 0; i < state.last_weights[e].size(); ++i)
      tensors.push_back({earlier_name(e, state.model->parameters().all()[i].name), state.last_weights[e][i]});
  std::map<std::string, std::string> metadata = more;
  metadata["settings"] = state.settings.to_json().dump();
  metadata["history"] = history_json(state.history).dump();
  metadata["updates"] = std::to_string(state.optimiser.updates());
  metadata["last_rate"] = Json(state.optimiser.last_rate()).dump();
  metadata["baseline"] = Json(state.baseline).dump();
  if (state.begun.batches > 0) metadata["begun"] = begun_json(state.begun).dump();
  write_safetensors(file, tensors, metadata, sizeof(Scalar) == 8 ? StorageType::f64 : StorageType::f32);
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
    different =
        differences(TrainingSettings::from_json(parse_json(settings, "settings")).to_json(), state.settings.to_json());
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
  State::Begun begun;
  if (const auto found = file.metadata().find("begun"); found != file.metadata().end()) {
    const auto read = read_begun<State::Begun>(typed_value(found->second), updates_in_epoch());
    if (!read) refuse("the checkpoint's begun epoch cannot be read");
    begun = *read;
  }
  // Every epoch has as many updates as there are full batches.
  const Index updates = epochs * updates_in_epoch() + begun.batches;
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
  state.begun = begun;
  state.cut.clear();
  const bool between = begun.batches == 0;  // two epochs: the weights of the last one were just read
  Index earlier = std::min(state.settings.average, epochs) - (between ? 1 : 0);
  if (state.averaged == state.model) earlier = 0;
  for (Index e = 0; e < earlier; ++e) {
    std::vector<Tensor>& weights = state.last_weights.emplace_back();
    for (const Parameter& p : state.model->parameters().all()) {
      weights.push_back(Tensor::zeros(p.value.shape()));
      load(earlier_name(static_cast<std::size_t>(e), p.name), weights.back());
    }
  }
  if (!state.history.empty() && between) state.keep_weights();
  state.average_weights();
}

}  // namespace headlight
