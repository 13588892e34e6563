// experiment: one measurement from model/experiments, as text, CSV files and pictures.

#include <filesystem>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/platform.h"
#include "app/cli/unused_options.h"
#include "app/messages.h"
#include "model/experiments/experiment.h"
#include "model/io/file.h"
#include "model/io/model_folder.h"
#include "model/io/text_list.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/plot/line_chart.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

ExperimentOptions options_of(const ExperimentCommand& command, const Experiment& experiment) {
  ExperimentOptions options;
  if (experiment.on_model && command.model.empty())
    throw UsageError("the experiment '" + command.name + "' is made on a model: headlight experiment " + command.name +
                     " MODEL");
  if (!experiment.on_model && !command.model.empty())
    throw UsageError("the experiment '" + command.name + "' needs no model, found '" + command.model + "'");
  if (experiment.on_model) options.model = load_model(command.model);
  options.seed = command.seed;
  options.seeds = command.seeds;
  options.trials = command.trials;
  options.epochs = command.epochs;
  options.limit = command.limit;
  options.settings = command.settings;
  if (!command.texts.empty())
    for (const ListedText& text : read_text_list(command.texts)) options.texts.push_back(text.text);
  if (!command.quiet) options.progress = [](const std::string& what) { say("headlight: " + what); };
  return options;
}

void draw(const ExperimentChart& from, const ExperimentCommand& command) {
  Theme::instance().set_mode(command.theme == "dark" ? Theme::Mode::dark : Theme::Mode::light);
  LineChart chart;
  chart.title = QString::fromStdString(from.title);
  chart.x_title = QString::fromStdString(from.x_title);
  chart.y_title = QString::fromStdString(from.y_title);
  chart.log_x = from.log_x;
  chart.log_y = from.log_y;
  if (from.y_title == "exact match") chart.y_range = {0, 1};
  for (const ExperimentSeries& series : from.series)
    chart.series.push_back({QString::fromStdString(series.name), series.x, series.y});
  const fs::path file = fs::path(command.out) / (from.name + "." + command.format);
  write_figure(line_chart_figure(std::move(chart), {command.width, command.height}), path_text(file));
}

}  // namespace

int experiment_command(const ExperimentCommand& command) {
  const auto application = make_offscreen_application();
  const Experiment& experiment = find_experiment(command.name);
  ExperimentOptions options = options_of(command, experiment);
  if (!command.out.empty()) {  // a place that cannot be written is better known now
    make_folder(command.out);
    const FileWriter unused(fs::path(command.out) / (command.name + ".csv"));
  }
  const Interruptible interruptible;
  options.cancel = interruptible.token();
  const ExperimentResult result = experiment.run(options);
  tell_unused(command, experiment.uses);
  for (const ExperimentTable& table : result.tables) {
    std::cout << plain_text(table) << "\n";
    if (!command.out.empty()) write_file_atomically(fs::path(command.out) / (table.name + ".csv"), csv_text(table));
  }
  for (const std::string& note : result.notes) std::cout << note << "\n";
  if (!command.out.empty())
    for (const ExperimentChart& chart : result.charts) draw(chart, command);
  return 0;
}

}  // namespace headlight
