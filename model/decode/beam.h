// Beam search: the B best hypotheses side by side, with the whole tree of what was tried. A step is, in the order of
// transformers 5.24:
//   1. the model reads the last token of each hypothesis and gives log-probabilities
//   2. they are added to log P; padding, the start sign and too early an end sign are left out
//   3. the 2B best of all hypotheses are kept (the library: (1 + end signs) B, where there are several)
//   4. of them those among the first B that end are finished, with log P / length penalty + coverage penalty
//   5. the B best that do not end go on
//   6. the search is over at max_len, when nothing goes on, or by BeamStop
// At last the best finished one wins. LengthNorm::power with α is the library's length_penalty. There the stages of
// generation_config.json act between 1 and 2; that search is writing.h, which gives the same tree.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/models/model.h"

namespace headlight {

enum class LengthNorm {
  wu16,   // ((5 + |Y|) / 6)^α (Wu et al. 2016, eq. 14)
  power,  // |Y|^α (Gehring et al. 2017 with α = 1)
  none,
};

enum class BeamStop {
  // When no hypothesis that goes on can become better than the best finished one. The library's early_stopping "never"
  // goes on until none can become better than the last of B finished ones: the winner is the same. Its false, which is
  // what it does where nothing is said, takes the length so far for the length to come, and may end with another.
  best_possible,
  first_b,  // when B are finished (Bahdanau et al. 2015); early_stopping true
};

struct BeamSettings {
  Index width = 4;   // B
  double alpha = 0;  // of the length norm, at least 0
  double beta = 0;   // of the coverage penalty, at least 0 (Wu et al. 2016, eq. 14)
  LengthNorm length_norm = LengthNorm::wu16;
  Index max_len = 1;  // tokens at most, the end sign included
  Index min_len = 0;  // tokens before the end sign may come
  BeamStop stop = BeamStop::best_possible;
  bool operator==(const BeamSettings&) const = default;
};

// Throws UsageError for settings out of bounds.
void check(const BeamSettings& settings);

// The ids with a meaning of their own.
struct BeamTokens {
  TokenId start = 0;
  std::optional<TokenId> end;  // without one, every hypothesis has max_len tokens
  std::vector<TokenId> never;  // padding and the start sign: never written
};

// |Y| counts the end sign; 1 for LengthNorm::none.
double length_penalty(const BeamSettings& settings, Index length);
// β Σ_j log(min(max(Σ_t a_tj, 1e-6), 1)), given the sums over t.
double coverage_penalty(const BeamSettings& settings, const std::vector<double>& attention_sums);

// What was tried at one step, with its way back.
struct BeamHypothesis {
  enum class Fate {
    alive,      // went on to the next step
    finished,   // ended with the end sign
    pruned,     // not among the best
    truncated,  // was cut at max_len
    stopped,    // could have gone on, but the search was over
  };
  Fate fate = Fate::pruned;
  TokenId token = 0;
  int parent = -1;                     // its place in the step before; -1: the start sign
  double logp = 0;                     // log P of all tokens so far
  double score = 0;                    // log P / length penalty + coverage penalty
  std::vector<double> attention;       // [S] of this step; empty when the model shows none
  std::vector<double> attention_sums;  // [S] of all steps so far
};

// The 2B best of a step, by falling logp.
struct BeamStep {
  std::vector<BeamHypothesis> hypotheses;
};

struct BeamEnd {
  int step = 0, place = 0;      // of its last token in the tree
  std::vector<TokenId> tokens;  // without the start sign, with the end sign
  double logp = 0, score = 0;
  bool truncated = false;  // no end sign although there is one
};

struct BeamTree {
  std::vector<BeamStep> steps;
  std::vector<BeamEnd> best;  // finished and truncated hypotheses, best score first; of equals the one that ended first
  // From the first token to this one.
  std::vector<TokenId> tokens_of(int step, int place) const;
  // log P of the last hypothesis that went on from this step: what was cut there has less, or was an end too far down.
  // Where none went on, +∞.
  double cut_below(int step) const;
};

// `decoding` has just begun, with one source. `before_step` is called with the number of each step; it may throw.
// Throws UsageError for settings out of bounds, and when the model gives no first token a probability.
BeamTree beam_search(Decoding& decoding, const BeamSettings& settings, const BeamTokens& tokens, const Pass& pass = {},
                     const std::function<void(Index step)>& before_step = {});

}  // namespace headlight
