// Which experts worked on which token, with what share: from the traces of models with routers.
#pragma once

#include <string>
#include <vector>

#include "model/analysis/attention_maps.h"

namespace headlight {

// One token in one layer. Entries are those of the trace; of a prompt, which is read at once, `row` is the token's.
struct ExpertRow {
  int logits_entry = -1, experts_entry = -1, shares_entry = -1, outputs_entry = -1, sum_entry = -1;
  Index row = 0;
  std::vector<double> logits;   // of each expert
  std::vector<Index> experts;   // that were chosen, the largest share first
  std::vector<double> shares;   // of these
  std::vector<double> lengths;  // of what each of them gives, before its share: √Σ y²
  double sum_length = 0;        // of what the layer gives
  double shared = -1;           // share of the expert that works on every token; -1: there is none, or it has no share
  bool edited = false;          // a person has changed one of these numbers
  double share_of(Index expert) const;  // 0: it was not chosen
};

struct ExpertLayer {
  Index layer = 0, experts = 0, chosen = 0;
  std::vector<ExpertRow> rows;  // of the model's own text, in its order
};

// The layers that have experts; none where the model has none, or where the run did not keep them.
std::vector<ExpertLayer> expert_layers(const Result& result);
// Whether the model has routers, whatever was kept.
bool has_experts(const Result& result);

}  // namespace headlight
