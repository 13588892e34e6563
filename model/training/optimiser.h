// Optimisers (models.md 7.2) and gradient clipping.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/layers/parameters.h"
#include "model/trace/trace.h"

namespace headlight {

// The constants of an optimiser. What is left open takes the value of its row.
struct OptimiserConstants {
  std::optional<double> learning_rate;
  std::optional<double> momentum;  // share of the last step that is kept
  std::optional<double> beta1;     // memory of the mean gradient
  std::optional<double> beta2;     // memory of the mean square; the ρ of Adadelta
  std::optional<double> epsilon;

  OptimiserConstants or_else(const OptimiserConstants& defaults) const;
};

// One update of one parameter: θ and the running values that the optimiser keeps beside it.
struct ParameterUpdate {
  const OptimiserConstants& constants;
  double rate, last_rate;  // learning rate now, and at the update before (now, at the first one)
  double number;           // of this update, from 1
  ArrayMap theta;
  ConstArrayMap gradient;
  std::span<ArrayMap> kept;  // as many as the row names

  // A constant as a factor; it has a value once the defaults of the row are filled in.
  Scalar factor(const std::optional<double>& constant) const { return static_cast<Scalar>(constant.value()); }
};

// A row of the registry: what `--set optimiser=NAME` means.
struct OptimiserRow {
  const char* name;
  const char* formula;
  const char* paper;
  OptimiserConstants defaults;
  std::vector<const char*> kept;  // names of the running values, one tensor of the parameter's shape each
  void (*update)(ParameterUpdate& step);
};

const std::vector<OptimiserRow>& optimisers();
const OptimiserRow& find_optimiser(const std::string& name);  // throws UsageError
// "adam_fish" is what "adam_epsilon_hat" was called before.
std::string current_optimiser_name(const std::string& name);

class Optimiser {
 public:
  Optimiser(const std::string& name, const OptimiserConstants& constants, const ParameterTable& parameters);

  // One update with this learning rate; `gradients` stand in the order of the parameters.
  void update(ParameterTable& parameters, const std::vector<Tensor>& gradients, double rate);
  void update(ParameterTable& parameters, const std::vector<Tensor>& gradients) {
    update(parameters, gradients, *constants_.learning_rate);
  }

  const OptimiserConstants& constants() const { return constants_; }

  // What a checkpoint has to keep: "adam.m.NAME", ... (shared with this object), and two numbers.
  std::vector<NamedTensor> state() const;
  std::int64_t updates() const { return updates_; }
  double last_rate() const { return last_rate_; }
  void restore(std::int64_t updates, double last_rate) {
    updates_ = updates;
    last_rate_ = last_rate;
  }

 private:
  const OptimiserRow& row_;
  OptimiserConstants constants_;
  std::int64_t updates_ = 0;
  double last_rate_ = 0;
  std::vector<std::string> names_;
  std::vector<std::vector<Tensor>> kept_;  // for each parameter
};

// Euclidean norm of all gradients together, in double.
double global_norm(const std::vector<Tensor>& gradients);

// if ‖g‖ > limit: g *= limit / (‖g‖ + 1e−6) (Pascanu et al. 2013). Returns the norm before clipping.
double clip_global_norm(std::vector<Tensor>& gradients, double limit);

// Every number of the gradients into [−limit, limit] (Graves 2013).
void clip_values(std::vector<Tensor>& gradients, double limit);

}  // namespace headlight
