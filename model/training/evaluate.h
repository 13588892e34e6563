// Held-out quality of a model: exact match, accuracy, perplexities, and what the metrics of translation are made from.
#pragma once

#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/models/model.h"
#include "model/training/batch.h"
#include "model/training/metrics.h"

namespace headlight {

// −log softmax(logits)[target] of each token, 0 where the mask is 0: logits [N x T x V], targets and mask [N x T].
// Values only, never recorded. Returns [N x T].
Tensor token_nll(const Tensor& logits, const Tensor& targets, const Tensor& mask);

struct Evaluation {
  Index examples = 0;
  double exact_match = 0;     // greedy decoding, whole output
  double token_accuracy = 0;  // greedy decoding, token by token
  double nll = 0;             // teacher-forced, nats per token; the perplexity is exp(nll)
  double nll_free = 0;        // of the right tokens while the model is fed its own choices (models.md 10.4)
  std::vector<bool> right;    // whole output, of each example
};
// Examples run in batches side by side. Throws Cancelled.
Evaluation evaluate(const Model& model, const Dataset& data, const CancelToken& cancel = {});

// Σ −log p of all tokens that count, teacher-forced, in nats. Examples run in batches side by side. Throws Cancelled.
double held_out_nll(const Model& model, const Dataset& data, const CancelToken& cancel = {});

// Exact match of the examples of one group (Example::group).
struct GroupQuality {
  int group = 0;
  Index examples = 0;
  double exact_match = 0;
};
std::vector<GroupQuality> by_group(const std::vector<bool>& right, const std::vector<int>& groups);

// What the model writes by itself for each example, greedily, as a text.
std::vector<std::string> greedy_outputs(const Model& model, const TextRules& text, const Dataset& data,
                                        const CancelToken& cancel = {});

// BLEU of those outputs against the examples' targets, on words (TextRules of single characters have none). A source
// that several examples have counts once, with all of their targets as its references.
bool has_words(const TextRules& text);
Bleu evaluate_bleu(const std::vector<std::string>& outputs, const std::vector<Example>& examples,
                   const TextRules& text);

// Forced decoding of the right targets; each target token is linked to the source token that its attention is largest
// on. Only examples whose alignment is known count; `data` was made from `examples`. Nothing is found in models without
// attention.
AlignmentQuality evaluate_alignment(const Model& model, const TextRules& text, const std::vector<Example>& examples,
                                    const CancelToken& cancel = {});

// What one pass with the right targets forced tells, where a training asks often.
struct ForcedEvaluation {
  // Share of the examples whose most probable tokens are all right: those that greedy decoding writes right as a whole,
  // for it is fed what is right as long as all is right.
  double exact_match = 0;
  double nll = 0, tokens = 0;  // sum over the target tokens that count, nats, and how many these are
  // Where it looks; nothing of models without attention.
  Index linked = 0, right = 0;  // target tokens with known links, and those of them whose largest weight lies on one
  Index rows = 0;               // of attention
  double largest = 0;           // sum of their largest weights
};
// `data` was made from `examples`.
ForcedEvaluation evaluate_forced(const Model& model, const TextRules& text, const Dataset& data,
                                 const std::vector<Example>& examples, const CancelToken& cancel = {});

// How much of its attention a token of a field puts on the tokens of the source that tell this field, while the right
// target is forced: the mean over the examples.
struct FieldAttention {
  std::string field;          // "month"
  std::vector<double> mass;   // of each of its tokens, 0 .. 1
  std::vector<Index> counts;  // examples behind each; 0: no row of the model serves this token
  // The same where this token is no 0. A decoder may write a leading 0 unless a letter says otherwise, as 9 of 12
  // months begin with one: then no letter tells it, and it rests anywhere.
  std::vector<double> mass_not_0;
  std::vector<Index> counts_not_0;
};
// In the order of the target. Empty for examples without fields and for models without attention.
std::vector<FieldAttention> evaluate_fields(const Model& model, const TextRules& text,
                                            const std::vector<Example>& examples, const CancelToken& cancel = {});

}  // namespace headlight
