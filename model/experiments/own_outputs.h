// What a head is good for in a model that no task is known of: how far what the model says goes from what it says with
// all heads. Of models that write nothing it is the embedding of the text, its score, or the states of its words.
#pragma once

#include "model/experiments/experiment.h"

namespace headlight {

struct HeadEffect {
  std::string attention;  // "encoder.layer[0].self_attn"
  Index head = 0;
  // Without it, and with it alone in its attention, the mean over what is measured: of outputs Σ p log(p / p'), where p
  // is what the whole model says; of embeddings and states 1 − cosine; of scores |s − s'|. `changed`: the share of
  // steps whose most probable output becomes another one.
  double without = 0, changed = 0, alone = 0;
};
struct OwnOutputs {
  enum class Measure { outputs, embedding, score, states };
  Measure measure = Measure::outputs;
  Index texts = 0, steps = 0;     // steps: of outputs; of others one a text
  std::vector<HeadEffect> heads;  // the farthest first
};
// On texts that the model reads; what it writes on to them is written once and forced then, so that steps stay the
// same. Throws UsageError for models without heads.
OwnOutputs ablate_own_outputs(const std::shared_ptr<const ModelBundle>& model, const std::vector<std::string>& texts,
                              const ExperimentOptions& options = {});

// Of the texts that the model suggests.
ExperimentResult ablation_of_own_outputs(const ExperimentOptions& options);

}  // namespace headlight
