// Decoders that are Llama but for some settings: norms, what is turned, factors, windows.

#include <algorithm>
#include <cmath>

#include "model/core/errors.h"
#include "model/io/formats/families/decoders.h"

namespace headlight::families {

namespace {

bool three_of_four(const Json&, Index layer) { return (layer + 1) % 4 != 0; }
bool but_every_pattern(const Json& c, Index layer) {
  const Index n = whole(c, "sliding_window_pattern", whole(c, "_sliding_window_pattern", 4));
  if (n == 0) wrong("sliding_window_pattern", "a number above 0", c.at("sliding_window_pattern"));
  return (layer + 1) % n != 0;
}
// 0: none.
Index window_of(const Json& c, Index usual) {
  return c.contains("sliding_window") ? whole(c, "sliding_window", 0) : usual;
}
void set_query_key_norm(Json& s, const char* kind, const char* span) {
  s["qk_norm"] = true;
  s["qk_norm_kind"] = kind;
  s["qk_norm_span"] = span;
}

// Groeneveld et al. 2024: norms without weights, queries, keys and values within bounds.
Json olmo_settings(const Json& c) {
  Json s = after_llama(c, {.layer_norm = true});
  s["norm_scale"] = s["norm_bias"] = s["ffn_bias"] = false;
  s["norm_epsilon"] = 1e-5;
  if (given(c, "clip_qkv")) s["clip_qkv"] = above_zero(c, "clip_qkv", 1);
  return s;
}
// OLMo Team 2025: norms of what sublayers give, and of all queries and all keys of a token.
Json olmo2_settings(const Json& c) {
  Json s = after_llama(c, {.epsilon = 1e-5});
  s["ffn_bias"] = false;
  s["norm_place"] = "output";
  set_query_key_norm(s, "rms", "whole");
  return s;
}
// The same with windows; the turns of longer texts are of the layers without.
Json olmo3_settings(const Json& c) {
  Json s = olmo2_settings(c);
  const Rope global = rope_of(c, {500'000}), local = rope_of(c, {500'000}, "sliding_attention");
  refuse_share(global);
  refuse_share(local);
  set_rope(s, global, head_size_of(s));
  set_windows(s, c, window_of(c, 4096), three_of_four);
  s["local_rotary"] = {{"theta", local.theta}, {"scaling", local.scaling}};
  return s;
}
// Bellagente et al. 2024.
Json stablelm_settings(const Json& given_config) {
  Json c = given_config;
  c.erase("head_dim");  // the library does not read it
  Json s = after_llama(
      c,
      {.epsilon = 1e-5, .epsilon_key = "layer_norm_eps", .rope = {.share = 0.25}, .in_part = true, .layer_norm = true});
  set_biases(s, yes(c, "use_qkv_bias", false), false, false);
  s["parallel_sublayers"] = s["shared_norm"] = yes(c, "use_parallel_residual", false);
  if (yes(c, "qk_layernorm", false)) set_query_key_norm(s, "layer", "each_head");
  return s;
}
// Bakouch et al. 2025: every fourth layer is not told where tokens stand.
Json smollm3_settings(const Json& c) {
  Json s = after_llama(c, {.tied = true, .rope = {2'000'000}});
  const Index layers = s.at("decoder_layers").get<Index>(), every = whole(c, "no_rope_layer_interval", 4);
  Json turned = Json::array();
  if (given(c, "no_rope_layers")) {
    const Json& list = c.at("no_rope_layers");
    const bool fits = list.is_array() && list.size() >= static_cast<std::size_t>(layers) &&
                      std::ranges::all_of(list, [](const Json& each) { return each == 0 || each == 1; });
    if (!fits) wrong("no_rope_layers", "a list of " + std::to_string(layers) + " numbers 0 or 1", list);
    for (Index l = 0; l < layers; ++l) turned.push_back(list[static_cast<std::size_t>(l)]);
  } else {
    if (every == 0) wrong("no_rope_layer_interval", "a number above 0", c.at("no_rope_layer_interval"));
    for (Index l = 0; l < std::min<Index>(layers, 1024); ++l) turned.push_back((l + 1) % every != 0 ? 1 : 0);
  }
  s["layer_rotary"] = turned;
  const Index window = whole(c, "sliding_window", 0);
  Json all = windows(local_layers(c, layers, [](const Json&, Index) { return false; }), window);
  if (!given(c, "layer_types") && yes(c, "use_sliding_window", false))
    for (std::size_t l = 0; l < all.size(); ++l) all[l] = turned[l] == 0 ? window : 0;
  s["layer_windows"] = all;
  return s;
}
// Lozhkov et al. 2024.
Json starcoder2_settings(const Json& c) {
  Json s = after_llama(c, {.tied = true,
                           .key_value_heads = 2,
                           .epsilon = 1e-5,
                           .epsilon_key = "norm_epsilon",
                           .activation = "gelu_pytorch_tanh",
                           .layer_norm = true});
  const bool bias = yes(c, "use_bias", true);
  set_biases(s, bias, bias, bias);
  s["gated"] = false;
  set_windows(s, c, window_of(c, 0), every_layer);
  return s;
}
// Cohere 2024: sublayers side by side behind one norm.
Json cohere_settings(const Json& c) {
  Json s = after_llama(
      c, {.tied = true, .epsilon = 1e-5, .epsilon_key = "layer_norm_eps", .neighbours = true, .layer_norm = true});
  s["norm_bias"] = s["ffn_bias"] = false;
  s["parallel_sublayers"] = s["shared_norm"] = true;
  s["output_scale"] = real(c, "logit_scale", 0.0625);
  if (yes(c, "use_qk_norm", false)) set_query_key_norm(s, "layer", "each_head");
  return s;
}
// Cohere 2025: layers with a window are turned, the others are not.
Json cohere2_settings(const Json& c) {
  Json s = cohere_settings(c);
  s["qk_norm"] = false;  // the library reads no use_qk_norm here
  set_windows(s, c, window_of(c, 4096), but_every_pattern);
  Json turned = Json::array();
  for (const Json& window : s.at("layer_windows")) turned.push_back(window > 0 ? 1 : 0);
  s["layer_rotary"] = turned;
  return s;
}
// Parmar et al. 2024.
Json nemotron_settings(const Json& c) {
  Json s = after_llama(c, {.epsilon = 1e-5,
                           .epsilon_key = "norm_eps",
                           .activation = "relu2",
                           .rope = {.share = 0.5},
                           .in_part = true,
                           .layer_norm = true});
  s["gated"] = false;
  return s;
}
// GLM Team 2024.
Json glm_settings(const Json& c) {
  Json s = after_llama(c, {.head_size = 128,
                           .key_value_heads = 2,
                           .epsilon = 1.5625e-7,
                           .rope = {.share = 0.5},
                           .in_part = true,
                           .neighbours = true});
  set_biases(s, yes(c, "attention_bias", false), false, false);
  return s;
}
Json glm4_settings(const Json& c) {
  Json s = glm_settings(c);
  s["norm_place"] = "both";
  return s;
}
// Baidu 2025.
Json ernie_settings(const Json& c) {
  Json s = after_llama(
      c,
      {.tied = true, .head_size = 128, .key_value_heads = 2, .epsilon = 1e-5, .rope = {500'000}, .neighbours = true});
  const bool bias = yes(c, "use_bias", false);
  set_biases(s, bias, bias, bias);
  return s;
}
// Kyutai 2025.
Json helium_settings(const Json& c) {
  Json s = after_llama(c, {.head_size = 128, .epsilon = 1e-8, .rope = {100'000}, .neighbours = true});
  s["projection_bias"] = false;
  return s;
}

Names olmo2_names() {
  Names n = around_layers(How::copied);
  add_sublayers(n, How::copied);
  n.norm(kOurLayer + ".post_norm1", kLlamaLayer + "post_attention_layernorm");
  n.norm(kOurLayer + ".post_norm2", kLlamaLayer + "post_feedforward_layernorm");
  return n;
}
Names stablelm_names() {
  Names n;
  for (const std::string part : {"q", "k"})
    n.one(kOurLayer + ".self_attn." + part + "_norm.gamma",
          kLlamaLayer + "self_attn." + part + "_layernorm.norms.*.weight");
  const Names llama = llama_names();
  n.all.insert(n.all.end(), llama.all.begin(), llama.all.end());
  return n;
}
// Attention of Llama, and a network without gates.
Names plain_names(How norm, const char* up, const char* down) {
  Names n = around_layers(norm);
  n.norm(kOurLayer + ".norm2", kLlamaLayer + "post_attention_layernorm", norm);
  n.attention(kOurLayer + ".self_attn", kLlamaLayer + "self_attn", {"q_proj", "k_proj", "v_proj", "o_proj"});
  n.linear(kOurLayer + ".ffn", "1", kLlamaLayer + up).linear(kOurLayer + ".ffn", "2", kLlamaLayer + down);
  return n;
}
Names glm_names() {
  Names n = plain_names(How::copied, "mlp.up_proj", "mlp.down_proj");
  n.halves(kOurLayer + ".ffn", "_gate", "1", kLlamaLayer + "mlp.gate_up_proj");
  n.norm(kOurLayer + ".post_norm1", kLlamaLayer + "post_self_attn_layernorm");
  n.norm(kOurLayer + ".post_norm2", kLlamaLayer + "post_mlp_layernorm");
  return n;
}

}  // namespace

std::vector<Family> decoders_after_llama() {
  return decoder_rows({
      {"olmo", "attention_bias clip_qkv rms_norm_eps", {}, olmo_settings, llama_names()},
      {"olmo2", "rms_norm_eps attention_bias", {}, olmo2_settings, olmo2_names()},
      {"olmo3", "rms_norm_eps attention_bias sliding_window layer_types", {}, olmo3_settings, olmo2_names()},
      {"stablelm",
       "layer_norm_eps use_qkv_bias qk_layernorm use_parallel_residual norm_eps rope_pct",
       {{"rotary_scaling_factor", {1}}},
       stablelm_settings,
       stablelm_names()},
      {"smollm3",
       "rms_norm_eps attention_bias mlp_bias no_rope_layers no_rope_layer_interval sliding_window use_sliding_window "
       "max_window_layers layer_types",
       {},
       smollm3_settings,
       llama_names()},
      {"starcoder2",
       "norm_epsilon use_bias sliding_window mlp_type norm_type scale_attn_weights activation_function "
       "layer_norm_epsilon",
       {},
       starcoder2_settings,
       plain_names(How::copied, "mlp.c_fc", "mlp.c_proj")},
      {"cohere", "layer_norm_eps attention_bias logit_scale use_qk_norm", {}, cohere_settings, llama_names()},
      {"cohere2",
       "layer_norm_eps attention_bias logit_scale sliding_window sliding_window_pattern _sliding_window_pattern "
       "layer_types layer_switch order_of_interleaved_layers rotary_pct use_embedding_sharing use_gated_activation "
       "use_parallel_block use_parallel_embedding use_qk_norm",
       {{"position_embedding_type", {"rope_gptj"}}},
       cohere2_settings,
       llama_names()},
      {"granite",
       "rms_norm_eps attention_bias mlp_bias embedding_multiplier attention_multiplier residual_multiplier "
       "logits_scaling",
       {},
       granite_settings,
       llama_names()},
      {"nemotron",
       "norm_eps attention_bias mlp_bias rope_percent kv_channels",
       {},
       nemotron_settings,
       plain_names(How::plus_one, "mlp.up_proj", "mlp.down_proj")},
      {"glm", "rms_norm_eps attention_bias", {}, glm_settings, glm_names()},
      {"glm4", "rms_norm_eps attention_bias", {}, glm4_settings, glm_names()},
      {"ernie4_5",
       "rms_norm_eps use_bias",
       {{"use_rmsnorm", {true}}, {"compression_ratio", {1}}},
       ernie_settings,
       llama_names()},
      {"helium", "rms_norm_eps attention_bias mlp_bias", {}, helium_settings, llama_names()},
  });
}

}  // namespace headlight::families
