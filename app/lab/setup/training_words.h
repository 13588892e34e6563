// What tasks, architectures and settings of a training are called in the window, and the command line that gives the
// same numbers.
#pragma once

#include <QString>
#include <vector>

#include "model/recording/recording.h"

namespace headlight {

struct Architecture;

QString task_words(const std::string& task);           // "Dates"; a task that nobody knows: its name
QString task_line(const Task& task);                   // what the model learns, for a newcomer
QString architecture_words(const Architecture& each);  // "Attention", as the list of models has it
QString architecture_line(const Architecture& each);   // "recurrent encoder-decoder with attention"
// "length of a step; each optimiser has its own default"; empty: no words for it.
QString setting_help(const std::string& key);

// Those that can learn it, in the order of the registry. Empty task: all.
std::vector<std::string> fitting_architectures(const std::string& task);

// Values of every setting that the task and the architecture have, as the command line reads them, in the order of the
// tables: "learning_rate", "0.001". What the optimiser does not have is empty.
struct SettingValue {
  std::string key, value;
  bool of_model = false;
};
std::vector<SettingValue> setting_values(const TrainingSettings& settings);
// The same of the task and the architecture as they are by themselves.
TrainingSettings plain_settings(const std::string& task, const std::string& architecture);

// "headlight train date --architecture attn_seq2seq --epochs 3 --seed 2 --set batch=32 --out my-model": only what is
// not as the task and the architecture have it anyway. Folders of this machine stay out.
std::string command_line(const TrainingSettings& settings, const std::vector<Probe>& probes);

// Made on texts of people: names of pupils may stand in them.
bool is_of_people(const TrainingSettings& settings);

// "5 s", "1 min 20 s", "about an hour" is said by whoever says about.
QString duration_words(double seconds);

}  // namespace headlight
