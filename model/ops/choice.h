// A few of many, chosen for each row by its numbers, and what they make of the row: experts.
#pragma once

#include <utility>
#include <vector>

#include "model/core/graph.h"

namespace headlight {

// How a router chooses.
struct ExpertChoice {
  enum class By {
    logits,   // the largest
    sigmoid,  // the largest σ(z) + correction (DeepSeek-AI 2024, eq. 16)
    rounds,   // the largest, then the largest of the others (Abdin et al. 2024, SparseMixer)
  } by = By::logits;
  Index count = 1;                    // k
  Index groups = 1, groups_kept = 1;  // groups of neighbours, of which only so many may be chosen from
  double noise = 0;                   // rounds: what is farther from the largest than this takes no part
};
// The numbers of the k experts of each row, largest share first: logits [.. x E], correction [E] or undefined -> [.. x
// k]. An expert of logit −∞ comes behind all others. No gradient.
Tensor chosen_experts(const Tensor& logits, const Tensor& correction, const ExpertChoice& choice);
// Throws UsageError where a number, perhaps edited by hand, is of no expert.
void require_experts(const Tensor& ids, Index count);

// Those columns of each row: x [.. x E], ids [.. x k] -> [.. x k].
Tensor take_columns(const Tensor& x, const Tensor& ids);
// y_j = x_j / (Σ_k x_k + ε), row by row; 0 where the sum is.
Tensor divide_by_sum(const Tensor& x, double epsilon);
// Of ExpertChoice::By::rounds: the share of the largest logit m among those with (m − z) / max(|z|, m) ≤ noise, and of
// each other one among the rest, with the largest of those: logits [.. x E], ids [.. x k] -> [.. x k].
Tensor shares_of_rounds(const Tensor& logits, const Tensor& ids, double noise);

// (u + 1) g σ(α g), g at most `limit` and u within ±limit (OpenAI 2025): same shapes.
Tensor limited_swiglu(const Tensor& gate, const Tensor& up, double limit, double alpha);

// Row i is row second of parts[first]: parts [rows x d] -> [places x d].
Tensor gather_rows(const std::vector<Tensor>& parts, const std::vector<std::pair<Index, Index>>& places);

}  // namespace headlight
