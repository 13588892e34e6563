// The weights of an attention in one operation: what nobody looks at in between is not kept.

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/core/panels.h"
#include "model/core/parallel.h"
#include "model/ops/attention.h"
#include "model/ops/explaining.h"
#include "model/ops/gradients.h"
#include "model/ops/heads.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

// inputs: q, k, keep, bias (these two perhaps undefined); attributes.x: the factor
constexpr double kLowest = -std::numeric_limits<double>::infinity();

// Where slice b of the weights finds its slice of keep (one for all heads of a sentence) and of the bias (one for each
// head); null for an undefined one.
const Scalar* keep_of(const Tensor& keep, Index batch, Index b) {
  return keep.defined() ? keep.data() + b / (batch / keep.dim(0)) * keep.dim(1) * keep.dim(2) : nullptr;
}
const Scalar* bias_of(const Tensor& bias, Index b) {
  return bias.defined() ? bias.data() + b % bias.dim(0) * bias.dim(1) * bias.dim(2) : nullptr;
}

void attention_weights_backward(const Node& node, const Tensor& gradient, Graph& graph) {
  const Tensor &q = node.inputs[0], &k = node.inputs[1], &bias = node.inputs[3];
  Tensor d = softmax_gradient(node.output, gradient);
  if (bias.defined()) add_runs(graph, bias, d);
  d.array() *= static_cast<Scalar>(node.attributes.x);
  dot_scores_gradient(d, q, k, graph);
}

// One score as a sum of its own: factor Σ_i q_i k_i + b.
struct Score {
  double value = 0;
  std::vector<Cell> cells;
};

Score score_of(const Node& node, Index row, Index j) {
  const Tensor &q = node.inputs[0], &k = node.inputs[1], &keep = node.inputs[2], &bias = node.inputs[3];
  const Index t_count = q.dim(1), s_count = k.dim(1), n = q.dim(2), b = row / t_count;
  const Index server = b / (q.dim(0) / k.dim(0));
  const Index inside = row % t_count * s_count + j;
  Score score;
  if (keep.defined()) {
    const Cell kept{keep, keep_of(keep, q.dim(0), b) - keep.data() + inside};
    if (kept.value() == 0) return {kLowest, {kept}};
  }
  for (Index i = 0; i < n; ++i) {
    const Cell query{q, row * n + i}, key{k, (server * s_count + j) * n + i};
    score.value += node.attributes.x * query.value() * key.value();
    score.cells.push_back(query);
    score.cells.push_back(key);
  }
  if (bias.defined()) {
    const Cell added{bias, bias_of(bias, b) - bias.data() + inside};
    score.value += added.value();
    score.cells.push_back(added);
  }
  return score;
}

Explanation attention_weights_explain(const Node& node, Index cell) {
  const Index s_count = node.output.dim(2), row = cell / s_count;
  std::vector<Score> scores;
  double maximum = kLowest;
  for (Index j = 0; j < s_count; ++j) {
    scores.push_back(score_of(node, row, j));
    maximum = std::max(maximum, scores.back().value);
  }
  const char* label = node.inputs[3].defined() ? "exp(f·q·k + b − max)" : "exp(f·q·k − max)";
  return explaining::softmax(node, cell, cell % s_count, s_count, [&](Index j) {
    Score& score = scores[static_cast<std::size_t>(j)];
    const double value = score.value == kLowest ? 0 : std::exp(score.value - maximum);
    return explaining::term(label, value, std::move(score.cells));
  });
}

const Op kAttentionWeights{"attention weights", "a_tj = exp(f q_t·k_j + b_tj) / Σ_i exp(f q_t·k_i + b_ti)",
                           "Vaswani et al. 2017, eq. 1", attention_weights_backward, attention_weights_explain};

// A row of products becomes a row of weights.
void finish_row(Scalar factor, const Scalar* keep, const Scalar* bias, Index n, Scalar* row) {
  ArrayMap scores(row, n);
  if (bias) {
    scores = scores * factor + ConstArrayMap(bias, n);
  } else {
    scores *= factor;
  }
  if (keep) scores = (ConstArrayMap(keep, n) != Scalar(0)).select(scores, -std::numeric_limits<Scalar>::infinity());
  softmax_row(row, nullptr, n, row);
}

}  // namespace

Tensor attention_weights(const Tensor& q, const Tensor& k, Scalar factor, const Tensor& keep, const Tensor& bias) {
  require_pair("attention weights", q, k, true);
  const Index batch = q.dim(0), slices = k.dim(0), t_count = q.dim(1), s_count = k.dim(1), n = q.dim(2);
  const Index times = batch / slices, rows = times * t_count;  // of the queries that a slice of keys serves
  Tensor weights({batch, t_count, s_count});
  if (keep.defined()) require_part("attention weights", weights, keep);
  if (bias.defined()) require_part("attention weights", weights, bias);
  constexpr Index kRowsAtOnce = 24;  // products that are still near when they become weights
  constexpr Index kFew = 3;          // queries that the keys are not laid out for
  parallel_for(slices, grain_for(slices, rows * s_count * (n + 64) / 8), [&](Index begin, Index end) {
    thread_local Panels keys;
    for (Index slice = begin; slice < end; ++slice) {
      const Side queries{q.data() + slice * rows * n, rows, n},
          transposed{k.data() + slice * s_count * n, n, s_count, true};
      Scalar* out = weights.data() + slice * rows * s_count;
      if (rows > kFew) keys.lay_out(transposed);
      for (Index first = 0; first < rows; first += kRowsAtOnce) {
        const Index last = std::min(rows, first + kRowsAtOnce);
        if (rows > kFew) {
          keys.multiply(queries, first, last, false, out);
        } else {
          small_product(queries, transposed, false, out);
        }
        for (Index r = first; r < last; ++r) {
          const Index b = slice * times + r / t_count, inside = r % t_count * s_count;
          const Scalar *kept = keep_of(keep, batch, b), *added = bias_of(bias, b);
          finish_row(factor, kept ? kept + inside : nullptr, added ? added + inside : nullptr, s_count,
                     out + r * s_count);
        }
      }
    }
  });
  return recorded(kAttentionWeights, {q, k, keep, bias}, std::move(weights), {.x = static_cast<double>(factor)});
}

}  // namespace headlight
