// Values of a run under the names that TransformerLens gives them (formats.md of the documents lists them).
#pragma once

#include <functional>
#include <string>

#include "model/io/formats/pretrained/pretrained_models.h"

namespace headlight {

// One stack of layers, and where its values are found by our names of sites behind "encoder." or "decoder.".
struct HookedStack {
  std::string prefix;  // of its names: "", "encoder." or "decoder."
  Index layers = 0;
  bool cross = false;  // it looks at an encoder
  bool post = false;   // norms stand behind the sums
  bool rms = false;    // and do not centre
  std::string place;   // "encoder" or "decoder"
  const ParameterTable* parameters = nullptr;
  std::function<Tensor(const std::string& site)> rows;   // [T x d]; undefined where there is no such value
  std::function<Tensor(const std::string& site)> heads;  // [H x T x n]; the same
  std::function<Tensor(const std::string& site)> read;   // [H x S x k] of what was read once for all steps
};

// hook_embed, hook_pos_embed, blocks.L.hook_resid_pre/_mid/_post, .hook_attn_out, .hook_mlp_out, .attn.hook_q/k/v/z
// [T x H x k], .attn.hook_attn_scores and .attn.hook_pattern [H x T x S], .attn.hook_result [T x H x d],
// .mlp.hook_pre/post, .ln1, .ln2 and ln_final with hook_scale [T x 1] and hook_normalized.
void add_hooks(const HookedStack& stack, LibraryValues& values);

}  // namespace headlight
