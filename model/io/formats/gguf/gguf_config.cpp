// config.json of the folder that a GGUF file was made from, out of its metadata.

#include <algorithm>
#include <cmath>
#include <set>

#include "model/io/formats/gguf/gguf_architecture.h"

namespace headlight::gguf {

namespace {

constexpr std::uint64_t kMost = 10'000'000;  // of anything that is counted

// --- what a file says, with the name of its key in every message ---

std::uint64_t whole(const GgufFile& file, const char* key, std::optional<std::uint64_t> fallback = {}) {
  const std::string full = key_of(file, key);
  const auto found = file.whole(full);
  if (!found && !fallback) file.fail(full, "missing");
  if (found.value_or(0) > kMost)
    file.fail(full, "expected at most " + std::to_string(kMost) + ", found " + std::to_string(*found));
  return found ? *found : *fallback;
}
std::optional<double> real(const GgufFile& file, const char* key) { return file.real(key_of(file, key)); }

// One number, or one for each layer, which have to be the same.
std::uint64_t whole_of_layers(const GgufFile& file, const char* key, std::optional<std::uint64_t> fallback = {}) {
  const std::string full = key_of(file, key);
  if (!file.is_array(full)) return whole(file, key, fallback);
  const std::vector<double> all = file.numbers(full);
  if (all.empty() || all.front() < 0 || all.front() > static_cast<double>(kMost))
    file.fail(full, "expected a number for each layer");
  if (std::ranges::any_of(all, [&](double each) { return each != all.front(); }))
    file.fail(full, "layers of different numbers are not implemented");
  return static_cast<std::uint64_t>(all.front());
}

const TensorEntry* tensor(const GgufFile& file, const std::string& name) {
  const auto found = file.find_tensor(name);
  return found ? &file.tensors()[*found] : nullptr;
}
bool has(const GgufFile& file, const char* name) { return tensor(file, name) != nullptr; }
std::uint64_t rows(const GgufFile& file, const std::string& name) {
  const TensorEntry* entry = tensor(file, name);
  if (!entry || entry->shape.size() != 2)
    throw FormatError(file.where() + ": the tensor \"" + name + "\" is missing, or no matrix");
  return entry->shape.front();
}
// Of the stacked matrices of all experts.
std::uint64_t rows_of_experts(const GgufFile& file) {
  const TensorEntry* entry = tensor(file, "blk.0.ffn_up_exps.weight");
  return entry && entry->shape.size() == 3 ? entry->shape[1] : 0;
}
std::uint64_t heads(const GgufFile& file) {
  const std::uint64_t count = whole_of_layers(file, "attention.head_count");
  if (count == 0) file.fail(key_of(file, "attention.head_count"), "expected at least 1, found 0");
  return count;
}
std::uint64_t head_size(const GgufFile& file) {
  const std::uint64_t width = whole(file, "embedding_length"), count = heads(file);
  if (!file.has(key_of(file, "attention.key_length")) && width % count != 0)
    file.fail(key_of(file, "attention.head_count"),
              std::to_string(count) + " heads do not divide the width " + std::to_string(width));
  const std::uint64_t size = whole(file, "attention.key_length", width / count);
  if (const std::uint64_t values = whole(file, "attention.value_length", size); values != size)
    file.fail(key_of(file, "attention.value_length"),
              "expected " + std::to_string(size) + ", as keys have, found " + std::to_string(values));
  return size;
}
Json factors(const GgufFile& file, const char* name) {
  const std::size_t i = *file.find_tensor(name);
  const TensorEntry& entry = file.tensors()[i];
  if (entry.dtype != "F32" || entry.count() > 4096)
    throw FormatError(file.where() + ": tensor \"" + name + "\": expected factors of type F32, found " + entry.dtype +
                      " " + shape_text(entry.shape));
  std::vector<float> values(static_cast<std::size_t>(entry.count()));
  file.read(i, 0, values.data(), values.size() * sizeof(float));
  return values;
}

// --- what decoders have in common ---

// Frequencies that are divided, as rope_scaling says it.
Json rope_scaling(const GgufFile& file, std::uint64_t context) {
  const auto original = [&] { return whole(file, "rope.scaling.original_context_length", context); };
  if (has(file, "rope_freqs.weight")) {  // llama3: the same factors for texts of every length
    const Json all = factors(file, "rope_freqs.weight");
    return {{"rope_type", "longrope"},
            {"short_factor", all},
            {"long_factor", all},
            {"attention_factor", 1.0},
            {"original_max_position_embeddings", context}};
  }
  if (has(file, "rope_factors_long.weight") && has(file, "rope_factors_short.weight"))
    return {{"rope_type", "longrope"},
            {"short_factor", factors(file, "rope_factors_short.weight")},
            {"long_factor", factors(file, "rope_factors_long.weight")},
            {"attention_factor", real(file, "rope.scaling.attn_factor").value_or(1)},
            {"original_max_position_embeddings", original()}};
  const std::string key = key_of(file, "rope.scaling.type"), type = file.text(key).value_or("none");
  if (type == "none") return nullptr;
  const double factor = real(file, "rope.scaling.factor").value_or(1);
  if (type == "linear") return {{"rope_type", "linear"}, {"factor", factor}};
  if (type != "yarn") file.fail(key, "the scaling \"" + type.substr(0, 60) + "\" is not implemented");
  return {{"rope_type", "yarn"},
          {"factor", factor},
          {"original_max_position_embeddings", original()},
          {"beta_fast", real(file, "rope.scaling.yarn_beta_fast").value_or(32)},
          {"beta_slow", real(file, "rope.scaling.yarn_beta_slow").value_or(1)}};
}

// With the share of each head that is turned, under the key of the family.
void add_rope(const GgufFile& file, Json& c, const char* share = "partial_rotary_factor") {
  c["rope_theta"] = real(file, "rope.freq_base").value_or(10'000);
  const std::uint64_t size = head_size(file), turned = whole(file, "rope.dimension_count", size);
  if (turned > size)
    file.fail(key_of(file, "rope.dimension_count"),
              "expected at most " + std::to_string(size) + " of a head, found " + std::to_string(turned));
  c[share] = static_cast<double>(turned) / static_cast<double>(size);
  if (Json scaling = rope_scaling(file, whole(file, "context_length", 2048)); !scaling.is_null())
    c["rope_scaling"] = std::move(scaling);
}

// Names of keys as most of the library's configurations have them.
Json base_config(const GgufFile& file, const char* type) {
  const std::uint64_t count = heads(file), width = whole(file, "embedding_length"), size = head_size(file);
  Json c{{"model_type", type},
         {"vocab_size", rows(file, "token_embd.weight")},
         {"hidden_size", width},
         {"num_attention_heads", count},
         {"num_hidden_layers", whole(file, "block_count")},
         {"intermediate_size", whole_of_layers(file, "feed_forward_length")},
         {"max_position_embeddings", whole(file, "context_length", 2048)},
         {"tie_word_embeddings", !has(file, "output.weight")}};
  const std::uint64_t of_keys = whole_of_layers(file, "attention.head_count_kv", count);
  if (of_keys == 0 || count % of_keys != 0)
    file.fail(key_of(file, "attention.head_count_kv"),
              "expected a number that divides " + std::to_string(count) + " heads, found " + std::to_string(of_keys));
  if (of_keys != count) c["num_key_value_heads"] = of_keys;
  if (size * count != width) c["head_dim"] = size;
  return c;
}
void add_rms(const GgufFile& file, Json& c) {
  c["rms_norm_eps"] = real(file, "attention.layer_norm_rms_epsilon").value_or(1e-6);
}
void add_layer_norm(const GgufFile& file, Json& c, const char* key = "layer_norm_eps") {
  c[key] = real(file, "attention.layer_norm_epsilon").value_or(1e-5);
}
void add_biases(const GgufFile& file, Json& c) {
  c["attention_bias"] = has(file, "blk.0.attn_q.bias");
  c["mlp_bias"] = has(file, "blk.0.ffn_up.bias");
}
// Where the family has others than as many as heads, and than the width allows, if a configuration leaves them out.
void add_heads(const GgufFile& file, Json& c) {
  c["num_key_value_heads"] = c.value("num_key_value_heads", heads(file));
  c["head_dim"] = head_size(file);
}
// Which layers have a window, where every nth is without one unless the file says it otherwise.
void add_windows(const GgufFile& file, Json& c, std::uint64_t every) {
  const std::string key = key_of(file, "attention.sliding_window_pattern");
  const std::uint64_t window = whole(file, "attention.sliding_window", 0), layers = c.at("num_hidden_layers");
  std::vector<double> said;
  if (file.has(key)) {
    said = file.numbers(key);
    if (!file.is_array(key) && said.front() >= 1) every = static_cast<std::uint64_t>(said.front());
    if (file.is_array(key) && said.size() < layers)
      file.fail(key, "expected a value for each of " + std::to_string(layers) + " layers, found " +
                         std::to_string(said.size()));
  }
  if (layers > 1024) return;  // the tensors are not there
  Json types = Json::array();
  for (std::uint64_t l = 0; l < layers; ++l) {
    const bool local = file.is_array(key) ? said[static_cast<std::size_t>(l)] != 0 : (l + 1) % every != 0;
    types.push_back(window > 0 && local ? "sliding_attention" : "full_attention");
  }
  c["layer_types"] = std::move(types);
  if (window > 0) c["sliding_window"] = window;
}

// Of a mixture, under the names of its family.
void add_experts(const GgufFile& file, Json& c, const char* count) {
  c[count] = whole(file, "expert_count");
  c["num_experts_per_tok"] = whole(file, "expert_used_count");
}
void add_llama(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  if (whole(file, "expert_count", 0) == 0) return add_biases(file, c);
  c["model_type"] = "mixtral";
  add_heads(file, c);
  add_experts(file, c, "num_local_experts");
}
void add_qwen(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  c["use_sliding_window"] = false;
}
void add_qwen3(const GgufFile& file, Json& c) {
  add_qwen(file, c);
  c["head_dim"] = head_size(file);
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
  add_qwen(file, c);
  add_heads(file, c);
  c.erase("head_dim");
  add_sparse_layers(file, c);
  c["norm_topk_prob"] = false;
  c["qkv_bias"] = has(file, "blk.0.attn_q.bias");
  c["shared_expert_intermediate_size"] = rows(file, "blk.0.ffn_up_shexp.weight");
}
void add_qwen3_moe(const GgufFile& file, Json& c) {
  add_qwen(file, c);
  add_heads(file, c);
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
void add_phi3(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  if (c.contains("rope_scaling") && c["rope_scaling"].contains("original_max_position_embeddings"))
    c["original_max_position_embeddings"] = c["rope_scaling"]["original_max_position_embeddings"];
  c["sliding_window"] = nullptr;  // written, and not used
}
void add_gemma(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  c["head_dim"] = head_size(file);
  c["hidden_activation"] = "gelu_pytorch_tanh";
}
// The square of what scores are divided by: of the largest of each generation another one.
void add_score_scale(const GgufFile& file, Json& c, std::uint64_t largest) {
  const double width = static_cast<double>(whole(file, "embedding_length"));
  c["query_pre_attn_scalar"] = c.at("num_hidden_layers") == largest ? width / static_cast<double>(heads(file))
                                                                    : static_cast<double>(head_size(file));
  if (const auto scale = real(file, "attention.scale"); scale && *scale > 0)
    c["query_pre_attn_scalar"] = 1 / (*scale * *scale);
}
void add_gemma2(const GgufFile& file, Json& c) {
  add_gemma(file, c);
  add_score_scale(file, c, 46);
  for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"})
    if (const auto cap = real(file, key)) c[key] = *cap;
  add_windows(file, c, 2);
}
void add_gemma3(const GgufFile& file, Json& c) {
  add_gemma(file, c);
  add_score_scale(file, c, 62);
  if (const auto cap = real(file, "final_logit_softcapping")) c["final_logit_softcapping"] = *cap;
  c["rope_theta"] = real(file, "rope.freq_base").value_or(1'000'000);
  c["rope_local_base_freq"] = real(file, "rope.freq_base_swa").value_or(10'000);
  add_windows(file, c, 6);
}
void add_gpt2(const GgufFile& file, Json& c) {
  c = {{"model_type", c.at("model_type")},
       {"vocab_size", c.at("vocab_size")},
       {"n_embd", c.at("hidden_size")},
       {"n_head", c.at("num_attention_heads")},
       {"n_layer", c.at("num_hidden_layers")},
       {"n_inner", rows(file, "blk.0.ffn_up.weight")},
       {"n_positions", rows(file, "position_embd.weight")},
       {"tie_word_embeddings", c.at("tie_word_embeddings")}};
  add_layer_norm(file, c, "layer_norm_epsilon");
}
void add_neox(const GgufFile& file, Json& c) {
  add_layer_norm(file, c);
  add_rope(file, c, "rotary_pct");
  c["use_parallel_residual"] = file.truth(key_of(file, "use_parallel_residual")).value_or(true);
}
void add_bert(const GgufFile& file, Json& c) {
  c["architectures"] = {"BertModel"};  // states, no head
  c["type_vocab_size"] = rows(file, "token_types.weight");
  c["max_position_embeddings"] = rows(file, "position_embd.weight");
  c.erase("tie_word_embeddings");
  add_layer_norm(file, c);
}
void add_t5(const GgufFile& file, Json& c) {
  const bool gated = has(file, "enc.blk.0.ffn_gate.weight");
  c = {{"model_type", "t5"},
       {"vocab_size", c.at("vocab_size")},
       {"d_model", c.at("hidden_size")},
       {"d_kv", head_size(file)},
       {"d_ff", c.at("intermediate_size")},
       {"num_heads", c.at("num_attention_heads")},
       {"num_layers", c.at("num_hidden_layers")},
       {"num_decoder_layers", whole(file, "decoder_block_count", c.at("num_hidden_layers").get<std::uint64_t>())},
       {"relative_attention_num_buckets", whole(file, "attention.relative_buckets_count", 32)},
       {"layer_norm_epsilon", real(file, "attention.layer_norm_rms_epsilon").value_or(1e-6)},
       {"feed_forward_proj", gated ? "gated-gelu" : "relu"},
       {"tie_word_embeddings", c.at("tie_word_embeddings")}};
}
void add_phi2(const GgufFile& file, Json& c) {
  add_layer_norm(file, c);
  add_rope(file, c);
  c["hidden_act"] = "gelu_new";
}
void add_starcoder2(const GgufFile& file, Json& c) {
  add_layer_norm(file, c, "norm_epsilon");
  add_rope(file, c);
  add_heads(file, c);
  c["hidden_act"] = "gelu_pytorch_tanh";
  c["use_bias"] = has(file, "blk.0.attn_q.bias");
  c["sliding_window"] = nullptr;
}
void add_stablelm(const GgufFile& file, Json& c) {
  add_layer_norm(file, c);
  add_rope(file, c);
  c["use_qkv_bias"] = has(file, "blk.0.attn_q.bias");
  c["use_parallel_residual"] = file.truth(key_of(file, "use_parallel_residual")).value_or(true);
  c["qk_layernorm"] = has(file, "blk.0.attn_q_norm.weight");
}
void add_olmo2(const GgufFile& file, Json& c) {
  add_llama(file, c);
  c.erase("mlp_bias");
  if (!file.has(key_of(file, "attention.sliding_window"))) return;
  c["model_type"] = "olmo3";
  add_windows(file, c, 4);
}
void add_olmo(const GgufFile& file, Json& c) {
  add_rope(file, c);
  if (const auto clip = real(file, "attention.clamp_kqv"); clip && *clip > 0) c["clip_qkv"] = *clip;
}
void add_cohere(const GgufFile& file, Json& c) {
  add_layer_norm(file, c);
  add_rope(file, c);
  c["logit_scale"] = real(file, "logit_scale").value_or(0.0625);
  c["use_qk_norm"] = has(file, "blk.0.attn_q_norm.weight");
  c["attention_bias"] = has(file, "blk.0.attn_q.bias");
}
void add_cohere2(const GgufFile& file, Json& c) {
  add_layer_norm(file, c);
  add_rope(file, c);
  c["logit_scale"] = real(file, "logit_scale").value_or(0.0625);
  add_windows(file, c, 4);
}
void add_granite(const GgufFile& file, Json& c) {
  add_llama(file, c);
  c["embedding_multiplier"] = real(file, "embedding_scale").value_or(1);
  c["residual_multiplier"] = real(file, "residual_scale").value_or(1);
  c["logits_scaling"] = real(file, "logit_scale").value_or(1);
  c["attention_multiplier"] =
      real(file, "attention.scale").value_or(1 / std::sqrt(static_cast<double>(head_size(file))));
}
void add_granite_moe(const GgufFile& file, Json& c) {
  add_granite(file, c);
  c["model_type"] = "granitemoe";  // not Mixtral, as llama with experts is
}
void add_smollm3(const GgufFile& file, Json& c) {
  add_llama(file, c);
  Json turned = Json::array();
  for (std::uint64_t l = 0; l < std::min<std::uint64_t>(1024, c.at("num_hidden_layers")); ++l)
    turned.push_back((l + 1) % 4 == 0 ? 0 : 1);
  c["no_rope_layers"] = std::move(turned);
}
void add_ernie(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  add_heads(file, c);
  c["use_bias"] = has(file, "blk.0.attn_q.bias");
}
void add_glm4(const GgufFile& file, Json& c) {
  add_rms(file, c);
  add_rope(file, c);
  add_heads(file, c);
  c["attention_bias"] = has(file, "blk.0.attn_q.bias");
}
// Three layouts of one matrix: a group of heads with its key and value, all heads with one key and value, each head
// with its own.
void add_falcon(const GgufFile& file, Json& c) {
  const std::uint64_t of_keys = c.value("num_key_value_heads", c.at("num_attention_heads").get<std::uint64_t>());
  const bool groups = has(file, "blk.0.attn_norm_2.weight");
  c["ffn_hidden_size"] = rows(file, "blk.0.ffn_up.weight");
  c.erase("intermediate_size");
  c.erase("num_key_value_heads");
  c["new_decoder_architecture"] = groups;
  c["multi_query"] = !groups && of_keys == 1;
  c["num_kv_heads"] = of_keys;
  c["parallel_attn"] = true;
  c["bias"] = has(file, "blk.0.attn_qkv.bias");
  c["alibi"] = false;
  add_layer_norm(file, c, "layer_norm_epsilon");
  add_rope(file, c);
}
void add_bloom(const GgufFile& file, Json& c) {
  for (const char* key : {"intermediate_size", "max_position_embeddings"}) c.erase(key);
  c["n_head"] = c["num_attention_heads"];
  c["n_layer"] = c["num_hidden_layers"];
  c.erase("num_attention_heads");
  c.erase("num_hidden_layers");
  add_layer_norm(file, c, "layer_norm_epsilon");
}

struct Configure {
  const char* architecture;
  void (*add)(const GgufFile& file, Json& config);
};
const Configure kConfigures[] = {{"llama", add_llama},
                                 {"qwen2", add_qwen},
                                 {"qwen3", add_qwen3},
                                 {"phi3", add_phi3},
                                 {"gemma", add_gemma},
                                 {"gemma2", add_gemma2},
                                 {"gemma3", add_gemma3},
                                 {"gpt2", add_gpt2},
                                 {"gptneox", add_neox},
                                 {"bert", add_bert},
                                 {"t5", add_t5},
                                 {"phi2", add_phi2},
                                 {"starcoder2", add_starcoder2},
                                 {"stablelm", add_stablelm},
                                 {"olmo", add_olmo},
                                 {"olmo2", add_olmo2},
                                 {"command-r", add_cohere},
                                 {"cohere2", add_cohere2},
                                 {"granite", add_granite},
                                 {"smollm3", add_smollm3},
                                 {"ernie4_5", add_ernie},
                                 {"glm4", add_glm4},
                                 {"bloom", add_bloom},
                                 {"falcon", add_falcon},
                                 {"qwen2moe", add_qwen2_moe},
                                 {"qwen3moe", add_qwen3_moe},
                                 {"olmoe", add_olmoe},
                                 {"granitemoe", add_granite_moe},
                                 {"gpt-oss", add_gpt_oss}};

}  // namespace

std::string key_of(const GgufFile& file, const char* key) {
  return file.text("general.architecture").value_or(std::string()) + "." + key;
}

Json config_of(const GgufFile& file, const Architecture& architecture) {
  Json config = base_config(file, architecture.model_type);
  for (const Configure& each : kConfigures)
    if (std::string(each.architecture) == architecture.name) each.add(file, config);
  for (const char* key : {"expert_count", "leading_dense_block_count"})
    if (whole(file, key, 0) > 0 && (std::string(key) != "expert_count" || !config.contains("num_experts_per_tok")))
      file.fail(key_of(file, key), "models of several experts do not run here with this architecture");
  return config;
}

Json generation_of(const GgufFile& file) {
  // What the program that these files are for takes for an end, beside the tokens that the file names.
  static const std::set<std::string> ends = {
      "<|eot_id|>",   "<|im_end|>",        "<|end|>",    "<end_of_turn>", "<|endoftext|>",
      "</s>",         "<|eom_id|>",        "<EOT>",      "_<EOT>",        "[EOT]",
      "[EOS]",        "<|end_of_text|>",   "<|return|>", "<|call|>",      "<|fim_pad|>",
      "<fim-pad>",    "<fim_pad>",         "<PAD>",      "[PAD]",         "<REPO>",
      "<|fim_repo|>", "<|repo_name|>",     "<fim-repo>", "<reponame>",    "<|file_sep|>",
      "<|flush|>",    "<end_of_utterance>"};
  const std::string front = "tokenizer.ggml.";
  std::set<std::uint64_t> ids;
  const std::vector<std::string> tokens = file.texts(front + "tokens");
  for (const char* key : {"eos_token_id", "eot_token_id", "eom_token_id"})
    if (const auto id = file.whole(front + key); id && *id < kMost) ids.insert(*id);
  const std::vector<double> types = file.numbers(front + "token_type");
  for (std::size_t id = 0; id < tokens.size(); ++id)
    if (ends.contains(tokens[id]) && (id >= types.size() || types[id] == 3 || types[id] == 4)) ids.insert(id);
  Json generation{{"eos_token_id", ids}};
  const auto start = file.whole(key_of(file, "decoder_start_token_id"));
  if (start) generation["decoder_start_token_id"] = *start;
  return generation;
}

}  // namespace headlight::gguf
