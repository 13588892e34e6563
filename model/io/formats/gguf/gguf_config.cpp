// config.json of the folder that a GGUF file was made from, out of its metadata.

#include <algorithm>
#include <cmath>
#include <set>

#include "model/io/formats/gguf/gguf_architecture.h"
#include "model/io/formats/gguf/gguf_keys.h"

namespace headlight::gguf {

namespace {

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
void add_nomic_bert(const GgufFile& file, Json& c) {
  c["type_vocab_size"] = rows(file, "token_types.weight");
  c["head_dim"] = head_size(file);
  c["activation_function"] = "swiglu";
  c.erase("tie_word_embeddings");
  add_layer_norm(file, c);
  c["rotary_emb_base"] = real(file, "rope.freq_base").value_or(1000);
}
void add_nemotron(const GgufFile& file, Json& c) {
  add_layer_norm(file, c, "norm_eps");
  add_rope(file, c);
  add_heads(file, c);
  add_biases(file, c);
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

constexpr Configure kDense[] = {{"llama", add_llama},       {"qwen2", add_qwen},      {"qwen3", add_qwen3},
                                {"phi3", add_phi3},         {"gemma", add_gemma},     {"gemma2", add_gemma2},
                                {"gemma3", add_gemma3},     {"gpt2", add_gpt2},       {"gptneox", add_neox},
                                {"bert", add_bert},         {"t5", add_t5},           {"nomic-bert", add_nomic_bert},
                                {"nemotron", add_nemotron}, {"phi2", add_phi2},       {"starcoder2", add_starcoder2},
                                {"stablelm", add_stablelm}, {"olmo", add_olmo},       {"olmo2", add_olmo2},
                                {"command-r", add_cohere},  {"cohere2", add_cohere2}, {"granite", add_granite},
                                {"smollm3", add_smollm3},   {"ernie4_5", add_ernie},  {"glm4", add_glm4},
                                {"bloom", add_bloom},       {"falcon", add_falcon}};

}  // namespace

void add_granite(const GgufFile& file, Json& c) {
  add_llama(file, c);
  c["embedding_multiplier"] = real(file, "embedding_scale").value_or(1);
  c["residual_multiplier"] = real(file, "residual_scale").value_or(1);
  c["logits_scaling"] = real(file, "logit_scale").value_or(1);
  c["attention_multiplier"] =
      real(file, "attention.scale").value_or(1 / std::sqrt(static_cast<double>(head_size(file))));
}

Json config_of(const GgufFile& file, const Architecture& architecture) {
  Json config = base_config(file, architecture.model_type);
  for (const std::span<const Configure> table : {std::span<const Configure>(kDense), configures_of_experts()})
    for (const Configure& each : table)
      if (std::string(each.architecture) == architecture.name) each.add(file, config);
  for (const char* key : {"expert_count", "leading_dense_block_count"})
    if (whole(file, key, 0) > 0 && !config.contains("num_experts_per_tok"))
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