#include "model/io/formats/pretrained/hook_names.h"

#include <algorithm>
#include <limits>

namespace headlight {

namespace {

// [H x T x k] -> [T x H x k]
Tensor by_token(const Tensor& heads) {
  const Index h_count = heads.dim(0), t_count = heads.dim(1), k = heads.dim(2);
  Tensor out({t_count, h_count, k});
  for (Index h = 0; h < h_count; ++h)
    for (Index t = 0; t < t_count; ++t)
      std::copy_n(heads.data() + (h * t_count + t) * k, k, out.data() + (t * h_count + h) * k);
  return out;
}

// What each head adds to the stream: z [H x T x k], W_o [H·k x d] -> [T x H x d].
Tensor results(const Tensor& z, const Tensor& W) {
  const Index h_count = z.dim(0), t_count = z.dim(1), k = z.dim(2), d = W.columns();
  Tensor out({t_count, h_count, d});
  if (W.rows() != h_count * k) return {};
  for (Index h = 0; h < h_count; ++h) {
    Tensor one({t_count, d});
    one.matrix() = z.view(h * t_count * k, {t_count, k}).matrix() * W.view(h * k * d, {k, d}).matrix();
    for (Index t = 0; t < t_count; ++t) std::copy_n(one.data() + t * d, d, out.data() + (t * h_count + h) * d);
  }
  return out;
}

// Of a text that was read token by token: what came later had no score.
Tensor with_mask(const Tensor& scores) {
  Tensor masked = scores.clone();
  for (Index h = 0; h < scores.dim(0); ++h)
    for (Index t = 0; t < scores.dim(1); ++t)
      for (Index k = t + 1; k < scores.dim(2); ++k)
        masked[(h * scores.dim(1) + t) * scores.dim(2) + k] = -std::numeric_limits<Scalar>::infinity();
  return masked;
}

class Hooks {
 public:
  Hooks(const HookedStack& stack, LibraryValues& values) : stack_(stack), values_(values) {}

  void add_all() {
    put("hook_embed", stack_.rows("embed.token"));
    put("hook_pos_embed", stack_.rows("embed.position"));
    Tensor entering = stack_.rows("embed.projected");
    if (!entering.defined()) entering = stack_.rows("embed.out");
    const std::string last = stack_.side.cross ? "3" : "2";
    for (Index l = 0; l < stack_.side.layers; ++l) {
      const std::string ours = "layer[" + std::to_string(l) + "].",
                        theirs = stack_.prefix.empty() ? "blocks." + std::to_string(l) + "." : std::to_string(l) + ".";
      put(theirs + "hook_resid_pre", entering);
      add_norm(ours + "norm1", theirs + "ln1", stack_.side.post ? stack_.rows(ours + "residual1") : entering);
      add_attention(ours + "self_attn", theirs + "attn");
      put_first(theirs + "hook_attn_out", {ours + "post_norm1.out", ours + "self_attn.out"});
      const Tensor middle = stack_.rows(ours + "residual1");
      put(theirs + "hook_resid_mid", middle);
      if (stack_.side.cross) {
        add_attention(ours + "cross_attn", theirs + "cross_attn");
        put(theirs + "hook_cross_attn_out", stack_.rows(ours + "cross_attn.out"));
        put(theirs + "hook_resid_mid_cross", stack_.rows(ours + "residual2"));
      }
      add_norm(ours + "norm2", theirs + "ln2", stack_.side.post ? stack_.rows(ours + "residual2") : middle);
      if (stack_.side.cross)
        add_norm(ours + "norm3", theirs + "ln3", stack_.rows(ours + (stack_.side.post ? "residual3" : "residual2")));
      const Tensor gate = stack_.rows(ours + "ffn.gate");
      put(theirs + "mlp.hook_pre", gate.defined() ? gate : stack_.rows(ours + "ffn.pre"));
      if (gate.defined()) put(theirs + "mlp.hook_pre_linear", stack_.rows(ours + "ffn.pre"));
      put(theirs + "mlp.hook_post", stack_.rows(ours + "ffn.act"));
      put_first(theirs + "hook_mlp_out", {ours + "post_norm2.out", ours + "ffn.out"});
      const Tensor sum = stack_.rows(ours + "residual" + last);
      put(theirs + "hook_resid_post", sum);
      entering = sum;
      if (!stack_.side.post) continue;
      entering = stack_.rows(ours + "norm" + last + ".out");
      put(theirs + "hook_normalized_resid_post", entering);
    }
    add_norm("final_norm", stack_.prefix.empty() ? "ln_final" : "final_ln", entering);
  }

 private:
  void put(const std::string& name, const Tensor& value) {
    if (value.defined()) values_.push_back({stack_.prefix + name, value});
  }
  void put_first(const std::string& name, const std::vector<std::string>& sites) {
    for (const std::string& site : sites)
      if (const Tensor value = stack_.rows(site); value.defined()) return put(name, value);
  }

  void add_attention(const std::string& ours, const std::string& theirs) {
    const auto heads = [&](const char* leaf) { return stack_.heads(ours + ".head." + leaf); };
    const auto keys = [&](const char* leaf) {
      const Tensor own = heads(leaf);
      return own.defined() ? own : stack_.read(ours + ".head." + leaf);
    };
    const auto by_tokens = [&](const char* hook, const Tensor& value) {
      if (value.defined()) put(theirs + hook, by_token(value));
    };
    by_tokens(".hook_q", heads("q"));
    by_tokens(".hook_k", keys("k"));
    by_tokens(".hook_v", keys("v"));
    by_tokens(".hook_rot_q", heads("q_rotated"));
    by_tokens(".hook_rot_k", heads("k_rotated"));
    for (const char* leaf : {"scores_masked", "scores_capped", "scores"})
      if (const Tensor scores = heads(leaf); scores.defined()) {
        put(theirs + ".hook_attn_scores", stack_.side.cross && theirs.ends_with(".attn") ? with_mask(scores) : scores);
        break;
      }
    put(theirs + ".hook_pattern", heads("weights"));
    const Tensor z = heads("out");
    by_tokens(".hook_z", z);
    const Tensor* W = stack_.parameters->find(stack_.side.place + "." + ours + ".W_o");
    if (z.defined() && W) put(theirs + ".hook_result", results(z, *W));
  }

  // Layer norms publish what their gamma and beta made of it, RMS norms what they multiply by gamma.
  void add_norm(const std::string& ours, const std::string& theirs, const Tensor& input) {
    const Tensor rstd = stack_.rows(ours + ".rstd"), out = stack_.rows(ours + ".out");
    if (!rstd.defined()) return;
    Tensor scale({rstd.size(), 1});
    for (Index t = 0; t < rstd.size(); ++t) scale[t] = Scalar(1) / rstd[t];
    put(theirs + ".hook_scale", scale);
    if (!stack_.rms) return put(theirs + ".hook_normalized", out);
    if (!input.defined() || input.rows() != rstd.size()) return;
    Tensor normalised = input.clone();
    for (Index t = 0; t < input.rows(); ++t) normalised.matrix().row(t) *= rstd[t];
    put(theirs + ".hook_normalized", normalised);
  }

  const HookedStack& stack_;
  LibraryValues& values_;
};

}  // namespace

void add_hooks(const HookedStack& stack, LibraryValues& values) { Hooks(stack, values).add_all(); }

}  // namespace headlight
