// Settings, history and checkpoints of a training, as files.

#include <charconv>
#include <cstdio>

#include "model/io/safetensors.h"
#include "model/training/optimiser.h"
#include "model/training/trainer.h"
#include "model/training/trainer_state.h"

namespace headlight {

namespace {

Json record_json(const EpochRecord& r) {
  return {{"epoch", r.epoch},
          {"loss", r.loss},
          {"exact_match", r.exact_match},
          {"gradient_norm", r.gradient_norm},
          {"seconds", r.seconds},
          {"examples_per_second", r.examples_per_second}};
}

EpochRecord read_record(const Json& j) {
  return {j.at("epoch"),         j.at("loss"),    j.at("exact_match"),
          j.at("gradient_norm"), j.at("seconds"), j.at("examples_per_second")};
}

}  // namespace

void TrainingSettings::set(const std::string& key_value) {
  const std::size_t at = key_value.find('=');
  if (at == std::string::npos || at == 0) throw UsageError("--set takes KEY=VALUE, found '" + key_value + "'");
  const std::string key = key_value.substr(0, at), text = key_value.substr(at + 1);
  const Json value = Json::parse(text, nullptr, false);
  const auto whole = [&](Index low) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < low || value.get<std::int64_t>() > 10'000'000)
      throw UsageError("'" + key + "' must be a whole number from " + std::to_string(low) + " to 10000000, found '" +
                       text + "'");
    return static_cast<Index>(value.get<std::int64_t>());
  };
  const auto positive = [&] {
    if (!value.is_number() || !(value.get<double>() > 0))
      throw UsageError("'" + key + "' must be a number above 0, found '" + text + "'");
    return value.get<double>();
  };
  if (key == "batch") {
    batch = whole(1);
  } else if (key == "learning_rate") {
    learning_rate = positive();
  } else if (key == "clip") {
    clip = positive();
  } else if (key == "train_size") {
    train_size = whole(1);
  } else if (key == "test_size") {
    test_size = whole(1);
  } else if (key == "parts") {
    parts = whole(1);
  } else if (find_architecture(architecture).defaults.contains(key) && !key.ends_with("vocabulary_size")) {
    if (value.is_discarded()) throw UsageError("'" + text + "' is not a value for '" + key + "'");
    model[key] = value;
  } else {
    std::string known = "batch, learning_rate, clip, train_size, test_size, parts";
    for (const auto& [name, unused] : find_architecture(architecture).defaults.items())
      if (!name.ends_with("vocabulary_size")) known += ", " + name;
    throw UsageError("there is no setting '" + key + "'; known: " + known);
  }
}

Json TrainingSettings::to_json() const {
  return {{"task", task},
          {"architecture", architecture},
          {"model", model.is_null() ? Json::object() : model},
          {"epochs", epochs},
          {"seed", seed},
          {"batch", batch},
          {"learning_rate", learning_rate},
          {"clip", clip},
          {"train_size", train_size},
          {"test_size", test_size},
          {"parts", parts}};
}

TrainingSettings TrainingSettings::from_json(const Json& j) {
  TrainingSettings s;
  s.task = j.at("task");
  s.architecture = j.at("architecture");
  s.model = j.at("model");
  s.epochs = j.at("epochs");
  s.seed = j.at("seed");
  s.batch = j.at("batch");
  s.learning_rate = j.at("learning_rate");
  s.clip = j.at("clip");
  s.train_size = j.at("train_size");
  s.test_size = j.at("test_size");
  s.parts = j.at("parts");
  return s;
}

void Trainer::save_checkpoint(const std::filesystem::path& file) const {
  std::vector<NamedTensor> tensors;
  for (const Parameter& p : state_->model->parameters().all()) tensors.push_back({p.name, p.value});
  for (NamedTensor& t : state_->optimiser.state()) tensors.push_back(std::move(t));
  Json history = Json::array();
  for (const EpochRecord& r : state_->history) history.push_back(record_json(r));
  write_safetensors(file, tensors,
                    {{"settings", state_->settings.to_json().dump()},
                     {"history", history.dump()},
                     {"updates", std::to_string(state_->optimiser.updates())}},
                    sizeof(Scalar) == 8 ? StorageType::f64 : StorageType::f32);
}

void Trainer::load_checkpoint(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  const auto entry = [&](const char* key) {
    const auto found = file.metadata().find(key);
    if (found == file.metadata().end())
      throw FormatError(path.string() + ": this is not a checkpoint of a training (no \"" + key + "\")");
    return found->second;
  };
  const Json history = Json::parse(entry("history"), nullptr, false);
  Json theirs = Json::parse(entry("settings"), nullptr, false), ours = state_->settings.to_json();
  if (history.is_discarded() || theirs.is_discarded())
    throw FormatError(path.string() + ": the checkpoint's settings cannot be read");
  theirs.erase("epochs");
  ours.erase("epochs");
  if (theirs != ours)
    throw FormatError(path.string() + ": the checkpoint belongs to other settings: " + theirs.dump() + ", asked for " +
                      ours.dump());
  const auto load = [&](const std::string& name, Tensor target) {
    const Tensor value = file.load(name);
    if (value.shape() != target.shape())
      throw FormatError(path.string() + ": " + name + ": expected " + target.shape().text() + ", found " +
                        value.shape().text());
    target.array() = value.array();
  };
  for (Parameter& p : state_->model->parameters().all()) load(p.name, p.value);
  for (const NamedTensor& t : state_->optimiser.state()) load(t.name, t.value);
  std::int64_t updates = 0;
  const std::string text = entry("updates");
  std::from_chars(text.data(), text.data() + text.size(), updates);
  state_->optimiser.restore(updates, 0);
  state_->history.clear();
  try {
    for (const Json& record : history) state_->history.push_back(read_record(record));
  } catch (const Json::exception&) {
    throw FormatError(path.string() + ": the checkpoint's history cannot be read");
  }
}

std::string history_csv(const std::vector<EpochRecord>& history) {
  std::string text = "epoch,loss,exact_match,gradient_norm,seconds,examples_per_second\n";
  for (const EpochRecord& r : history) {
    char line[160];
    std::snprintf(line, sizeof line, "%d,%.6f,%.6f,%.6f,%.3f,%.1f\n", r.epoch, r.loss, r.exact_match, r.gradient_norm,
                  r.seconds, r.examples_per_second);
    text += line;
  }
  return text;
}

}  // namespace headlight
