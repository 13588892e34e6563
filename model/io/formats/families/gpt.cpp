// Decoders of before Llama: GPT-2, GPT-Neo, OPT, GPT-NeoX.

#include <algorithm>

#include "model/core/errors.h"
#include "model/io/formats/families/family.h"

namespace headlight::families {

namespace {

using Of = Top::Of;

// Radford et al. 2019.
Json gpt2_settings(const Json& c) {
  const Index width = whole(c, "n_embd");
  Json s = of_size(whole(c, "vocab_size"), width, whole(c, "n_head"), whole(c, "n_inner", 4 * width), "decoder_only",
                   "decoder_layers", whole(c, "n_layer"));
  s["norm_epsilon"] = real(c, "layer_norm_epsilon", 1e-5);
  s["activation"] = activation(c, "activation_function", "gelu_new");
  s["positions"] = "learned";
  s["max_positions"] = whole(c, "n_positions");
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  s["scale_scores"] = yes(c, "scale_attn_weights", true);
  s["score_scale_by_layer"] = yes(c, "scale_attn_by_inverse_layer_idx", false);
  s["prompt"] = "continue";
  return s;
}
// Black et al. 2021: as GPT-2 with nn.Linear, every other layer with a window, scores that are not divided.
Json neo_settings(const Json& c) {
  const Index width = whole(c, "hidden_size"), layers = whole(c, "num_layers");
  Json s = of_size(whole(c, "vocab_size"), width, whole(c, "num_heads"), whole(c, "intermediate_size", 4 * width),
                   "decoder_only", "decoder_layers", layers);
  s["norm_epsilon"] = real(c, "layer_norm_epsilon", 1e-5);
  s["activation"] = activation(c, "activation_function", "gelu_new");
  s["positions"] = "learned";
  s["max_positions"] = whole(c, "max_position_embeddings");
  s["scale_scores"] = false;
  s["attention_bias"] = false;
  s["projection_bias"] = true;
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  s["prompt"] = "continue";
  // ["global", "local"] again and again, or [[["global", "local"], 12]].
  std::vector<std::string> kinds;
  std::uint64_t count = 0;
  const auto add = [&](const Json& list, std::uint64_t times) {
    count += times * list.size();
    if (count > static_cast<std::uint64_t>(std::min<Index>(layers, 512))) return;  // refused below, or as layers
    for (std::uint64_t i = 0; i < times; ++i)
      for (const Json& kind : list) kinds.push_back(kind.is_string() ? kind.get<std::string>() : shown(kind));
  };
  if (given(c, "attention_layers")) {
    add(c.at("attention_layers"), 1);
  } else if (given(c, "attention_types")) {
    for (const Json& group : c.at("attention_types")) {
      if (!group.is_array() || group.size() != 2 || !group[0].is_array() || !group[1].is_number_unsigned() ||
          group[1].get<std::uint64_t>() > 512)
        wrong("attention_types", "kinds of layers and how often they come", group);
      add(group[0], group[1].get<std::uint64_t>());
    }
  } else {
    count = static_cast<std::uint64_t>(layers);
    for (Index l = 0; l < std::min<Index>(layers, 512); ++l) kinds.emplace_back(l % 2 == 0 ? "global" : "local");
  }
  if (count != static_cast<std::uint64_t>(layers))
    throw FormatError("attention_types: expected " + std::to_string(layers) + " layers, found " +
                      std::to_string(count));
  std::vector<bool> local;
  for (const std::string& kind : kinds) {
    if (kind != "global" && kind != "local")
      throw FormatError("attention_types: layers of type \"" + kind.substr(0, 60) + "\" are not implemented");
    local.push_back(kind == "local");
  }
  s["layer_windows"] = windows(local, whole(c, "window_size", 256));
  return s;
}
// Zhang et al. 2022: learned positions that begin with the third row; the model of 350 M parameters is post-norm and
// has narrow embeddings.
Json opt_settings(const Json& c) {
  const Index width = whole(c, "hidden_size"), narrow = whole(c, "word_embed_proj_dim", width);
  Json s = of_size(whole(c, "vocab_size"), width, whole(c, "num_attention_heads"), whole(c, "ffn_dim"), "decoder_only",
                   "decoder_layers", whole(c, "num_hidden_layers"));
  if (!yes(c, "do_layer_norm_before", true)) s["norm_place"] = "post";
  if (yes(c, "_remove_final_layer_norm", false)) s["final_norm"] = "no";
  if (narrow != width) {
    s["embedding_size"] = narrow;
    s["embedding_projection"] = "tokens";
    s["embedding_bias"] = false;
    s["output_projection"] = true;
  }
  if (!yes(c, "layer_norm_elementwise_affine", true)) s["norm_scale"] = s["norm_bias"] = false;
  const bool bias = yes(c, "enable_bias", true);
  s["attention_bias"] = s["projection_bias"] = s["ffn_bias"] = bias;
  s["activation"] = activation(c, "activation_function", "relu");
  s["positions"] = "learned";
  s["position_offset"] = 2;
  s["max_positions"] = whole(c, "max_position_embeddings") + 2;
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  s["prompt"] = "continue";
  return s;
}
// Black et al. 2022: rotary positions in a part of each head, attention and feed-forward network side by side.
Json neox_settings(const Json& c) {
  const Index heads = whole(c, "num_attention_heads"), width = whole(c, "hidden_size");
  Json s = of_size(whole(c, "vocab_size"), width, heads, whole(c, "intermediate_size"), "decoder_only",
                   "decoder_layers", whole(c, "num_hidden_layers"));
  s["norm_epsilon"] = real(c, "layer_norm_eps", 1e-5);
  s["activation"] = activation(c, "hidden_act", "gelu");
  s["parallel_sublayers"] = yes(c, "use_parallel_residual", true);
  s["attention_bias"] = s["projection_bias"] = yes(c, "attention_bias", true);
  set_rope(s, rope_of(c, {real(c, "rotary_emb_base", 10'000), real(c, "rotary_pct", 0.25)}),
           heads > 0 ? width / heads : 0);
  if (!yes(c, "tie_word_embeddings", false)) s["tie"] = "none";
  s["prompt"] = "continue";
  return s;
}

Names gpt2_names() {
  Names n;
  n.tied({"wte.weight", "lm_head.weight"}).one("decoder.embed.W", "wte.weight").one("decoder.pos.W", "wpe.weight");
  const std::string ours = "decoder.layer[#]", theirs = "h.#.";
  n.fused(ours + ".self_attn", theirs + "attn.c_attn", How::first);
  // Conv1D stores [in x out].
  n.one(ours + ".self_attn.W_o", theirs + "attn.c_proj.weight")
      .one(ours + ".self_attn.b_o", theirs + "attn.c_proj.bias");
  n.norm(ours + ".norm1", theirs + "ln_1").norm(ours + ".norm2", theirs + "ln_2");
  n.one(ours + ".ffn.W1", theirs + "mlp.c_fc.weight").one(ours + ".ffn.b1", theirs + "mlp.c_fc.bias");
  n.one(ours + ".ffn.W2", theirs + "mlp.c_proj.weight").one(ours + ".ffn.b2", theirs + "mlp.c_proj.bias");
  n.norm("decoder.final_norm", "ln_f");
  n.one("output.W", "lm_head.weight", How::transposed);
  return n;
}

Names neo_names() {
  Names n;
  n.tied({"wte.weight", "lm_head.weight"}).one("decoder.embed.W", "wte.weight").one("decoder.pos.W", "wpe.weight");
  const std::string ours = "decoder.layer[#]", theirs = "h.#.";
  n.attention(ours + ".self_attn", theirs + "attn.attention", {"q_proj", "k_proj", "v_proj", "out_proj"});
  n.norm(ours + ".norm1", theirs + "ln_1").norm(ours + ".norm2", theirs + "ln_2");
  n.linear(ours + ".ffn", "1", theirs + "mlp.c_fc").linear(ours + ".ffn", "2", theirs + "mlp.c_proj");
  n.norm("decoder.final_norm", "ln_f");
  n.one("output.W", "lm_head.weight", How::transposed);
  return n;
}

Names opt_names() {
  Names n;
  n.tied({"embed_tokens.weight", "lm_head.weight"}).one("decoder.embed.W", "embed_tokens.weight");
  n.one("decoder.pos.W", "embed_positions.weight");
  n.one("decoder.embed.W_project", "project_in.weight", How::transposed);
  n.one("decoder.project.W", "project_out.weight", How::transposed);
  const std::string ours = "decoder.layer[#]", theirs = "layers.#.";
  n.attention(ours + ".self_attn", theirs + "self_attn", {"q_proj", "k_proj", "v_proj", "out_proj"});
  n.norm(ours + ".norm1", theirs + "self_attn_layer_norm").norm(ours + ".norm2", theirs + "final_layer_norm");
  n.linear(ours + ".ffn", "1", theirs + "fc1").linear(ours + ".ffn", "2", theirs + "fc2");
  n.norm("decoder.final_norm", "final_layer_norm");
  n.one("output.W", "lm_head.weight", How::transposed);
  return n;
}

Names neox_names() {
  Names n;
  n.tied({"embed_in.weight", "embed_out.weight", "lm_head.weight"}).one("decoder.embed.W", "embed_in.weight");
  const std::string ours = "decoder.layer[#]", theirs = "layers.#.";
  n.fused(ours + ".self_attn", theirs + "attention.query_key_value", How::first_of_heads);
  n.linear(ours + ".self_attn", "_o", theirs + "attention.dense");
  n.norm(ours + ".norm1", theirs + "input_layernorm").norm(ours + ".norm2", theirs + "post_attention_layernorm");
  n.linear(ours + ".ffn", "1", theirs + "mlp.dense_h_to_4h").linear(ours + ".ffn", "2", theirs + "mlp.dense_4h_to_h");
  n.norm("decoder.final_norm", "final_layer_norm");
  n.one("output.W", "embed_out.weight", How::transposed).one("output.W", "lm_head.weight", How::transposed);
  return n;
}

}  // namespace

std::vector<Family> gpt_families() {
  const Json no = false, yes = true;
  const Top answers{"ForQuestionAnswering", "qa_outputs", Of::each, ""},
      labels{"ForTokenClassification", "classifier", Of::each}, classes{"", "score", Of::last};
  return {
      {{"gpt2"},
       {"transformer."},
       {"vocab_size", "n_embd", "n_head", "n_layer", "n_inner", "n_positions", "n_ctx", "layer_norm_epsilon",
        "activation_function", "scale_attn_weights", "scale_attn_by_inverse_layer_idx", "tie_word_embeddings"},
       {{"is_decoder", {no, yes}}, {"reorder_and_upcast_attn", {no, yes}}},
       gpt2_settings,
       gpt2_names(),
       {".attn.bias", ".attn.masked_bias"},
       {answers, labels, classes}},
      {{"gpt_neo"},
       {"transformer."},
       {"vocab_size", "hidden_size", "num_heads", "num_layers", "intermediate_size", "max_position_embeddings",
        "layer_norm_epsilon", "activation_function", "attention_types", "attention_layers", "window_size",
        "tie_word_embeddings"},
       {{"is_decoder", {no, yes}}},
       neo_settings,
       neo_names(),
       {".attn.attention.bias", ".attn.attention.masked_bias"},
       {answers, labels, classes}},
      {{"opt"},
       {"model.decoder.", "decoder."},
       {"vocab_size", "hidden_size", "num_attention_heads", "num_hidden_layers", "ffn_dim", "word_embed_proj_dim",
        "activation_function", "max_position_embeddings", "do_layer_norm_before", "_remove_final_layer_norm",
        "enable_bias", "layer_norm_elementwise_affine", "tie_word_embeddings"},
       {{"is_decoder", {no, yes}}},
       opt_settings,
       opt_names(),
       {"version"},
       {answers, classes}},
      {{"gpt_neox"},
       {"gpt_neox."},
       {"vocab_size", "hidden_size", "num_attention_heads", "num_hidden_layers", "intermediate_size", "layer_norm_eps",
        "hidden_act", "use_parallel_residual", "attention_bias", "rotary_pct", "rotary_emb_base", "rope_theta",
        "rope_scaling", "rope_parameters", "partial_rotary_factor", "max_position_embeddings", "tie_word_embeddings"},
       {{"is_decoder", {no, yes}}},
       neox_settings,
       neox_names(),
       {"attention.bias", "attention.masked_bias", "rotary_emb.inv_freq"},
       {answers, labels, classes}},
  };
}

}  // namespace headlight::families
