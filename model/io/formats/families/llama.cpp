// Decoders with rotary positions and gated units: Llama and those that follow it.

#include <cmath>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/formats/families/decoders.h"

namespace headlight::families {

namespace {

using Of = Top::Of;
const std::string& kOurs = kOurLayer;
const std::string& kTheirs = kLlamaLayer;

bool none(const Json&, Index) { return false; }
bool behind(const Json& c, Index layer) { return layer >= whole(c, "max_window_layers", 28); }
bool even(const Json&, Index layer) { return layer % 2 == 0; }
bool but_every_nth(const Json& c, Index layer) {
  const Index n = whole(c, "sliding_window_pattern", whole(c, "_sliding_window_pattern", 6));
  return n == 0 || (layer + 1) % n != 0;
}

Json llama_settings(const Json& c) {
  Json s = decoder_settings(c, usual_head_size(c), activation(c, "hidden_act", "silu").c_str(), false);
  turn_whole_heads(s, c);
  for (const bool local : local_layers(c, s.at("decoder_layers").get<Index>(), none))
    if (local) throw FormatError("layer_types: layers of type \"sliding_attention\" are not known of this family");
  return s;
}
// Jiang et al. 2023: a window in every layer.
Json mistral_settings(const Json& c) {
  Json s = decoder_settings(c, usual_head_size(c), activation(c, "hidden_act", "silu").c_str(), false);
  turn_whole_heads(s, c);
  const bool none_said = c.contains("sliding_window") && !given(c, "sliding_window");  // null; a missing key is 4096
  set_windows(s, c, none_said ? 0 : whole(c, "sliding_window", 4096), every_layer);
  return s;
}
// Yang et al. 2024: biases of queries, keys and values, windows in the upper layers.
Json qwen_settings(const Json& c, bool biases) {
  Json s = decoder_settings(c, usual_head_size(c), activation(c, "hidden_act", "silu").c_str(), false);
  turn_whole_heads(s, c);
  set_windows(s, c, yes(c, "use_sliding_window", false) && given(c, "sliding_window") ? whole(c, "sliding_window") : 0,
              behind);
  if (!biases) return s;
  s["attention_bias"] = true;
  s["projection_bias"] = false;
  return s;
}
Json qwen2_settings(const Json& c) { return qwen_settings(c, true); }
// Yang et al. 2025: norms of queries and keys instead.
Json qwen3_settings(const Json& c) {
  Json s = qwen_settings(c, false);
  s["head_size"] = whole(c, "head_dim", 128);
  s["qk_norm"] = true;
  set_rope(s, rope_of(c, {}), head_size_of(s));
  return s;
}
// Abdin et al. 2024: matrices of several parts, windows, factors for each frequency.
Json phi3_settings(const Json& config) {
  Json c = config;
  // Its first files call it so.
  if (given(c, "rope_scaling") && c["rope_scaling"].is_object())
    for (const char* key : {"type", "rope_type"})
      if (c["rope_scaling"].value(key, Json()) == "yarn") c["rope_scaling"][key] = "longrope";
  const auto says_original = [&](const char* rope) {
    return given(c, rope) && c[rope].is_object() && given(c[rope], "original_max_position_embeddings");
  };
  if (!given(c, "original_max_position_embeddings") && !says_original("rope_scaling") &&
      !says_original("rope_parameters"))
    c["original_max_position_embeddings"] = 4096u;
  Json s = decoder_settings(c, usual_head_size(c), activation(c, "hidden_act", "silu").c_str(), false);
  s["norm_epsilon"] = real(c, "rms_norm_eps", 1e-5);
  set_rope(s, rope_of(c, {}), head_size_of(s));
  set_windows(s, c, given(c, "sliding_window") ? whole(c, "sliding_window") : 0, every_layer);
  return s;
}
// Gemma Team 2024: Llama with norms of (1 + w), a scaled embedding and heads of their own width.
Json gemma_settings(const Json& c) {
  const char* key = given(c, "hidden_activation") ? "hidden_activation" : "hidden_act";
  Json s = decoder_settings(c, 256, activation(c, key, "gelu_pytorch_tanh").c_str(), true);
  s["scale_embeddings"] = true;
  turn_whole_heads(s, c);
  return s;
}
}  // namespace

// Gemma Team 2024: four norms, capped scores and logits, every other layer with a window.
Json gemma2_settings(const Json& c) {
  Json s = decoder_settings(c, 256, activation(c, "hidden_activation", "gelu_pytorch_tanh").c_str(), true);
  s["norm_place"] = "both";
  s["scale_embeddings"] = true;
  const double scalar = real(c, "query_pre_attn_scalar", 256);
  if (!(scalar > 0)) throw FormatError("query_pre_attn_scalar: expected a number above 0");
  s["score_scale"] = 1 / std::sqrt(scalar);
  s["score_cap"] = c.contains("attn_logit_softcapping") ? real(c, "attn_logit_softcapping", 0) : 50;
  s["logit_cap"] = c.contains("final_logit_softcapping") ? real(c, "final_logit_softcapping", 0) : 30;
  turn_whole_heads(s, c);
  set_windows(s, c, whole(c, "sliding_window", 4096), even);
  return s;
}

namespace {

// Gemma Team 2025: norms of queries and keys instead of the caps, a base for each kind of layer.
Json gemma3_settings(const Json& c) {
  Json s = gemma2_settings(c);
  s["score_cap"] = real(c, "attn_logit_softcapping", 0);
  s["logit_cap"] = real(c, "final_logit_softcapping", 0);
  s["qk_norm"] = true;
  set_windows(s, c, whole(c, "sliding_window", 4096), but_every_nth);
  const Rope global = rope_of(c, {1'000'000});
  Rope local{real(c, "rope_local_base_freq", 10'000)};
  if (given(c, "rope_parameters") && c.at("rope_parameters").contains("sliding_attention"))
    local = rope_of(c, local, "sliding_attention");
  refuse_share(global);
  refuse_share(local);
  set_rope(s, global, head_size_of(s));
  s["local_rotary"] = {{"theta", local.theta}, {"scaling", local.scaling}};
  return s;
}

// Boizard et al. 2025: Llama without the mask, as an encoder.
Json eurobert_settings(const Json& config) {
  Json c = config;
  for (const auto& [key, usual] : {std::pair("vocab_size", 128'256),
                                   {"hidden_size", 768},
                                   {"intermediate_size", 3072},
                                   {"num_attention_heads", 12},
                                   {"num_hidden_layers", 12}})
    if (!given(c, key)) c[key] = usual;
  Json s = decoder_settings(c, usual_head_size(c), activation(c, "hidden_act", "silu").c_str(), false);
  s["norm_epsilon"] = real(c, "rms_norm_eps", 1e-5);
  const Rope rope = rope_of(c, {250'000});
  refuse_share(rope);
  set_rope(s, rope, head_size_of(s));
  s["model_type"] = "encoder_only";
  s["encoder_layers"] = s["decoder_layers"];
  s.erase("decoder_layers");
  s.erase("prompt");
  return s;
}

Names eurobert_names() {
  Names n = llama_names();
  for (Name& name : n.all)
    if (name.ours.starts_with("decoder.")) name.ours.replace(0, 7, "encoder");
  return n;
}
Names phi3_names() {
  Names n = around_layers(How::copied);
  n.fused(kOurs + ".self_attn", kTheirs + "self_attn.qkv_proj", How::first_rows);
  n.linear(kOurs + ".self_attn", "_o", kTheirs + "self_attn.o_proj");
  n.halves(kOurs + ".ffn", "_gate", "1", kTheirs + "mlp.gate_up_proj");
  n.linear(kOurs + ".ffn", "2", kTheirs + "mlp.down_proj");
  n.norm(kOurs + ".norm2", kTheirs + "post_attention_layernorm");
  return n;
}
Names first_gemma_names() {
  Names n = around_layers(How::plus_one);
  add_sublayers(n, How::plus_one);
  n.norm(kOurs + ".norm2", kTheirs + "post_attention_layernorm", How::plus_one);
  return n;
}
Names gemma_names() {
  Names n = around_layers(How::plus_one);
  add_sublayers(n, How::plus_one);
  n.norm(kOurs + ".post_norm1", kTheirs + "post_attention_layernorm", How::plus_one);
  n.norm(kOurs + ".norm2", kTheirs + "pre_feedforward_layernorm", How::plus_one);
  n.norm(kOurs + ".post_norm2", kTheirs + "post_feedforward_layernorm", How::plus_one);
  return n;
}

}  // namespace

std::vector<Family> llama_families() {
  const Json no = false, yes = true;
  const Fixed writes{"is_decoder", {no, yes}};  // they all are
  const std::vector<std::string> keys = words_in(
      "vocab_size hidden_size num_attention_heads num_key_value_heads head_dim num_hidden_layers intermediate_size "
      "rms_norm_eps hidden_act attention_bias mlp_bias rope_theta rope_scaling rope_parameters tie_word_embeddings "
      "max_position_embeddings partial_rotary_factor layer_types original_max_position_embeddings");
  const std::vector<Top> tops = {{"ForQuestionAnswering", "qa_outputs", Of::each, ""},
                                 {"ForTokenClassification", "score", Of::each},
                                 {"", "score", Of::last}};
  const std::string qwen = "sliding_window use_sliding_window max_window_layers",
                    gemma =
                        "hidden_activation query_pre_attn_scalar attn_logit_softcapping final_logit_softcapping "
                        "sliding_window sliding_window_size";
  // `more`: keys beside those of all.
  const auto row = [&](const char* type, const std::string& more, std::vector<Fixed> fixed,
                       Json (*settings)(const Json&), Names names) {
    std::vector<std::string> all = words_in(more);
    all.insert(all.end(), keys.begin(), keys.end());
    fixed.push_back(writes);
    return Family{{type},           {"model.", "transformer."}, all, fixed, settings,
                  std::move(names), {"rotary_emb.inv_freq"},    tops};
  };
  // Classes of EuroBERT, which reads in both directions.
  const auto eurobert = [&] {
    std::vector<std::string> all = words_in("classifier_pooling clf_pooling");
    all.insert(all.end(), keys.begin(), keys.end());
    Family family{{"eurobert"}, {"model."}, all, {}, eurobert_settings, eurobert_names(), {"rotary_emb.inv_freq"}, {}};
    family.tops = {{"ForQuestionAnswering", "qa_outputs", Of::each, ""},
                   {"ForTokenClassification", "classifier", Of::each},
                   {"", "classifier", Of::as_configured, "logits", "dense", Top::Act::gelu}};
    family.poolings = {"late", "bos", "mean"};
    return family;
  };
  const Fixed one_sided{"use_bidirectional_attention", {no}};
  return {
      row("llama", "", {{"rope_interleaved", {no}}}, llama_settings, llama_names()),
      row("mistral", "sliding_window", {}, mistral_settings, llama_names()),
      row("qwen2", qwen, {{"use_mrope", {no}}}, qwen2_settings, llama_names()),
      row("qwen3", qwen, {}, qwen3_settings, llama_names()),
      row("phi3", "sliding_window",
          {{"full_attn_mod", {1}}, {"interpolate_factor", {1}}, {"lm_head_bias", {no}}, {"mlp_bias", {no}}},
          phi3_settings, phi3_names()),
      row("gemma", "hidden_activation", {one_sided}, gemma_settings, first_gemma_names()),
      row("gemma2", gemma, {one_sided}, gemma2_settings, gemma_names()),
      row("gemma3_text", gemma + " rope_local_base_freq sliding_window_pattern _sliding_window_pattern", {one_sided},
          gemma3_settings, gemma_names()),
      eurobert(),
  };
}

}  // namespace headlight::families
