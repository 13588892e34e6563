// Decoders whose feed-forward networks are mixtures of experts, and those that keep latents.

#include <algorithm>
#include <cmath>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/formats/families/decoders.h"

namespace headlight::families {

namespace {

// Of several names for one number, those that are given must agree.
Index one_of(const Json& c, const std::vector<const char*>& keys, Index usual) {
  const char* first = nullptr;
  for (const char* key : keys) {
    if (!given(c, key)) continue;
    if (first && whole(c, first) != whole(c, key))
      throw FormatError(std::string(key) + ": expected " + shown(c.at(first)) + " as of " + first + ", found " +
                        shown(c.at(key)));
    if (!first) first = key;
  }
  return first ? whole(c, first) : usual;
}

// A key that is null is another thing than one that is missing.
Index whole_or_none(const Json& c, const char* key, Index usual) { return c.contains(key) ? whole(c, key, 0) : usual; }

struct UsualExperts {
  Index count = 8, chosen = 2;
  Index size = 0;  // of "moe_intermediate_size"; 0: "intermediate_size" is theirs
};
// The object "experts" of our settings.
Json experts_of(const Json& c, const char* router, const UsualExperts& usual) {
  const Index count = one_of(c, {"num_local_experts", "num_experts", "n_routed_experts"}, usual.count),
              chosen = whole(c, "num_experts_per_tok", usual.chosen);
  if (count < 1) throw FormatError("num_experts: expected at least 1 expert, found " + std::to_string(count));
  if (chosen < 1 || chosen > count)
    throw FormatError("num_experts_per_tok: expected from 1 to the " + std::to_string(count) + " experts, found " +
                      std::to_string(chosen));
  return {{"router", router},
          {"expert_count", count},
          {"experts_chosen", chosen},
          {"expert_size", usual.size > 0 ? whole(c, "moe_intermediate_size", usual.size) : 0}};
}

// Which layers have no experts, by a rule of a layer's number.
template <class Rule>
void set_dense(Json& s, const Rule& is_dense) {
  Json dense = Json::array();
  for (Index l = 0; l < std::min<Index>(s.at("decoder_layers").get<Index>(), 1024); ++l)
    dense.push_back(is_dense(l) ? 1 : 0);
  s["dense_layers"] = dense;
}

// Jiang et al. 2024.
Json mixtral_settings(const Json& c) {
  Json s = after_llama(c, {.key_value_heads = 8, .epsilon = 1e-5, .rope = {1'000'000}});
  s["ffn_bias"] = false;
  set_biases(s, false, false, false);
  set_windows(s, c, whole(c, "sliding_window", 0), every_layer);
  s["experts"] = experts_of(c, "softmax", {});
  s["experts"]["normalise_shares"] = true;
  return s;
}

// The layers of Qwen's mixtures that have experts.
void set_sparse_layers(Json& s, const Json& c) {
  const Index step = whole(c, "decoder_sparse_step", 1);
  if (step == 0) wrong("decoder_sparse_step", "a number above 0", c.at("decoder_sparse_step"));
  const Json dense = given(c, "mlp_only_layers") ? c.at("mlp_only_layers") : Json::array();
  if (!dense.is_array() || !std::ranges::all_of(dense, [](const Json& each) { return each.is_number_unsigned(); }))
    wrong("mlp_only_layers", "a list of layers", dense);
  set_dense(s, [&](Index l) {
    return (l + 1) % step != 0 || std::ranges::count(dense, Json(static_cast<std::uint64_t>(l))) > 0;
  });
}
bool even_of_first(const Json& c, Index layer) { return layer % 2 == 0 && layer < whole(c, "max_window_layers", 28); }

// Yang et al. 2024, section 2.2.2: one more expert for all tokens.
Json qwen2_moe_settings(const Json& c) {
  Json s = after_llama(c, {.key_value_heads = 16});
  set_biases(s, yes(c, "qkv_bias", true), false, false);
  const bool has_windows = yes(c, "use_sliding_window", false);
  set_windows(s, c, has_windows ? whole_or_none(c, "sliding_window", 4096) : 0, even_of_first);
  s["experts"] = experts_of(c, "softmax", {60, 4, 1408});
  s["experts"]["normalise_shares"] = yes(c, "norm_topk_prob", false);
  s["experts"]["shared_size"] = whole(c, "shared_expert_intermediate_size", 5632);
  s["experts"]["shared_gate"] = true;
  set_sparse_layers(s, c);
  return s;
}
// Yang et al. 2025.
Json qwen3_moe_settings(const Json& c) {
  Json s = after_llama(c, {.key_value_heads = 4});
  s["ffn_bias"] = false;
  s["qk_norm"] = true;
  const Index window = yes(c, "use_sliding_window", false) ? whole_or_none(c, "sliding_window", 4096) : 0;
  s["layer_windows"] = windows(
      std::vector<bool>(static_cast<std::size_t>(std::min<Index>(s.at("decoder_layers").get<Index>(), 1024)), true),
      window);
  s["experts"] = experts_of(c, "softmax", {128, 8, 768});
  s["experts"]["normalise_shares"] = yes(c, "norm_topk_prob", false);
  set_sparse_layers(s, c);
  return s;
}
// Muennighoff et al. 2024.
Json olmoe_settings(const Json& c) {
  Json s = after_llama(c, {.epsilon = 1e-5});
  s["ffn_bias"] = false;
  s["qk_norm"] = true;
  s["qk_norm_span"] = "whole";
  if (given(c, "clip_qkv")) s["clip_qkv"] = above_zero(c, "clip_qkv", 1);
  s["experts"] = experts_of(c, "softmax", {64, 8});
  s["experts"]["normalise_shares"] = yes(c, "norm_topk_prob", false);
  return s;
}
// Granite Team 2024.
Json granitemoe_settings(const Json& c) {
  Json s = granite_settings(c);
  s["ffn_bias"] = false;
  s["experts"] = experts_of(c, "softmax_of_chosen", {});
  return s;
}
bool even_layer(const Json&, Index layer) { return layer % 2 == 0; }
// OpenAI 2025: sinks, experts with biases and a bound.
Json gpt_oss_settings(const Json& given_config) {
  Json c = given_config;
  if (!given(c, "rope_scaling") && !given(c, "rope_parameters"))
    c["rope_scaling"] = {{"rope_type", "yarn"}, {"factor", 32.0},    {"beta_fast", 32.0},
                         {"beta_slow", 1.0},    {"truncate", false}, {"original_max_position_embeddings", 4096u}};
  if (!c.contains("head_dim")) c["head_dim"] = 64u;
  if (!c.contains("num_key_value_heads")) c["num_key_value_heads"] = 8u;
  c["hidden_act"] = "silu";  // the library does not read it here
  Json s = after_llama(c, {.epsilon = 1e-5, .rope = {150'000}});
  const bool bias = yes(c, "attention_bias", true);
  set_biases(s, bias, bias, false);
  s["attention_sinks"] = true;
  set_windows(s, c, whole_or_none(c, "sliding_window", 128), even_layer);
  Json experts = experts_of(c, "softmax_of_chosen", {128, 4});
  experts["router_bias"] = experts["expert_bias"] = true;
  experts["gate_limit"] = above_zero(c, "swiglu_limit", 7);
  experts["gate_alpha"] = above_zero(c, "swiglu_alpha", 1.702);
  s["experts"] = experts;
  return s;
}

// Groups of experts, where there are any; each of at least so many.
void set_groups(Json& experts, const Json& c, Index groups, Index kept, Index least) {
  const Index count = experts.at("expert_count").get<Index>(), chosen = experts.at("experts_chosen").get<Index>();
  const Index all = whole(c, "n_group", groups), some = whole(c, "topk_group", kept);
  if (all < 1 || count % all != 0)
    throw FormatError("n_group: expected a divisor of the " + std::to_string(count) + " experts, found " +
                      std::to_string(all));
  if (all > 1 && count / all < least)
    throw FormatError("n_group: expected groups of at least " + std::to_string(least) + " experts, found " +
                      std::to_string(all) + " groups of " + std::to_string(count));
  if (some < 1 || some > all)
    throw FormatError("topk_group: expected from 1 to the " + std::to_string(all) + " groups, found " +
                      std::to_string(some));
  if (chosen > count / all * some)
    throw FormatError("topk_group: expected groups with the " + std::to_string(chosen) +
                      " experts of num_experts_per_tok, found " + std::to_string(some) + " of " +
                      std::to_string(count / all));
  experts["expert_groups"] = all;
  experts["expert_groups_kept"] = some;
}
// Experts of DeepSeek-V3 (DeepSeek-AI 2024), which GLM-4.5 has too.
struct UsualOfGroups {
  UsualExperts experts;
  Index groups, kept, dense;
  double scale;
};
void set_corrected_experts(Json& s, const Json& c, const UsualOfGroups& usual) {
  Json experts = experts_of(c, "sigmoid", usual.experts);
  experts["router_correction"] = true;
  experts["normalise_shares"] = yes(c, "norm_topk_prob", true);
  experts["share_scale"] = real(c, "routed_scaling_factor", usual.scale);
  experts["shared_size"] = whole_or_none(c, "n_shared_experts", 1) * experts.at("expert_size").get<Index>();
  set_groups(experts, c, usual.groups, usual.kept, 2);
  s["experts"] = experts;
  set_dense(s, [dense = whole(c, "first_k_dense_replace", usual.dense)](Index l) { return l < dense; });
}

// Latent attention: keys and values of all heads from one row of kv_lora_rank numbers.
Json latent_settings(const Json& given_config, const char* pairs) {
  Json c = given_config;
  const Index heads = whole(c, "num_attention_heads"), rope = whole(c, "qk_rope_head_dim", 64),
              size = whole(c, "qk_nope_head_dim", 128) + rope;
  for (const auto& [key, expected] :
       {std::pair("head_dim", rope), {"qk_head_dim", size}, {"num_key_value_heads", heads}})
    if (given(c, key) && whole(c, key) != expected)
      throw FormatError(std::string(key) + ": expected " + std::to_string(expected) + ", found " + shown(c.at(key)));
  if (rope < 2 || rope % 2 != 0)
    throw FormatError("qk_rope_head_dim: expected an even number from 2 on, found " + std::to_string(rope));
  c.erase("num_key_value_heads");
  c["head_dim"] = static_cast<std::uint64_t>(size);
  Json s = decoder_settings(c, size, activation(c, "hidden_act", "silu").c_str(), false);
  s["ffn_bias"] = false;
  const Rope rotation = rope_of(c, {});
  refuse_share(rotation);
  set_rope(s, rotation, rope);
  s["rotary_pairs"] = pairs;
  s["latent"] = {{"latent_size", whole(c, "kv_lora_rank", 512)},
                 {"query_latent_size", whole_or_none(c, "q_lora_rank", 1536)},
                 {"value_size", whole(c, "v_head_dim", 128)}};
  // Scores are sharper in texts that are longer than those that it learned from (Peng et al. 2023, section 3.4).
  double sharper = 1;
  for (const char* key : {"rope_scaling", "rope_parameters"})
    if (given(c, key) && !rotation.scaling.empty()) {
      const double factor = real(c.at(key), "factor", 1), all = real(c.at(key), "mscale_all_dim", 0);
      if (all != 0 && factor > 1) sharper = 0.1 * all * std::log(factor) + 1;
    }
  s["score_scale"] = sharper * sharper / std::sqrt(static_cast<double>(size));
  return s;
}
// DeepSeek-AI 2024.
Json deepseek_v3_settings(const Json& c) {
  Json s = latent_settings(c, yes(c, "rope_interleave", true) ? "neighbours_apart" : "halves");
  set_corrected_experts(s, c, {{256, 8, 2048}, 8, 4, 3, 2.5});
  return s;
}
Json deepseek_v2_settings(const Json& c) {
  Json s = latent_settings(c, "neighbours");
  Json experts = experts_of(c, "softmax", {64, whole(c, "num_experts_per_tok"), 1407});
  experts["share_scale"] = real(c, "routed_scaling_factor", 1);
  experts["shared_size"] = whole_or_none(c, "n_shared_experts", 2) * experts.at("expert_size").get<Index>();
  if (text(c, "topk_method", "greedy") == "group_limited_greedy") set_groups(experts, c, 1, 1, 1);
  s["experts"] = experts;
  set_dense(s, [dense = whole(c, "first_k_dense_replace", 0)](Index l) { return l < dense; });
  return s;
}
// GLM-4.5 Team 2025.
Json glm4_moe_settings(const Json& c) {
  Json s = after_llama(c, {.key_value_heads = 8, .epsilon = 1e-5, .rope = {.share = 0.5}, .in_part = true});
  set_biases(s, yes(c, "attention_bias", false), false, false);
  s["qk_norm"] = yes(c, "use_qk_norm", false);
  set_corrected_experts(s, c, {{128, 8, 1408}, 1, 1, 1, 1});
  return s;
}
// Abdin et al. 2024.
Json phimoe_settings(const Json& given_config) {
  Json c = given_config;
  double near = 0, far = 0;
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (!given(c, key) || !c.at(key).is_object()) continue;
    near = real(c.at(key), "short_mscale", near);
    far = real(c.at(key), "long_mscale", far);
    for (const char* own : {"short_mscale", "long_mscale"}) c[key].erase(own);
  }
  if (!(near >= 0 && far >= 0)) throw FormatError("rope_scaling: short_mscale, long_mscale: expected numbers above 0");
  Json s = after_llama(c, {.key_value_heads = 8, .epsilon = 1e-5, .rope = {1'000'000}, .layer_norm = true});
  s["ffn_bias"] = false;
  if (Json& scaling = s["rotary_scaling"]; scaling.value("type", "") == "longrope") {
    if (near > 0) scaling["attention"] = near;
    if (far > 0) scaling["long_attention"] = far;
  }
  set_windows(s, c, whole(c, "sliding_window", 0), every_layer);
  s["output_bias"] = yes(c, "lm_head_bias", false) ? "yes" : "no";
  s["experts"] = experts_of(c, "rounds", {16, 2});
  const double noise = real(c, "router_jitter_noise", 0.01);
  if (!(noise >= 0)) wrong("router_jitter_noise", "a number from 0 on", c.at("router_jitter_noise"));
  s["experts"]["router_noise"] = 2 * noise;
  if (s["experts"]["experts_chosen"] != 2)
    throw FormatError("num_experts_per_tok: expected 2, for this family chooses in two rounds, found " +
                      shown(s["experts"]["experts_chosen"]));
  return s;
}

const std::string kNetwork = kOurLayer + ".ffn", kExpert = kNetwork + ".expert[@]";

// A tensor for each matrix of each expert.
Names& add_experts(Names& n, const std::string& place, const char* gate, const char* up, const char* down) {
  const std::string each = kLlamaLayer + place + ".experts.@.";
  n.one(kNetwork + ".router.W", kLlamaLayer + place + ".gate.weight", How::transposed);
  return n.linear(kExpert, "_gate", each + gate).linear(kExpert, "1", each + up).linear(kExpert, "2", each + down);
}
// One for all experts, as GGUF files have them.
Names& add_stacked(Names& n, const std::string& place) {
  const std::string each = kLlamaLayer + place + ".experts.";
  n.one(kExpert + ".W_gate", each + "gate_proj.weight[@]", How::transposed);
  n.one(kExpert + ".W1", each + "up_proj.weight[@]", How::transposed);
  return n.one(kExpert + ".W2", each + "down_proj.weight[@]", How::transposed);
}
Names& add_shared(Names& n, const std::string& name) {
  const std::string theirs = kLlamaLayer + "mlp." + name + ".", ours = kNetwork + ".shared";
  return n.linear(ours, "_gate", theirs + "gate_proj")
      .linear(ours, "1", theirs + "up_proj")
      .linear(ours, "2", theirs + "down_proj");
}
Names mixtral_names() {
  Names n = llama_names();
  add_experts(n, "block_sparse_moe", "w1", "w3", "w2");
  add_stacked(n, "block_sparse_moe");
  return n.one("output.b", "lm_head.bias");
}
Names moe_names() {
  Names n = llama_names();
  add_experts(n, "mlp", "gate_proj", "up_proj", "down_proj");
  add_stacked(n, "mlp");
  n.one(kNetwork + ".router.correction", kLlamaLayer + "mlp.gate.e_score_correction_bias");
  n.one(kNetwork + ".router.W_shared", kLlamaLayer + "mlp.shared_expert_gate.weight", How::transposed);
  add_shared(n, "shared_expert");
  return add_shared(n, "shared_experts");
}
Names deepseek_names() {
  Names n = moe_names();
  const std::string ours = kOurLayer + ".self_attn", theirs = kLlamaLayer + "self_attn.";
  n.linear(ours, "_q_a", theirs + "q_a_proj").linear(ours, "_q_b", theirs + "q_b_proj");
  n.linear(ours, "_kv_a", theirs + "kv_a_proj_with_mqa").linear(ours, "_kv_b", theirs + "kv_b_proj");
  n.norm(ours + ".q_norm", theirs + "q_a_layernorm").norm(ours + ".kv_norm", theirs + "kv_a_layernorm");
  return n;
}
Names granitemoe_names() {
  Names n = llama_names();
  const std::string theirs = kLlamaLayer + "block_sparse_moe.";
  n.one(kNetwork + ".router.W", theirs + "router.layer.weight", How::transposed);
  n.one(kExpert + ".W_gate", theirs + "input_linear.weight[@]", How::first_rows);
  n.one(kExpert + ".W1", theirs + "input_linear.weight[@]", How::last_rows);
  n.one(kExpert + ".W2", theirs + "output_linear.weight[@]", How::transposed);
  return add_stacked(n, "block_sparse_moe");
}
Names gpt_oss_names() {
  Names n = llama_names();
  const std::string theirs = kLlamaLayer + "mlp.", both = theirs + "experts.gate_up_proj",
                    down = theirs + "experts.down_proj";
  n.linear(kNetwork + ".router", "", theirs + "router")
      .one(kOurLayer + ".self_attn.sinks", kLlamaLayer + "self_attn.sinks");
  n.one(kExpert + ".W_gate", both + "[@]", How::even_columns).one(kExpert + ".W1", both + "[@]", How::odd_columns);
  n.one(kExpert + ".W_gate", both + "_blocks[@]", How::even_rows)
      .one(kExpert + ".W1", both + "_blocks[@]", How::odd_rows);
  n.one(kExpert + ".b_gate", both + "_bias[@]", How::even_columns)
      .one(kExpert + ".b1", both + "_bias[@]", How::odd_columns);
  n.one(kExpert + ".W2", down + "[@]").one(kExpert + ".W2", down + "_blocks[@]", How::transposed);
  n.one(kExpert + ".b2", down + "_bias[@]");
  const std::string each = theirs + "experts.";
  n.one(kExpert + ".b_gate", each + "gate_proj.bias[@]").one(kExpert + ".b1", each + "up_proj.bias[@]");
  return add_stacked(n, "mlp").one(kExpert + ".b2", each + "down_proj.bias[@]");
}

constexpr const char kQwen[] =
    "num_experts num_local_experts num_experts_per_tok norm_topk_prob moe_intermediate_size decoder_sparse_step "
    "mlp_only_layers use_sliding_window sliding_window max_window_layers ";
constexpr const char kDeepseek[] =
    "n_routed_experts num_experts num_local_experts num_experts_per_tok n_shared_experts moe_intermediate_size "
    "norm_topk_prob routed_scaling_factor n_group topk_group topk_method first_k_dense_replace attention_bias "
    "num_nextn_predict_layers num_mtp_layers ep_size seq_aux aux_loss_alpha ";
constexpr const char kLatent[] =
    "q_lora_rank kv_lora_rank qk_nope_head_dim qk_rope_head_dim qk_head_dim v_head_dim rope_interleave ";

}  // namespace

std::vector<Family> decoders_with_experts() {
  const Json no = false;
  const Fixed no_mlp_bias{"mlp_bias", {no}}, usual_layers{"moe_layer_freq", {1}};
  const std::string latents = std::string(kDeepseek) + kLatent,
                    qwen2 = std::string(kQwen) + "shared_expert_intermediate_size qkv_bias layer_types",
                    qwen3 = std::string(kQwen) + "attention_bias";
  std::vector<Family> all = decoder_rows({
      {"mixtral",
       "num_local_experts num_experts num_experts_per_tok sliding_window router_jitter_noise",
       {},
       mixtral_settings,
       mixtral_names()},
      {"qwen2_moe", qwen2.c_str(), {}, qwen2_moe_settings, moe_names()},
      {"qwen3_moe", qwen3.c_str(), {}, qwen3_moe_settings, moe_names()},
      {"olmoe",
       "num_experts num_local_experts num_experts_per_tok norm_topk_prob clip_qkv attention_bias",
       {},
       olmoe_settings,
       moe_names()},
      {"granitemoe",
       "num_local_experts num_experts num_experts_per_tok attention_bias embedding_multiplier attention_multiplier "
       "residual_multiplier logits_scaling",
       {},
       granitemoe_settings,
       granitemoe_names()},
      {"gpt_oss",
       "num_local_experts num_experts num_experts_per_tok experts_per_token attention_bias sliding_window layer_types "
       "swiglu_limit swiglu_alpha initial_context_length",
       {},
       gpt_oss_settings,
       gpt_oss_names()},
      {"deepseek_v3",
       latents.c_str(),
       {{"scoring_func", {"sigmoid"}}, {"topk_method", {"noaux_tc"}}, usual_layers, no_mlp_bias},
       deepseek_v3_settings,
       deepseek_names()},
      {"deepseek_v2",
       latents.c_str(),
       {{"scoring_func", {"softmax"}}, {"topk_method", {"greedy", "group_limited_greedy"}}, usual_layers, no_mlp_bias},
       deepseek_v2_settings,
       deepseek_names()},
      {"glm4_moe", (std::string(kDeepseek) + "use_qk_norm").c_str(), {no_mlp_bias}, glm4_moe_settings, moe_names()},
      {"phimoe",
       "num_local_experts num_experts num_experts_per_tok sliding_window router_jitter_noise input_jitter_noise "
       "attention_bias lm_head_bias",
       {},
       phimoe_settings,
       mixtral_names()},
  });
  // Layers behind the last predict more tokens, and were trained beside the model.
  for (Family& family : all) family.keys.emplace_back("rms_norm_eps");
  for (Family& family : all)
    for (const char* type : {"deepseek_v2", "deepseek_v3", "glm4_moe"})
      if (family.types[0] == type) family.further_layers = true;
  return all;
}

}  // namespace headlight::families
