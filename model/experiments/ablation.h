// What a head of attention is good for: the model's figures without it, and with it alone in its layer (Michel et al.
// 2019).
#pragma once

#include "model/experiments/experiment.h"
#include "model/training/evaluate.h"

namespace headlight {

// The heads of one attention whose output is set to zero before they are joined.
struct SilencedHeads {
  std::string attention;  // "encoder.layer[0].self_attn"
  std::vector<Index> heads;
};

// The attentions of a model that have heads, in the order of its parameters; empty: none.
std::vector<std::string> attentions_with_heads(const Model& model);
Index head_count(const Model& model);

// A copy of the model with the rows of W_o that read these heads set to zero: what W_o makes of a head's output is then
// zero, exactly as if the output itself were.
std::unique_ptr<Model> without_heads(const Model& model, const SilencedHeads& silenced);

struct HeadFigures {
  std::string attention;
  Index head = 0;
  Evaluation without, alone;  // this head silenced; all others of its attention silenced
};
struct Ablation {
  Evaluation whole;
  std::vector<HeadFigures> heads;  // the largest rise of the loss first
};
// Throws UsageError when the model has no heads.
Ablation ablate(const Model& model, const Dataset& data, const ExperimentOptions& options = {});

Experiment ablation_experiment();

}  // namespace headlight
