// Values of a run under the names that TransformerLens gives them (formats.md of the documents lists them).
#pragma once

#include <string>

#include "model/io/formats/pretrained/library_run.h"
#include "model/io/formats/pretrained/pretrained_models.h"

namespace headlight {

// One stack of layers, and where its values are found by our names of sites behind "encoder." or "decoder.".
struct HookedStack {
  std::string prefix;  // of its names: "", "encoder." or "decoder."
  LibrarySide side;
  bool rms = false;  // norms do not centre
  const ParameterTable* parameters = nullptr;
  const RunKeeper& values;

  Tensor rows(const std::string& site) const { return side.rows(values, site); }
  Tensor heads(const std::string& site) const { return side.weights(values, site); }
  // [H x S x k] of what was read once for all steps.
  Tensor read(const std::string& site) const { return values.at(side.place + "." + site); }
};

// hook_embed, hook_pos_embed, blocks.L.hook_resid_pre/_mid/_post, .hook_attn_out, .hook_mlp_out, .attn.hook_q/k/v/z
// [T x H x k], .attn.hook_attn_scores and .attn.hook_pattern [H x T x S], .attn.hook_result [T x H x d],
// .mlp.hook_pre/post, .ln1, .ln2 and ln_final with hook_scale [T x 1] and hook_normalized.
void add_hooks(const HookedStack& stack, LibraryValues& values);

}  // namespace headlight
