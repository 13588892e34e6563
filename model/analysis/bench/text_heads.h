// All heads of one text at once, for who looks at them: what they look at, what they bring, and all layers as one.
#pragma once

#include <functional>

#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/patterns.h"
#include "model/analysis/bench/target.h"
#include "model/text/listed_text.h"

namespace headlight {

struct Result;

// One kind of attention. Heads are numbered layer by layer.
struct SideHeads {
  AttentionMap::Kind kind = AttentionMap::Kind::encoder_self;
  std::vector<Index> layers;  // of the model
  Index heads = 1;            // of each
  std::vector<PatternShares> shares;
  std::vector<Pattern> patterns;
  // Of each layer a ‖v W_O‖ [H x T x S], and ALTI contributions [1 x T x S]; empty where values do not go through an
  // output matrix as they are, and `no_values` says so.
  std::vector<Tensor> brought, alti;
  std::string no_values;
  Tensor rollout, alti_rollout;  // all layers as one [1 x T x S]; undefined: not of this kind
};

struct TextHeads {
  TextIds text;
  std::vector<SideHeads> sides;
  double off = 0;  // how far the parts of ALTI are from what was computed, in shares of the largest number
  const SideHeads* side(AttentionMap::Kind kind) const;
};
// Throws UsageError and Cancelled.
TextHeads heads_of_text(const TextReader& reader, const TextIds& text, const CancelToken& cancel = {});

// What was read in a run, and, of a decoder, what it wrote and was fed again. `written`: also what a model of one text
// wrote behind it.
TextIds ids_of_run(const TextReader& reader, const Result& run, bool written);

// A text of a list as a model reads it. What a decoder behind an encoder is to write it writes itself, where the text
// does not say. Throws UsageError and Cancelled.
TextIds ids_of_listed(const TextReader& reader, const ListedText& text, const CancelToken& cancel = {});

// What each head is worth to a target in one text, or on the mean of many.
struct EffectAsked {
  std::optional<Target> target;  // none: that of the kind of model
  TextIds second;                // of a similarity
  HeadOff off = HeadOff::zero;
  TextIds other;  // whose findings take the place
};
struct HeadEffects {
  Target target;  // settled
  std::string target_text;
  double base = 0;
  std::vector<HeadPlace> heads;
  std::vector<double> without;  // of the first of these heads: it grows
  // Of a list: how many texts are done, of how many; of each head the deviation, and in how many texts it comes first.
  Index texts = 0, of_texts = 0;
  std::vector<double> sd, first;
};
// An embedding where the model makes one, else the difference of the best two.
Target usual_target(const TextReader& reader, const TextIds& text, const Reading& reading);
// Tells what there is after each head. Throws UsageError and Cancelled.
void effects_of_heads(const TextReader& reader, const TextIds& text, const EffectAsked& asked,
                      const std::function<void(const HeadEffects&)>& tell, const CancelToken& cancel = {});
// The same over a list: `without` is the mean, told after each text. The second text of a similarity is that of each
// where it has one; a mean that takes a head's place is that over all texts.
void effects_over_texts(const TextReader& reader, const std::vector<ListedText>& texts, const EffectAsked& asked,
                        const std::function<void(const HeadEffects&)>& tell, const CancelToken& cancel = {});

}  // namespace headlight
