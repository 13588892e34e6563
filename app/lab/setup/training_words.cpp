#include "app/lab/setup/training_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "model/core/json_library.h"
#include "model/models/registry.h"
#include "model/text/message_line.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

struct TrainingWords {
  Q_DECLARE_TR_FUNCTIONS(headlight::TrainingWords)
};

QString translated_words(const char* context, const std::string& english) {
  return QCoreApplication::translate(context, english.c_str());
}

// As the command line reads it; null: nothing.
std::string as_typed(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? value.get<std::string>() : value.dump();
}

const Task* task_called(const std::string& name) {
  const auto& all = tasks();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Task& task) { return task.name == name; });
  return found == all.end() ? nullptr : &*found;
}

// In quotation marks where a shell would read more into it.
std::string as_argument(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("-_=.,/+:").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace

QString task_words(const std::string& task) {
  if (task == "pairs") return TrainingWords::tr("From one language into another");
  if (task == "text") return TrainingWords::tr("To go on writing");
  const Task* found = task_called(task);
  return found ? translated_words("Task", found->title) : from_utf8(task);
}

QString task_line(const Task& task) { return translated_words("ModelCard", task.description); }

QString architecture_words(const Architecture& each) { return translated_words("Architecture", each.label); }

QString architecture_line(const Architecture& each) { return translated_words("Architecture", each.title); }

QString setting_help(const std::string& key) {
  for (const TrainingKey& row : training_keys())
    if (key == row.name) return translated_words("TrainingKey", row.meaning);
  return {};
}

// Models that read a text before they write have a source; those that go on writing have none. Hidden words are guessed
// by what sees both sides of them.
std::vector<std::string> fitting_architectures(const std::string& task) {
  const Task* found = task_called(task);
  const bool hidden = task == "masked", open = task == "text" || (found && found->open_ended);
  std::vector<std::string> names;
  for (const Architecture& each : architectures()) {
    const std::string name = each.name, label = each.label;
    const bool fits = hidden ? name == "encoder_only"
                      : open ? label.find("language model") != std::string::npos
                             : name != "encoder_only" && label.find("language model") == std::string::npos;
    if (fits || task.empty()) names.push_back(name);
  }
  return names;
}

std::vector<SettingValue> setting_values(const TrainingSettings& settings) {
  const Json all = settings.to_json();
  std::vector<SettingValue> values;
  for (const TrainingKey& key : training_keys())
    if (all.contains(key.name)) values.push_back({key.name, as_typed(all.at(key.name)), false});
  for (const auto& [key, value] : find_architecture(settings.architecture).defaults.items()) {
    if (key.ends_with("vocabulary_size")) continue;
    const bool own = settings.model.is_object() && settings.model.contains(key);
    values.push_back({key, as_typed(own ? settings.model.at(key) : value), true});
  }
  return values;
}

TrainingSettings plain_settings(const std::string& task, const std::string& architecture) {
  TrainingSettings plain;
  plain.task = task;
  plain.architecture = architecture;
  plain.model = Json::object();
  return plain;
}

std::string command_line(const TrainingSettings& settings, const std::vector<Probe>& probes) {
  std::string line = "headlight train " + settings.task + " --architecture " + settings.architecture + " --epochs " +
                     std::to_string(settings.epochs) + " --seed " + std::to_string(settings.seed);
  const Json all = settings.to_json();
  if (all.contains("files"))
    for (const Json& file : all.at("files"))
      line += " --files " + as_argument(std::filesystem::path(file.get<std::string>()).filename().string());
  else if (is_of_people(settings))
    line += settings.task == "pairs" ? " --files our-sentences.tsv" : " --files text.txt";
  if (all.value("skip_bad_lines", false)) line += " --skip-bad-lines";
  const auto plain = setting_values(plain_settings(settings.task, settings.architecture));
  for (const SettingValue& each : setting_values(settings)) {
    const bool as_it_is = std::any_of(plain.begin(), plain.end(), [&](const SettingValue& other) {
      return other.key == each.key && other.value == each.value;
    });
    if (!as_it_is && !each.value.empty()) line += " --set " + as_argument(each.key + "=" + each.value);
  }
  for (const Probe& probe : probes)
    if (!probe.source.empty()) line += " --probe " + as_argument(probe.source);
  return escaped_line(line + " --out my-model");
}

bool is_of_people(const TrainingSettings& settings) { return settings.task == "pairs" || settings.task == "text"; }

QString duration_words(double seconds) {
  const auto whole = static_cast<qint64>(std::llround(std::max(0.0, seconds)));
  if (seconds < 9.5) return TrainingWords::tr("%1 s").arg(std::max<qint64>(1, whole));
  if (whole < 60) return TrainingWords::tr("%1 s").arg(whole);
  if (whole < 600 && whole % 60 >= 5) return TrainingWords::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
  if (whole < 3600) return TrainingWords::tr("%1 min").arg((whole + 30) / 60);
  return TrainingWords::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

}  // namespace headlight
