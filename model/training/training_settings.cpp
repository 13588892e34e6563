#include "model/training/training_settings.h"

#include <algorithm>
#include <cstdio>

#include "model/core/errors.h"
#include "model/io/json_file.h"
#include "model/models/registry.h"
#include "model/text/message_line.h"
#include "model/text/nearest.h"

namespace headlight {

namespace {

constexpr double kMany = 10'000'000, kSmall = 1e-12;

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

using S = TrainingSettings;
using Field = TrainingKey::Field;

TrainingKey key(const char* name, const char* meaning, double low, double high, Field (*field)(S&)) {
  return {name, meaning, field, low, high, {}, {}};
}
TrainingKey word(const char* name, const char* meaning, std::vector<std::string> words, Field (*field)(S&)) {
  return {name, meaning, field, 0, 0, std::move(words), {}};
}
TrainingKey only_of(std::vector<std::string> tasks, TrainingKey key) {
  key.tasks = std::move(tasks);
  return key;
}

std::string shown(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", number);
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// Puts a value into its place, or says what would fit.
void put(const TrainingKey& key, TrainingSettings& settings, const Json& value) {
  const auto refuse = [&](const std::string& expected) {
    throw UsageError("'" + std::string(key.name) + "' must be " + expected + ", found " + value.dump());
  };
  const std::string bounds = " from " + shown(key.low) + " to " + shown(key.high);
  const auto within = [&] { return value.get<double>() >= key.low && value.get<double>() <= key.high; };
  const auto number = [&] {
    if (!value.is_number() || !within()) refuse("a number" + bounds);
    return value.get<double>();
  };
  const Field field = key.field(settings);
  if (const auto* whole = std::get_if<Index*>(&field)) {
    if (!value.is_number_integer() || !within()) refuse("a whole number" + bounds);
    **whole = value.get<Index>();
  } else if (const auto* plain = std::get_if<double*>(&field)) {
    **plain = number();
  } else if (const auto* open = std::get_if<std::optional<double>*>(&field)) {
    **open = number();
  } else if (const auto* flag = std::get_if<std::optional<bool>*>(&field)) {
    if (!value.is_boolean()) refuse("true or false");
    **flag = value.get<bool>();
  } else {
    const std::string word = value.is_string() ? current_optimiser_name(value.get<std::string>()) : std::string();
    if (std::find(key.words.begin(), key.words.end(), word) == key.words.end()) refuse("one of " + joined(key.words));
    *std::get<std::string*>(field) = word;
  }
}

Json value_of(const TrainingKey& key, TrainingSettings& settings) {
  return std::visit(
      [](const auto* value) -> Json {
        if constexpr (requires { value->has_value(); })
          return *value ? Json(**value) : Json();
        else
          return *value;
      },
      key.field(settings));
}

bool is_free(const std::string& name) { return !name.ends_with("vocabulary_size"); }

}  // namespace

bool TrainingKey::serves(const std::string& task) const {
  return tasks.empty() || std::find(tasks.begin(), tasks.end(), task) != tasks.end();
}

const std::vector<TrainingKey>& training_keys() {
  static const std::vector<std::string> of_files = {"pairs", "text"};
  static const std::vector<TrainingKey> rows = {
      key("batch", "examples in a batch", 1, kMany, [](S& s) -> Field { return &s.batch; }),
      key("train_size", "examples for training", 1, kMany, [](S& s) -> Field { return &s.train_size; }),
      key("test_size", "held-out examples", 1, kMany, [](S& s) -> Field { return &s.test_size; }),
      key("parts", "pieces of a batch that run side by side", 1, 4096, [](S& s) -> Field { return &s.parts; }),
      word("optimiser", "how gradients become steps", names_of(optimisers()),
           [](S& s) -> Field { return &s.optimiser; }),
      word("schedule", "how the learning rate changes", names_of(schedules()),
           [](S& s) -> Field { return &s.schedule; }),
      key("learning_rate", "length of a step; each optimiser has its own default", kSmall, 1000,
          [](S& s) -> Field { return &s.constants.learning_rate; }),
      key("momentum", "share of the last step that is kept", 0, 1, [](S& s) -> Field { return &s.constants.momentum; }),
      key("beta1", "memory of the mean gradient", 0, 0.999999, [](S& s) -> Field { return &s.constants.beta1; }),
      key("beta2", "memory of the mean squared gradient", 0, 0.999999,
          [](S& s) -> Field { return &s.constants.beta2; }),
      key("epsilon", "added to what is divided by", kSmall, 1, [](S& s) -> Field { return &s.constants.epsilon; }),
      key("warmup", "updates during which the learning rate rises", 0, kMany,
          [](S& s) -> Field { return &s.rates.warmup; }),
      key("halve_after", "epochs before the first halving", 0, kMany,
          [](S& s) -> Field { return &s.rates.halve_after; }),
      key("plateau_divide", "what the learning rate is divided by", 1, 1e6,
          [](S& s) -> Field { return &s.rates.plateau_divide; }),
      key("plateau_floor", "lowest learning rate of a plateau", 0, 1000,
          [](S& s) -> Field { return &s.rates.plateau_floor; }),
      key("clip", "largest norm of the gradients; 0: any", 0, kMany, [](S& s) -> Field { return &s.clip; }),
      key("clip_value", "largest number of the gradients; 0: any", 0, kMany,
          [](S& s) -> Field { return &s.clip_value; }),
      key("label_smoothing", "probability that is spread over all tokens", 0, 0.999,
          [](S& s) -> Field { return &s.label_smoothing; }),
      key("teacher_forcing", "chance that a step is fed the right token", 0, 1,
          [](S& s) -> Field { return &s.teacher_forcing; }),
      key("teacher_forcing_decay", "factor of that chance after every epoch", 0, 1,
          [](S& s) -> Field { return &s.teacher_forcing_decay; }),
      key("patience", "epochs without progress before stopping; 0: never", 0, kMany,
          [](S& s) -> Field { return &s.patience; }),
      key("average", "last epochs whose mean weights are measured and saved; 0: only the last", 0, 1000,
          [](S& s) -> Field { return &s.average; }),
      only_of(of_files, word("tokenizer", "what a token is", {std::begin(kTokenizerNames), std::end(kTokenizerNames)},
                             [](S& s) -> Field { return &s.data.tokenizer; })),
      only_of(of_files, key("min_frequency", "rarer words and characters are unknown", 1, kMany,
                            [](S& s) -> Field { return &s.data.min_frequency; })),
      only_of({"pairs"}, key("max_tokens", "longer pairs are left out", 1, 1000,
                             [](S& s) -> Field { return &s.data.max_tokens; })),
      only_of({"text"},
              key("context", "tokens of a window of the text", 2, 512, [](S& s) -> Field { return &s.data.context; })),
      only_of(of_files, key("bpe_merges", "joins of byte-pair encoding", 0, kMany,
                            [](S& s) -> Field { return &s.data.bpe_merges; })),
      only_of(of_files, key("lower_case", "read capitals as small letters", 0, kMany,
                            [](S& s) -> Field { return &s.data.lower_case; }))};
  return rows;
}

void TrainingSettings::set(const std::string& key_value) {
  const std::size_t at = key_value.find('=');
  if (at == std::string::npos || at == 0) throw UsageError("--set takes KEY=VALUE, found '" + key_value + "'");
  const std::string name = key_value.substr(0, at);
  const Json value = typed_value(key_value.substr(at + 1));
  const Json& defaults = find_architecture(architecture).defaults;
  std::vector<std::string> known;
  for (const TrainingKey& key : training_keys()) {
    if (!key.serves(task)) continue;
    if (key.name == name) return put(key, *this, value);
    known.emplace_back(key.name);
  }
  if (defaults.contains(name) && is_free(name)) {
    model[name] = value;
    return;
  }
  for (const auto& [other, unused] : defaults.items())
    if (is_free(other)) known.push_back(other);
  throw UsageError("there is no setting '" + name + "'" + did_you_mean_or("known: ", name, known));
}

TrainingSettings TrainingSettings::resolved() const {
  TrainingSettings s = *this;
  const double factor = find_schedule(schedule).default_factor;
  if (!s.constants.learning_rate && factor > 0) s.constants.learning_rate = factor;
  s.constants = s.constants.or_else(find_optimiser(optimiser).defaults);
  s.data = s.data.resolved(task);
  return s;
}

Json TrainingSettings::to_json() const {
  TrainingSettings s = resolved();
  Json json{{"task", task},
            {"architecture", architecture},
            {"model", model.is_null() ? Json::object() : model},
            {"epochs", epochs},
            {"seed", seed},
            {"probes", Json::array()}};
  for (const std::string& probe : probes) json["probes"].push_back(probe);
  for (const TrainingKey& key : training_keys())
    if (key.serves(task)) json[key.name] = value_of(key, s);
  if (reads_files(task)) {
    for (const auto& file : data.files) json["files"].push_back(escaped_line(file.string()));
    json["skip_bad_lines"] = data.skip_bad_lines;
    if (!data.text.empty()) json["text"] = data.text;
  }
  return json;
}

TrainingSettings TrainingSettings::from_json(const Json& j) {
  TrainingSettings s;
  s.task = j.at("task");
  s.architecture = j.at("architecture");
  s.model = j.at("model");
  s.epochs = j.at("epochs");
  s.seed = j.at("seed");
  if (j.contains("probes"))
    for (const Json& probe : j.at("probes")) s.probes.push_back(probe.get<std::string>());
  for (const TrainingKey& key : training_keys())
    if (j.contains(key.name) && !j.at(key.name).is_null()) put(key, s, j.at(key.name));
  if (j.contains("files"))
    for (const Json& file : j.at("files")) s.data.files.emplace_back(file.get<std::string>());
  s.data.skip_bad_lines = j.value("skip_bad_lines", false);
  s.data.text = j.value("text", std::string());
  return s.resolved();
}

}  // namespace headlight
