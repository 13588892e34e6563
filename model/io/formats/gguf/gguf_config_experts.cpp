// config.json of mixtures of experts.

#include <algorithm>

#include "model/io/formats/gguf/gguf_architecture.h"
#include "model/io/formats/gguf/gguf_keys.h"

namespace headlight::gguf {

namespace {

// Of the stacked matrices of all experts.
std::uint64_t rows_of_experts(const GgufFile& file) {
  const TensorEntry* entry = tensor(file, "blk.0.ffn_up_exps.weight");
  return entry && entry->shape.size() == 3 ? entry->shape[1] : 0;
}
void add_qwen_heads(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  c["use_sliding_window"] = false;
  add_heads(file, c);
}
// Qwen's, whose layers may be without experts.
void add_sparse_layers(const GgufFile& file, Json& c) {
  add_experts(file, c, "num_experts");
  c["moe_intermediate_size"] = whole(file, "expert_feed_forward_length", rows_of_experts(file));
  c["mlp_only_layers"] = Json::array();
  for (std::uint64_t l = 0; l < std::min<std::uint64_t>(1024, c.at("num_hidden_layers")); ++l)
    if (!tensor(file, "blk." + std::to_string(l) + ".ffn_gate_inp.weight")) c["mlp_only_layers"].push_back(l);
}
void add_qwen2_moe(const GgufFile& file, Json& c) {
  add_qwen_heads(file, c);
  c.erase("head_dim");
  add_sparse_layers(file, c);
  c["norm_topk_prob"] = false;
  c["qkv_bias"] = has(file, "blk.0.attn_q.bias");
  c["shared_expert_intermediate_size"] = rows(file, "blk.0.ffn_up_shexp.weight");
}
void add_qwen3_moe(const GgufFile& file, Json& c) {
  add_qwen_heads(file, c);
  add_sparse_layers(file, c);
  c["norm_topk_prob"] = true;
}
void add_olmoe(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  add_experts(file, c, "num_experts");
  c["norm_topk_prob"] = false;
  if (const auto clip = real(file, "attention.clamp_kqv"); clip && *clip > 0) c["clip_qkv"] = *clip;
}
// As DeepSeek and GLM route: some layers without experts, experts for all tokens, a factor for the others.
void add_routed(const GgufFile& file, Json& c) {
  add_experts(file, c, "n_routed_experts");
  c["moe_intermediate_size"] = whole(file, "expert_feed_forward_length");
  c["n_shared_experts"] = whole(file, "expert_shared_count", 0);
  c["first_k_dense_replace"] = whole(file, "leading_dense_block_count", 0);
  c["norm_topk_prob"] = file.truth(key_of(file, "expert_weights_norm")).value_or(false);
  const double factor = real(file, "expert_weights_scale").value_or(1);
  c["routed_scaling_factor"] = factor > 0 ? factor : 1.0;
  c["n_group"] = whole(file, "expert_group_count", 1);
  c["topk_group"] = whole(file, "expert_group_used_count", 1);
  // Layers behind the last, which guess a second token, do not run.
  const std::uint64_t layers = c.at("num_hidden_layers"), guessing = whole(file, "nextn_predict_layers", 0);
  c["num_hidden_layers"] = layers - std::min(layers, guessing);
}
void add_glm4_moe(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  add_heads(file, c);
  add_routed(file, c);
  c["attention_bias"] = has(file, "blk.0.attn_q.bias");
  c["use_qk_norm"] = has(file, "blk.0.attn_q_norm.weight");
}
void add_deepseek2(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_routed(file, c);
  constexpr std::uint64_t kSigmoid = 2;
  if (whole(file, "expert_gating_func", 1) != kSigmoid) {
    c["model_type"] = "deepseek_v2";
    c["topk_method"] = c["n_group"] > 1 ? "group_limited_greedy" : "greedy";
  }
  c["num_key_value_heads"] = heads(file);
  c.erase("head_dim");
  c["kv_lora_rank"] = whole(file, "attention.kv_lora_rank");
  if (const std::uint64_t rank = whole(file, "attention.q_lora_rank", 0); rank > 0) {
    c["q_lora_rank"] = rank;
  } else {
    c["q_lora_rank"] = nullptr;
  }
  const std::uint64_t keys = whole(file, "attention.key_length_mla", whole(file, "attention.key_length")),
                      turned = whole(file, "rope.dimension_count");
  if (turned >= keys)
    file.fail(key_of(file, "rope.dimension_count"),
              "expected less than the " + std::to_string(keys) + " of a key, found " + std::to_string(turned));
  c["qk_rope_head_dim"] = turned;
  c["qk_nope_head_dim"] = keys - turned;
  c["v_head_dim"] = whole(file, "attention.value_length_mla", whole(file, "attention.value_length"));
  c["rope_theta"] = real(file, "rope.freq_base").value_or(10'000);
  Json scaling = rope_scaling(file, whole(file, "context_length", 2048));
  if (scaling.is_null()) return;
  if (const auto times = real(file, "rope.scaling.yarn_log_multiplier"); times && *times > 0)
    scaling["mscale"] = scaling["mscale_all_dim"] = 10 * *times;
  c["rope_scaling"] = std::move(scaling);
}
void add_phimoe(const GgufFile& file, Json& c) {
  c["rms_norm_eps"] = real(file, "attention.layer_norm_rms_epsilon").value_or(1e-5);
  add_rope(file, c);
  add_heads(file, c);
  c.erase("head_dim");
  add_experts(file, c, "num_local_experts");
  c["attention_bias"] = has(file, "blk.0.attn_q.bias");
  c["lm_head_bias"] = has(file, "output.bias");
  if (!c.contains("rope_scaling")) return;
  Json& scaling = c["rope_scaling"];
  if (scaling.at("rope_type") != "longrope") return;
  scaling["short_mscale"] = scaling["long_mscale"] = scaling["attention_factor"];
  scaling.erase("attention_factor");
}
void add_gpt_oss(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  add_heads(file, c);
  add_experts(file, c, "num_local_experts");
  c["intermediate_size"] = whole(file, "expert_feed_forward_length", c.at("intermediate_size").get<std::uint64_t>());
  c["attention_bias"] = has(file, "blk.0.attn_q.bias");
  if (c.contains("rope_scaling") && c["rope_scaling"].at("rope_type") == "yarn") c["rope_scaling"]["truncate"] = false;
  if (!c.contains("rope_scaling"))
    c["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", c.at("rope_theta")}};
  c["sliding_window"] = whole(file, "attention.sliding_window", 128);
}
void add_granite_moe(const GgufFile& file, Json& c) {
  add_granite(file, c);
  c["model_type"] = "granitemoe";  // not Mixtral, as llama with experts is
}

constexpr Configure kConfigures[] = {{"qwen2moe", add_qwen2_moe}, {"qwen3moe", add_qwen3_moe},
                                     {"olmoe", add_olmoe},        {"granitemoe", add_granite_moe},
                                     {"phimoe", add_phimoe},      {"deepseek2", add_deepseek2},
                                     {"glm4moe", add_glm4_moe},   {"gpt-oss", add_gpt_oss}};

}  // namespace

void add_experts(const GgufFile& file, Json& c, const char* count) {
  c[count] = whole(file, "expert_count");
  c["num_experts_per_tok"] = whole(file, "expert_used_count");
}

std::span<const Configure> configures_of_experts() { return kConfigures; }

}  // namespace headlight::gguf
