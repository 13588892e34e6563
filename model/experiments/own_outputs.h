// What a head is good for in a model that no task is known of: how far what the model says goes from what it says with
// all heads.
#pragma once

#include "model/experiments/experiment.h"

namespace headlight {

struct HeadEffect {
  std::string attention;  // "encoder.layer[0].self_attn"
  Index head = 0;
  // Without it, and with it alone in its attention: the mean over the output steps of Σ p log(p / p'), where p is what
  // the whole model says; and the share of steps whose most probable output becomes another one.
  double divergence = 0, changed = 0, divergence_alone = 0;
};
struct OwnOutputs {
  Index texts = 0, steps = 0;
  std::vector<HeadEffect> heads;  // the largest divergence first
};
// On texts that the model reads; what it writes on to them is written once and forced then, so that steps stay the
// same. Throws UsageError for models without heads, and for those that say nothing.
OwnOutputs ablate_own_outputs(const std::shared_ptr<const ModelBundle>& model, const std::vector<std::string>& texts,
                              const ExperimentOptions& options = {});

// Of the texts that the model suggests.
ExperimentResult ablation_of_own_outputs(const ExperimentOptions& options);

}  // namespace headlight
