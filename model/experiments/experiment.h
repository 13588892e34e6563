// Experiments: measurements that answer one question about attention, as tables and charts. The numbers come from the
// same ops, models and trainer as everything else.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "model/core/cancel.h"
#include "model/models/bundle.h"

namespace headlight {

using TableCell = std::variant<std::string, double>;

struct ExperimentTable {
  std::string name;  // of its file: "scaling"
  std::vector<std::string> columns;
  std::vector<std::vector<TableCell>> rows;
};

struct ExperimentSeries {
  std::string name;
  std::vector<double> x, y;
  void add(double at, double value) {
    x.push_back(at);
    y.push_back(value);
  }
};

struct ExperimentChart {
  std::string name;  // of its file
  std::string title, x_title, y_title;
  std::vector<ExperimentSeries> series = {};
  bool log_x = false, log_y = false;
};

struct ExperimentResult {
  std::vector<ExperimentTable> tables;  // the first one is the answer
  std::vector<ExperimentChart> charts;
  std::vector<std::string> notes;  // what the figures say, one sentence each
};

// What may be asked for; 0: the experiment's own.
struct ExperimentOptions {
  std::shared_ptr<const ModelBundle> model;  // of experiments on a trained model
  std::uint64_t seed = 1;
  int seeds = 0;                      // runs with different draws
  int trials = 0;                     // draws of one run, or repeats of a measurement
  int epochs = 0;                     // of experiments that train
  int limit = 0;                      // examples, or the largest size
  std::vector<std::string> settings;  // KEY=VALUE of experiments that train
  std::vector<std::string> texts;     // of ablation, instead of the model's own
  CancelToken cancel;
  std::function<void(const std::string& what)> progress;

  int trials_or(int own) const { return trials > 0 ? trials : own; }
  int seeds_or(int own) const { return seeds > 0 ? seeds : own; }
  int epochs_or(int own) const { return epochs > 0 ? epochs : own; }
  int limit_or(int own) const { return limit > 0 ? limit : own; }
  void tell(const std::string& what) const {
    cancel.check();
    if (progress) progress(what);
  }
};

// A row of the registry: what `headlight experiment NAME` means.
struct Experiment {
  const char* name;
  const char* title;
  const char* question;  // for a newcomer
  bool on_model;         // needs a trained model
  ExperimentResult (*run)(const ExperimentOptions& options);
  const char* uses = "";  // of --seed, --seeds, --trials, --epochs, --limit, --set and --texts, those that act
};

const std::vector<Experiment>& experiments();
const Experiment& find_experiment(const std::string& name);  // throws UsageError

// A table as CSV (RFC 4180), and with aligned columns for a terminal.
std::string csv_text(const ExperimentTable& table);
std::string plain_text(const ExperimentTable& table);

// Kullback and Leibler 1951, eq. 2.4: how far the probabilities q are from p, in nats. Both have the same size.
double kl_divergence(const Tensor& p, const Tensor& q);

}  // namespace headlight
