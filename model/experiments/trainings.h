// Experiments that train: what a Transformer learns without the causal mask, and how far position encodings carry.
#pragma once

#include "model/experiments/experiment.h"
#include "model/training/evaluate.h"
#include "model/training/trainer.h"

namespace headlight {

// A small Transformer that copies digits, with what the options ask for.
TrainingSettings copying_settings(const ExperimentOptions& options, const std::vector<std::string>& own);
// All its epochs.
std::unique_ptr<Trainer> trained(const TrainingSettings& settings, const std::string& name,
                                 const ExperimentOptions& options);

// The same weights in a model of another configuration. Throws UsageError when they do not fit.
std::unique_ptr<Model> with_config(const Model& model, const Json& changes);

// Vaswani et al. 2017, section 3.2.3.
Experiment causal_mask_experiment();
Experiment lengths_experiment();

}  // namespace headlight
