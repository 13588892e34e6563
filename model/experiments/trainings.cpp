#include "model/experiments/trainings.h"

#include <cmath>
#include <map>

#include "model/core/errors.h"
#include "model/models/registry.h"

namespace headlight {

namespace {

constexpr const char* kPositions[] = {"sinusoid", "learned", "rotary", "relative", "none"};

std::vector<TableCell> figures(const std::string& name, const EpochRecord& last, const Evaluation& own,
                               const Evaluation& masked) {
  return {name, last.loss, own.nll, masked.nll, own.nll_free, own.token_accuracy, own.exact_match};
}

ExperimentResult run_causal_mask(const ExperimentOptions& options) {
  ExperimentResult result;
  result.tables = {{"no-causal-mask",
                    {"training", "training_loss", "loss_as_trained", "loss_under_the_mask", "loss_fed_its_own",
                     "token_accuracy", "exact_match"},
                    {}}};
  ExperimentChart chart{"no-causal-mask", "Copying: exact match of what the model writes by itself", "epoch",
                        "exact match"};
  for (const bool causal : {true, false}) {
    const std::string name = causal ? "with the mask" : "without the mask";
    const auto trainer = trained(copying_settings(options, {causal ? "causal=true" : "causal=false"}), name, options);
    const Evaluation own = evaluate(trainer->model(), trainer->test_data(), options.cancel),
                     masked = evaluate(*with_config(trainer->model(), {{"causal", true}}), trainer->test_data(),
                                       options.cancel);
    result.tables[0].rows.push_back(figures(name, trainer->history().back(), own, masked));
    ExperimentSeries& series = chart.series.emplace_back();
    series.name = name;
    for (const EpochRecord& epoch : trainer->history()) {
      series.add(epoch.epoch, epoch.exact_match);
    }
  }
  result.charts.push_back(std::move(chart));
  result.notes = {
      "Without the mask the decoder sees the token that it is asked for: its training loss falls, but it has learned "
      "nothing that helps where the next token is not there yet."};
  return result;
}

// Exact match by length, inside and outside the lengths of training.
std::vector<GroupQuality> by_length(Trainer& trainer, const ExperimentOptions& options) {
  const Task& task = trainer.task();
  std::vector<Example> all = trainer.test_examples();
  for (const TestSet& set : generate(task, 0, 0, kDataSeed, options.limit_or(200)).outside)
    all.insert(all.end(), set.examples.begin(), set.examples.end());
  const Dataset data(task, all);
  return headlight::by_group(evaluate(trainer.model(), data, options.cancel).right, data.groups());
}

ExperimentResult run_lengths(const ExperimentOptions& options) {
  ExperimentResult result;
  ExperimentTable table{"lengths", {"length"}, {}};
  ExperimentChart chart{"lengths", "Copying: exact match by length; trained on 1 to 10", "length", "exact match"};
  std::map<int, std::vector<TableCell>> rows;
  for (const char* positions : kPositions) {
    const auto trainer =
        trained(copying_settings(options, {std::string("positions=") + positions}), positions, options);
    table.columns.emplace_back(positions);
    ExperimentSeries& series = chart.series.emplace_back();
    series.name = positions;
    for (const GroupQuality& quality : by_length(*trainer, options)) {
      std::vector<TableCell>& row = rows[quality.group];
      if (row.empty()) row.emplace_back(static_cast<double>(quality.group));
      row.resize(table.columns.size() - 1, std::nan(""));
      row.emplace_back(quality.exact_match);
      series.add(quality.group, quality.exact_match);
    }
  }
  for (auto& [length, row] : rows) {
    row.resize(table.columns.size(), std::nan(""));
    table.rows.push_back(std::move(row));
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
  result.notes = {
      "A learned vector says nothing about positions that were never trained; what is computed does at best "
      "for a few more."};
  return result;
}

}  // namespace

TrainingSettings copying_settings(const ExperimentOptions& options, const std::vector<std::string>& own) {
  TrainingSettings settings;
  settings.task = "copy";
  settings.architecture = "transformer";
  settings.epochs = options.epochs_or(8);
  settings.seed = options.seed;
  for (const char* setting :
       {"train_size=20000", "test_size=2000", "batch=64", "optimiser=adam", "beta2=0.98", "schedule=noam", "warmup=200",
        "learning_rate=0.3", "clip=1", "model_size=64", "heads=4", "ff_size=128", "dropout=0"})
    settings.set(setting);
  for (const std::string& setting : own) settings.set(setting);
  for (const std::string& setting : options.settings) settings.set(setting);
  return settings;
}

std::unique_ptr<Trainer> trained(const TrainingSettings& settings, const std::string& name,
                                 const ExperimentOptions& options) {
  auto trainer = std::make_unique<Trainer>(settings);
  while (!trainer->finished()) {
    const EpochRecord epoch = trainer->run_epoch({}, options.cancel);
    char figures[80];
    std::snprintf(figures, sizeof figures, ": epoch %d/%d, loss %.4f, exact match %.4f", epoch.epoch,
                  trainer->settings().epochs, epoch.loss, epoch.exact_match);
    options.tell(name + figures);
  }
  return trainer;
}

std::unique_ptr<Model> with_config(const Model& model, const Json& changes) {
  Json config = model.config();
  config.update(changes);
  std::unique_ptr<Model> copy = make_model(config, {InitialValues::Kind::zeros});
  for (Parameter& p : copy->parameters().all()) {
    const Tensor* from = model.parameters().find(p.name);
    if (!from || from->shape() != p.value.shape())
      throw UsageError("with these settings " + p.name + " would have to be trained anew");
    p.value.array() = from->array();
  }
  return copy;
}

Experiment causal_mask_experiment() {
  return {"no-causal-mask",
          "Training without the causal mask",
          "What does a decoder learn when it may look at the token that it is asked for?",
          false,
          run_causal_mask,
          "--seed --epochs --set"};
}

Experiment lengths_experiment() {
  return {"lengths",
          "Position encodings beyond the lengths of training",
          "Trained to copy up to ten digits: how many can it copy, by kind of position encoding?",
          false,
          run_lengths,
          "--seed --epochs --limit --set"};
}

}  // namespace headlight
