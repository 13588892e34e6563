// What the declarations of several commands share, and those that train.
#pragma once

#include <limits>
#include <string>

#include "app/cli/command_line.h"
#include "app/cli/command_line_options.h"

namespace headlight {

inline constexpr const char* kModelHelp =
    "folder of a model, or the name of a bundled one (date-attention, date-peeky, ...)";
inline constexpr int kManyEpochs = 100'000, kManyExamples = 10'000'000;
inline constexpr int kMostTexts = 100;  // files

CLI::Option* seed_option(CLI::App* sub, auto& seed, const char* help) {
  constexpr auto kLargest = std::numeric_limits<unsigned long long>::max();
  return number_option(sub, "--seed", seed, 0, kLargest, help)->type_name("NUMBER");
}

inline void theme_option(CLI::App* sub, std::string& theme) {
  word_option(sub, "--theme", theme, {"light", "dark"}, "colours");
}

inline CLI::App* subcommand(CLI::App& app, const char* name, const char* what, const char* examples) {
  CLI::App* sub = app.add_subcommand(name, what);
  sub->footer(std::string("Examples:\n") + examples);
  return sub;
}

void declare_train(CLI::App& app, TrainCommand& command);
void declare_recording(CLI::App& app, RecordingCommand& command);
void declare_experiment(CLI::App& app, ExperimentCommand& command);

}  // namespace headlight
