// What a model computes for a text, counted in multiplications: by part of the model, for any lengths, while it learns
// (all tokens at once) and while it writes (one after the other). Not counted are norms, activations, residuals and
// lookups, which are no products of matrices; the exponentials of softmax are counted apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/tensor.h"

namespace headlight {

class Model;
struct Result;

// --- Of one layer by itself (Vaswani et al. 2017, table 1), for n positions of width d.

enum class CostedLayer {
  attention,     // scores and weighted values of self-attention
  projections,   // its queries, keys, values and output
  feed_forward,  // of width 4 d
  recurrent,     // h_t = tanh(x_t W + h_{t−1} U)
  convolution,   // of width 3
};
inline constexpr CostedLayer kCostedLayers[] = {CostedLayer::attention, CostedLayer::projections,
                                                CostedLayer::feed_forward, CostedLayer::recurrent,
                                                CostedLayer::convolution};
inline constexpr Index kCostedKernel = 3, kCostedFeedForward = 4;
const char* name_of(CostedLayer layer);
double multiply_adds(CostedLayer layer, Index n, Index d);
// Positions from which on `a` costs more multiply-adds than `b` together, for the width d, when `a` grows with n².
double crossing(CostedLayer a, const std::vector<CostedLayer>& b, Index d);

// --- Of a model.

enum class CostPart {
  projections,  // queries, keys, values and what joins the heads
  scores,       // products of queries and keys
  mixing,       // values times weights
  feed_forward,
  recurrence,
  convolution,
  output,  // from the last state to a number for each token of the vocabulary
  other,   // bridges and maps between widths
};
inline constexpr CostPart kCostParts[] = {CostPart::projections,  CostPart::scores,     CostPart::mixing,
                                          CostPart::feed_forward, CostPart::recurrence, CostPart::convolution,
                                          CostPart::output,       CostPart::other};
const char* name_of(CostPart part);  // "feed-forward", as lessons and files write it
std::optional<CostPart> cost_part(std::string_view name);

enum class Pace { learns, writes };
std::optional<Pace> pace_named(std::string_view name);  // "learns", "writes"

// How long the texts of a run are.
struct RunLengths {
  Index source = 0;  // that an encoder reads
  Index prompt = 0;  // that a decoder alone reads before it writes
  Index steps = 0;   // that are written
  // The same shares of a text of n tokens: of the source, or, without one, of the whole text.
  RunLengths of(Index n) const;
  Index longest() const;
};
RunLengths run_lengths(const Result& result);

// Products that a row needs, or each pair of a row and a key.
struct CostTerm {
  enum class Rows { once, source, text, steps, machine };  // machine: every token read and written, and one between
  enum class Keys { none, source, own };
  CostPart part = CostPart::other;
  Rows rows = Rows::source;
  double each = 0;
  Keys keys = Keys::none;
  Index window = 0;  // of keys; 0: all
  Index heads = 0;   // of scores: how many exponentials a pair takes
};

struct ModelCost {
  std::vector<CostTerm> terms;
  Index width = 1;               // d
  Index heads = 0, columns = 0;  // of a Transformer's heads, and how many columns they share; 0: it is none

  double multiplications(CostPart part, const RunLengths& lengths, Pace pace) const;
  double multiplications(const RunLengths& lengths, Pace pace) const;  // of all parts
  double exponentials(const RunLengths& lengths, Pace pace) const;     // of softmax; as many weights are kept
  // The length of a text from which on scores and mixing cost more than all the rest, while it learns; 0: never, or
  // not below a million tokens.
  Index crossing(const RunLengths& lengths) const;
};

// `heads`: as if a Transformer had so many, with the same numbers in all of them together; 0: its own. None: its
// attention was stored.
std::optional<ModelCost> model_cost(const Model& model, Index heads = 0);
std::optional<ModelCost> model_cost(const Result& result, Index heads = 0);
// The numbers of heads that share the width of a model equally.
std::vector<Index> possible_heads(const Model& model);

}  // namespace headlight
