#include "model/io/formats/pretrained_models.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>

#include "model/core/budget.h"
#include "model/io/half.h"
#include "model/io/json_file.h"
#include "model/models/registry.h"

namespace headlight {

namespace {

// How a tensor of theirs becomes one of ours: nn.Linear stores [out x in], we [in x out].
enum class How { copied, transposed, first_third, second_third, last_third };

struct Name {
  const char* ours;  // "#" is the number of a layer
  const char* theirs;
  How how = How::copied;
};

// A setting that has to be one of these values, for the arithmetic is ours only then; others may be missing.
struct Fixed {
  const char* key;
  std::vector<Json> values;
};

struct Family {
  std::vector<const char*> types;
  std::vector<const char*> prefixes;  // that stand in front of all names, or do not
  std::vector<const char*> keys;      // of its configuration, understood by `settings`
  std::vector<Fixed> fixed;
  Json (*settings)(const Json& config);  // ours
  std::vector<Name> names;
  std::vector<const char*> ignored;  // buffers, by the end of their names
};

Index whole(const Json& config, const char* key, Index fallback = -1) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) {
    if (fallback >= 0) return fallback;
    throw FormatError(std::string(key) + ": missing");
  }
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > 1'000'000)
    throw FormatError(std::string(key) + ": expected a whole number from 0 to 1000000, found " +
                      found->dump(-1, ' ', true).substr(0, 40));
  return found->get<Index>();
}
double real(const Json& config, const char* key, double fallback) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return fallback;
  if (!found->is_number())
    throw FormatError(std::string(key) + ": expected a number, found " + found->dump(-1, ' ', true).substr(0, 40));
  return found->get<double>();
}
bool yes(const Json& config, const char* key, bool fallback) {
  const auto found = config.find(key);
  return found != config.end() && found->is_boolean() ? found->get<bool>() : fallback;
}
std::string activation(const Json& config, const char* key, const char* fallback) {
  static const std::map<std::string, const char*> known = {
      {"gelu", "gelu"}, {"gelu_new", "gelu_tanh"}, {"gelu_pytorch_tanh", "gelu_tanh"},
      {"relu", "relu"}, {"silu", "silu"},          {"swish", "silu"}};
  const auto found = config.find(key);
  const std::string name = found != config.end() && found->is_string() ? found->get<std::string>() : fallback;
  const auto ours = known.find(name);
  if (ours == known.end()) throw FormatError(std::string(key) + ": the activation \"" + name + "\" is not implemented");
  return ours->second;
}

Json of_size(Index vocabulary, Index width, Index heads, Index hidden, const char* shape, const char* layers,
             Index count) {
  return {{"model_type", shape},
          {"source_vocabulary_size", vocabulary},
          {"target_vocabulary_size", vocabulary},
          {"model_size", width},
          {"heads", heads},
          {"ff_size", hidden},
          {layers, count},
          {"dropout", 0},
          {"scale_embeddings", false},
          {"tie", "all"},
          {"output_bias", "no"}};
}

// Devlin et al. 2019: post-norm, learned positions, a norm of the embeddings.
Json bert_settings(const Json& c) {
  Json s = of_size(whole(c, "vocab_size"), whole(c, "hidden_size"), whole(c, "num_attention_heads"),
                   whole(c, "intermediate_size"), "encoder_only", "encoder_layers", whole(c, "num_hidden_layers"));
  s["norm_place"] = "post";
  s["embedding_norm"] = true;
  s["norm_epsilon"] = real(c, "layer_norm_eps", 1e-12);
  s["activation"] = activation(c, "hidden_act", "gelu");
  s["positions"] = "learned";
  s["max_positions"] = whole(c, "max_position_embeddings");
  s["token_types"] = whole(c, "type_vocab_size", 2);
  return s;
}
// Liu et al. 2019: the first position is the one behind that of the padding token.
Json roberta_settings(const Json& c) {
  Json s = bert_settings(c);
  s["position_offset"] = whole(c, "pad_token_id", 1) + 1;
  return s;
}
// Sanh et al. 2019.
Json distilbert_settings(const Json& c) {
  Json s = of_size(whole(c, "vocab_size"), whole(c, "dim"), whole(c, "n_heads"), whole(c, "hidden_dim"), "encoder_only",
                   "encoder_layers", whole(c, "n_layers"));
  s["norm_place"] = "post";
  s["embedding_norm"] = true;
  s["norm_epsilon"] = 1e-12;
  s["activation"] = activation(c, "activation", "gelu");
  s["positions"] = "learned";
  s["max_positions"] = whole(c, "max_position_embeddings");
  return s;
}
// Radford et al. 2019.
Json gpt2_settings(const Json& c) {
  const Index width = whole(c, "n_embd");
  Json s = of_size(whole(c, "vocab_size"), width, whole(c, "n_head"), whole(c, "n_inner", 4 * width), "decoder_only",
                   "decoder_layers", whole(c, "n_layer"));
  s["norm_epsilon"] = real(c, "layer_norm_epsilon", 1e-5);
  s["activation"] = activation(c, "activation_function", "gelu_new");
  s["positions"] = "learned";
  s["max_positions"] = whole(c, "n_positions");
  s["scale_scores"] = yes(c, "scale_attn_weights", true);
  s["score_scale_by_layer"] = yes(c, "scale_attn_by_inverse_layer_idx", false);
  s["prompt"] = "continue";
  return s;
}
// Zhang et al. 2022: learned positions that begin with the third row.
Json opt_settings(const Json& c) {
  Json s = of_size(whole(c, "vocab_size"), whole(c, "hidden_size"), whole(c, "num_attention_heads"),
                   whole(c, "ffn_dim"), "decoder_only", "decoder_layers", whole(c, "num_hidden_layers"));
  if (whole(c, "word_embed_proj_dim", whole(c, "hidden_size")) != whole(c, "hidden_size"))
    throw FormatError("word_embed_proj_dim: embeddings of another width than the layers are not implemented");
  s["activation"] = activation(c, "activation_function", "relu");
  s["positions"] = "learned";
  s["position_offset"] = 2;
  s["max_positions"] = whole(c, "max_position_embeddings") + 2;
  s["prompt"] = "continue";
  return s;
}
// Touvron et al. 2023; Mistral (Jiang et al. 2023) has a window, Qwen2 biases, Qwen3 norms of queries and keys.
Json llama_settings(const Json& c) {
  const std::string type = c.at("model_type").get<std::string>();
  const Index heads = whole(c, "num_attention_heads"), width = whole(c, "hidden_size");
  Json s = of_size(whole(c, "vocab_size"), width, heads, whole(c, "intermediate_size"), "decoder_only",
                   "decoder_layers", whole(c, "num_hidden_layers"));
  s["key_value_heads"] = whole(c, "num_key_value_heads", heads);
  s["head_size"] = whole(c, "head_dim", heads > 0 ? width / heads : 0);
  s["norm"] = "rms";
  s["norm_bias"] = false;
  s["norm_epsilon"] = real(c, "rms_norm_eps", 1e-6);
  s["activation"] = activation(c, "hidden_act", "silu");
  s["gated"] = true;
  s["attention_bias"] = type == "qwen2" || yes(c, "attention_bias", false);
  s["projection_bias"] = type != "qwen2" && yes(c, "attention_bias", false);
  s["ffn_bias"] = yes(c, "mlp_bias", false);
  s["positions"] = "rotary";
  double theta = real(c, "rope_theta", 10000);
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    const auto rope = c.find(key);
    if (rope == c.end() || !rope->is_object()) continue;
    for (const char* name : {"rope_type", "type"})
      if (const auto kind = rope->find(name); kind != rope->end() && *kind != "default")
        throw FormatError(std::string(key) + ": the rope type " + kind->dump(-1, ' ', true).substr(0, 60) +
                          " is not implemented");
    theta = real(*rope, "rope_theta", theta);
  }
  s["rotary_theta"] = theta;
  s["qk_norm"] = type == "qwen3";
  const bool windows = type == "mistral" || yes(c, "use_sliding_window", false);
  if (windows && type != "mistral" && c.find("sliding_window") != c.end() && !c.at("sliding_window").is_null())
    throw FormatError("use_sliding_window: a window in some of the layers is not implemented");
  s["window"] = windows ? whole(c, "sliding_window", 0) : 0;
  s["tie"] = yes(c, "tie_word_embeddings", false) ? "all" : "none";
  s["prompt"] = "continue";
  return s;
}

const std::vector<Family>& families() {
  static const std::vector<Name> bert_names = {
      {"embed.W", "embeddings.word_embeddings.weight"},
      {"encoder.pos.W", "embeddings.position_embeddings.weight"},
      {"encoder.type.W", "embeddings.token_type_embeddings.weight"},
      {"encoder.embed.norm.gamma", "embeddings.LayerNorm.weight"},
      {"encoder.embed.norm.beta", "embeddings.LayerNorm.bias"},
      {"encoder.layer[#].self_attn.W_q", "encoder.layer.#.attention.self.query.weight", How::transposed},
      {"encoder.layer[#].self_attn.W_k", "encoder.layer.#.attention.self.key.weight", How::transposed},
      {"encoder.layer[#].self_attn.W_v", "encoder.layer.#.attention.self.value.weight", How::transposed},
      {"encoder.layer[#].self_attn.W_o", "encoder.layer.#.attention.output.dense.weight", How::transposed},
      {"encoder.layer[#].self_attn.b_q", "encoder.layer.#.attention.self.query.bias"},
      {"encoder.layer[#].self_attn.b_k", "encoder.layer.#.attention.self.key.bias"},
      {"encoder.layer[#].self_attn.b_v", "encoder.layer.#.attention.self.value.bias"},
      {"encoder.layer[#].self_attn.b_o", "encoder.layer.#.attention.output.dense.bias"},
      {"encoder.layer[#].norm1.gamma", "encoder.layer.#.attention.output.LayerNorm.weight"},
      {"encoder.layer[#].norm1.beta", "encoder.layer.#.attention.output.LayerNorm.bias"},
      {"encoder.layer[#].ffn.W1", "encoder.layer.#.intermediate.dense.weight", How::transposed},
      {"encoder.layer[#].ffn.b1", "encoder.layer.#.intermediate.dense.bias"},
      {"encoder.layer[#].ffn.W2", "encoder.layer.#.output.dense.weight", How::transposed},
      {"encoder.layer[#].ffn.b2", "encoder.layer.#.output.dense.bias"},
      {"encoder.layer[#].norm2.gamma", "encoder.layer.#.output.LayerNorm.weight"},
      {"encoder.layer[#].norm2.beta", "encoder.layer.#.output.LayerNorm.bias"},
      {"head.W", "cls.predictions.transform.dense.weight", How::transposed},
      {"head.b", "cls.predictions.transform.dense.bias"},
      {"head.norm.gamma", "cls.predictions.transform.LayerNorm.weight"},
      {"head.norm.beta", "cls.predictions.transform.LayerNorm.bias"},
      {"output.b", "cls.predictions.bias"},
      {"head.W", "lm_head.dense.weight", How::transposed},
      {"head.b", "lm_head.dense.bias"},
      {"head.norm.gamma", "lm_head.layer_norm.weight"},
      {"head.norm.beta", "lm_head.layer_norm.bias"},
      {"output.b", "lm_head.bias"},
  };
  static const std::vector<Name> distilbert_names = {
      {"embed.W", "embeddings.word_embeddings.weight"},
      {"encoder.pos.W", "embeddings.position_embeddings.weight"},
      {"encoder.embed.norm.gamma", "embeddings.LayerNorm.weight"},
      {"encoder.embed.norm.beta", "embeddings.LayerNorm.bias"},
      {"encoder.layer[#].self_attn.W_q", "transformer.layer.#.attention.q_lin.weight", How::transposed},
      {"encoder.layer[#].self_attn.W_k", "transformer.layer.#.attention.k_lin.weight", How::transposed},
      {"encoder.layer[#].self_attn.W_v", "transformer.layer.#.attention.v_lin.weight", How::transposed},
      {"encoder.layer[#].self_attn.W_o", "transformer.layer.#.attention.out_lin.weight", How::transposed},
      {"encoder.layer[#].self_attn.b_q", "transformer.layer.#.attention.q_lin.bias"},
      {"encoder.layer[#].self_attn.b_k", "transformer.layer.#.attention.k_lin.bias"},
      {"encoder.layer[#].self_attn.b_v", "transformer.layer.#.attention.v_lin.bias"},
      {"encoder.layer[#].self_attn.b_o", "transformer.layer.#.attention.out_lin.bias"},
      {"encoder.layer[#].norm1.gamma", "transformer.layer.#.sa_layer_norm.weight"},
      {"encoder.layer[#].norm1.beta", "transformer.layer.#.sa_layer_norm.bias"},
      {"encoder.layer[#].ffn.W1", "transformer.layer.#.ffn.lin1.weight", How::transposed},
      {"encoder.layer[#].ffn.b1", "transformer.layer.#.ffn.lin1.bias"},
      {"encoder.layer[#].ffn.W2", "transformer.layer.#.ffn.lin2.weight", How::transposed},
      {"encoder.layer[#].ffn.b2", "transformer.layer.#.ffn.lin2.bias"},
      {"encoder.layer[#].norm2.gamma", "transformer.layer.#.output_layer_norm.weight"},
      {"encoder.layer[#].norm2.beta", "transformer.layer.#.output_layer_norm.bias"},
      {"head.W", "vocab_transform.weight", How::transposed},
      {"head.b", "vocab_transform.bias"},
      {"head.norm.gamma", "vocab_layer_norm.weight"},
      {"head.norm.beta", "vocab_layer_norm.bias"},
      {"output.b", "vocab_projector.bias"},
  };
  static const std::vector<Name> gpt2_names = {
      {"embed.W", "wte.weight"},
      {"decoder.pos.W", "wpe.weight"},
      {"decoder.layer[#].self_attn.W_q", "h.#.attn.c_attn.weight", How::first_third},
      {"decoder.layer[#].self_attn.W_k", "h.#.attn.c_attn.weight", How::second_third},
      {"decoder.layer[#].self_attn.W_v", "h.#.attn.c_attn.weight", How::last_third},
      {"decoder.layer[#].self_attn.b_q", "h.#.attn.c_attn.bias", How::first_third},
      {"decoder.layer[#].self_attn.b_k", "h.#.attn.c_attn.bias", How::second_third},
      {"decoder.layer[#].self_attn.b_v", "h.#.attn.c_attn.bias", How::last_third},
      {"decoder.layer[#].self_attn.W_o", "h.#.attn.c_proj.weight"},
      {"decoder.layer[#].self_attn.b_o", "h.#.attn.c_proj.bias"},
      {"decoder.layer[#].norm1.gamma", "h.#.ln_1.weight"},
      {"decoder.layer[#].norm1.beta", "h.#.ln_1.bias"},
      {"decoder.layer[#].norm2.gamma", "h.#.ln_2.weight"},
      {"decoder.layer[#].norm2.beta", "h.#.ln_2.bias"},
      {"decoder.layer[#].ffn.W1", "h.#.mlp.c_fc.weight"},
      {"decoder.layer[#].ffn.b1", "h.#.mlp.c_fc.bias"},
      {"decoder.layer[#].ffn.W2", "h.#.mlp.c_proj.weight"},
      {"decoder.layer[#].ffn.b2", "h.#.mlp.c_proj.bias"},
      {"decoder.final_norm.gamma", "ln_f.weight"},
      {"decoder.final_norm.beta", "ln_f.bias"},
  };
  static const std::vector<Name> opt_names = {
      {"embed.W", "embed_tokens.weight"},
      {"decoder.pos.W", "embed_positions.weight"},
      {"decoder.layer[#].self_attn.W_q", "layers.#.self_attn.q_proj.weight", How::transposed},
      {"decoder.layer[#].self_attn.W_k", "layers.#.self_attn.k_proj.weight", How::transposed},
      {"decoder.layer[#].self_attn.W_v", "layers.#.self_attn.v_proj.weight", How::transposed},
      {"decoder.layer[#].self_attn.W_o", "layers.#.self_attn.out_proj.weight", How::transposed},
      {"decoder.layer[#].self_attn.b_q", "layers.#.self_attn.q_proj.bias"},
      {"decoder.layer[#].self_attn.b_k", "layers.#.self_attn.k_proj.bias"},
      {"decoder.layer[#].self_attn.b_v", "layers.#.self_attn.v_proj.bias"},
      {"decoder.layer[#].self_attn.b_o", "layers.#.self_attn.out_proj.bias"},
      {"decoder.layer[#].norm1.gamma", "layers.#.self_attn_layer_norm.weight"},
      {"decoder.layer[#].norm1.beta", "layers.#.self_attn_layer_norm.bias"},
      {"decoder.layer[#].ffn.W1", "layers.#.fc1.weight", How::transposed},
      {"decoder.layer[#].ffn.b1", "layers.#.fc1.bias"},
      {"decoder.layer[#].ffn.W2", "layers.#.fc2.weight", How::transposed},
      {"decoder.layer[#].ffn.b2", "layers.#.fc2.bias"},
      {"decoder.layer[#].norm2.gamma", "layers.#.final_layer_norm.weight"},
      {"decoder.layer[#].norm2.beta", "layers.#.final_layer_norm.bias"},
      {"decoder.final_norm.gamma", "final_layer_norm.weight"},
      {"decoder.final_norm.beta", "final_layer_norm.bias"},
  };
  static const std::vector<Name> llama_names = {
      {"embed.W", "embed_tokens.weight"},
      {"decoder.embed.W", "embed_tokens.weight"},
      {"decoder.layer[#].self_attn.W_q", "layers.#.self_attn.q_proj.weight", How::transposed},
      {"decoder.layer[#].self_attn.W_k", "layers.#.self_attn.k_proj.weight", How::transposed},
      {"decoder.layer[#].self_attn.W_v", "layers.#.self_attn.v_proj.weight", How::transposed},
      {"decoder.layer[#].self_attn.W_o", "layers.#.self_attn.o_proj.weight", How::transposed},
      {"decoder.layer[#].self_attn.b_q", "layers.#.self_attn.q_proj.bias"},
      {"decoder.layer[#].self_attn.b_k", "layers.#.self_attn.k_proj.bias"},
      {"decoder.layer[#].self_attn.b_v", "layers.#.self_attn.v_proj.bias"},
      {"decoder.layer[#].self_attn.b_o", "layers.#.self_attn.o_proj.bias"},
      {"decoder.layer[#].self_attn.q_norm.gamma", "layers.#.self_attn.q_norm.weight"},
      {"decoder.layer[#].self_attn.k_norm.gamma", "layers.#.self_attn.k_norm.weight"},
      {"decoder.layer[#].norm1.gamma", "layers.#.input_layernorm.weight"},
      {"decoder.layer[#].norm2.gamma", "layers.#.post_attention_layernorm.weight"},
      {"decoder.layer[#].ffn.W_gate", "layers.#.mlp.gate_proj.weight", How::transposed},
      {"decoder.layer[#].ffn.b_gate", "layers.#.mlp.gate_proj.bias"},
      {"decoder.layer[#].ffn.W1", "layers.#.mlp.up_proj.weight", How::transposed},
      {"decoder.layer[#].ffn.b1", "layers.#.mlp.up_proj.bias"},
      {"decoder.layer[#].ffn.W2", "layers.#.mlp.down_proj.weight", How::transposed},
      {"decoder.layer[#].ffn.b2", "layers.#.mlp.down_proj.bias"},
      {"decoder.final_norm.gamma", "norm.weight"},
      {"output.W", "lm_head.weight", How::transposed},
  };
  static const Json no = false, yes = true;
  static const std::vector<Family> rows = {
      {{"bert"},
       {"bert."},
       {"vocab_size", "hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers", "layer_norm_eps",
        "hidden_act", "max_position_embeddings", "type_vocab_size"},
       {{"position_embedding_type", {"absolute"}},
        {"is_decoder", {no}},
        {"add_cross_attention", {no}},
        {"tie_word_embeddings", {yes}}},
       bert_settings,
       bert_names,
       {"position_ids"}},
      {{"roberta", "xlm-roberta"},
       {"roberta."},
       {"vocab_size", "hidden_size", "num_attention_heads", "intermediate_size", "num_hidden_layers", "layer_norm_eps",
        "hidden_act", "max_position_embeddings", "type_vocab_size", "pad_token_id"},
       {{"position_embedding_type", {"absolute"}},
        {"is_decoder", {no}},
        {"add_cross_attention", {no}},
        {"tie_word_embeddings", {yes}}},
       roberta_settings,
       bert_names,
       {"position_ids"}},
      {{"distilbert"},
       {"distilbert."},
       {"vocab_size", "dim", "n_heads", "n_layers", "hidden_dim", "activation", "max_position_embeddings"},
       {{"tie_weights_", {yes}}, {"tie_word_embeddings", {yes}}, {"sinusoidal_pos_embds", {no, yes}}},
       distilbert_settings,
       distilbert_names,
       {"position_ids"}},
      {{"gpt2"},
       {"transformer."},
       {"vocab_size", "n_embd", "n_head", "n_layer", "n_inner", "n_positions", "n_ctx", "layer_norm_epsilon",
        "activation_function", "scale_attn_weights", "scale_attn_by_inverse_layer_idx"},
       {{"add_cross_attention", {no}}, {"tie_word_embeddings", {yes}}, {"reorder_and_upcast_attn", {no, yes}}},
       gpt2_settings,
       gpt2_names,
       {".attn.bias", ".attn.masked_bias", "lm_head.weight"}},
      {{"opt"},
       {"model.decoder.", "decoder."},
       {"vocab_size", "hidden_size", "num_attention_heads", "num_hidden_layers", "ffn_dim", "word_embed_proj_dim",
        "activation_function", "max_position_embeddings"},
       {{"do_layer_norm_before", {yes}},
        {"tie_word_embeddings", {yes}},
        {"enable_bias", {yes}},
        {"layer_norm_elementwise_affine", {yes}},
        {"_remove_final_layer_norm", {no}}},
       opt_settings,
       opt_names,
       {"lm_head.weight"}},
      {{"llama", "mistral", "qwen2", "qwen3"},
       {"model."},
       {"vocab_size",
        "hidden_size",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "num_hidden_layers",
        "intermediate_size",
        "rms_norm_eps",
        "hidden_act",
        "attention_bias",
        "mlp_bias",
        "rope_theta",
        "rope_scaling",
        "rope_parameters",
        "sliding_window",
        "use_sliding_window",
        "max_window_layers",
        "tie_word_embeddings",
        "max_position_embeddings",
        "layer_types"},
       {{"pretraining_tp", {1}}},
       llama_settings,
       llama_names,
       {"rotary_emb.inv_freq"}},
  };
  return rows;
}

// Keys that change nothing that is computed here.
bool changes_nothing(const std::string& key) {
  static const std::set<std::string> keys = {"model_type",
                                             "architectures",
                                             "transformers_version",
                                             "torch_dtype",
                                             "dtype",
                                             "use_cache",
                                             "id2label",
                                             "label2id",
                                             "num_labels",
                                             "problem_type",
                                             "initializer_range",
                                             "initializer_factor",
                                             "gradient_checkpointing",
                                             "directionality",
                                             "pooler_fc_size",
                                             "pooler_num_attention_heads",
                                             "pooler_num_fc_layers",
                                             "pooler_size_per_head",
                                             "pooler_type",
                                             "classifier_dropout",
                                             "hidden_dropout_prob",
                                             "attention_probs_dropout_prob",
                                             "attention_dropout",
                                             "dropout",
                                             "qa_dropout",
                                             "seq_classif_dropout",
                                             "embd_pdrop",
                                             "attn_pdrop",
                                             "resid_pdrop",
                                             "summary_type",
                                             "summary_use_proj",
                                             "summary_activation",
                                             "summary_proj_to_labels",
                                             "summary_first_dropout",
                                             "activation_dropout",
                                             "layerdrop",
                                             "init_std",
                                             "prefix",
                                             "bos_token_id",
                                             "eos_token_id",
                                             "pad_token_id",
                                             "sep_token_id",
                                             "cls_token_id",
                                             "mask_token_id",
                                             "decoder_start_token_id",
                                             "unk_token_id",
                                             "_name_or_path",
                                             "name_or_path",
                                             "auto_map",
                                             "finetuning_task",
                                             "task_specific_params",
                                             "output_past",
                                             "return_dict",
                                             "output_hidden_states",
                                             "output_attentions",
                                             "_attn_implementation",
                                             "attn_implementation",
                                             "quantization_config",
                                             "chunk_size_feed_forward",
                                             "tokenizer_class"};
  return keys.count(key) > 0;
}

const Family* family_of(const std::string& type) {
  for (const Family& family : families())
    for (const char* name : family.types)
      if (type == name) return &family;
  return nullptr;
}

std::string type_of(const Json& config) {
  const auto found = config.find("model_type");
  return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// One tensor of the file in float32.
Tensor floats(const TensorFile& file, std::size_t i, const std::string& where) {
  const TensorEntry& entry = file.tensors()[i];
  const std::string at = where + ": tensor \"" + entry.name + "\": ";
  const std::size_t size = entry.dtype == "F32"                            ? 4
                           : entry.dtype == "F64"                          ? 8
                           : entry.dtype == "F16" || entry.dtype == "BF16" ? 2
                                                                           : 0;
  if (size == 0) throw FormatError(at + "expected weights of type F16, BF16, F32 or F64, found " + entry.dtype);
  if (entry.shape.size() > 2) throw FormatError(at + "expected at most 2 dimensions, found " + shape_text(entry.shape));
  Tensor tensor(Shape(std::vector<Index>(entry.shape.begin(), entry.shape.end())));
  const std::string bytes = file.bytes(i);
  for (Index n = 0; n < tensor.size(); ++n) {
    const char* from = bytes.data() + static_cast<std::size_t>(n) * size;
    std::uint16_t half = 0;
    float single = 0;
    double whole = 0;
    if (size == 2) std::memcpy(&half, from, 2), whole = entry.dtype == "F16" ? from_half(half) : from_bfloat16(half);
    if (size == 4) std::memcpy(&single, from, 4), whole = static_cast<double>(single);
    if (size == 8) std::memcpy(&whole, from, 8);
    tensor[n] = static_cast<Scalar>(whole);
  }
  return tensor;
}

std::string numbered(const char* pattern, Index layer) {
  std::string text = pattern;
  if (const std::size_t at = text.find('#'); at != std::string::npos) text.replace(at, 1, std::to_string(layer));
  return text;
}

// The tensors of a file by the names that they have behind their prefix, and which of them were used.
class Weights {
 public:
  Weights(const TensorFile& file, const Family& family, const std::string& where) : file_(file), where_(where) {
    for (std::size_t i = 0; i < file.tensors().size(); ++i) {
      std::string name = file.tensors()[i].name;
      for (const char* prefix : family.prefixes)
        if (name.starts_with(prefix)) {
          name = name.substr(std::string_view(prefix).size());
          break;
        }
      // Names of before 2019.
      for (const auto& [old, now] :
           {std::pair("LayerNorm.gamma", "LayerNorm.weight"), {"LayerNorm.beta", "LayerNorm.bias"}})
        if (name.ends_with(old)) name.replace(name.size() - std::string_view(old).size(), std::string::npos, now);
      by_name_.emplace(std::move(name), i);
    }
  }
  bool has(const std::string& name) const { return by_name_.count(name) > 0; }
  Tensor take(const std::string& name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) throw FormatError(where_ + ": the tensor \"" + name + "\" is missing");
    used_.insert(found->second);
    return floats(file_, found->second, where_);
  }
  const std::string& name_in_file(const std::string& name) const { return file_.tensors()[by_name_.at(name)].name; }
  void check_all_used(const Family& family) const {
    for (const auto& [name, i] : by_name_) {
      const bool ignored = std::any_of(family.ignored.begin(), family.ignored.end(),
                                       [&, n = &name](const char* end) { return n->ends_with(end); });
      if (!used_.count(i) && !ignored)
        throw FormatError(where_ + ": the tensor \"" + file_.tensors()[i].name + "\" is of a part that is not known");
    }
  }

 private:
  const TensorFile& file_;
  std::string where_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::set<std::size_t> used_;
};

Tensor converted(const Tensor& theirs, How how) {
  if (how == How::copied) return theirs;
  if (how == How::transposed) {
    Tensor ours({theirs.columns(), theirs.rows()});
    ours.matrix() = theirs.matrix().transpose();
    return ours;
  }
  const Index third = theirs.columns() / 3, first = third * (how == How::first_third    ? 0
                                                             : how == How::second_third ? 1
                                                                                        : 2);
  Tensor ours(theirs.rank() == 1 ? Shape{third} : Shape{theirs.rows(), third});
  ours.matrix() = theirs.matrix().middleCols(first, third);
  return ours;
}

// A linear map on top of a model, as nn.Linear stores it.
struct Dense {
  Tensor W, b;  // [out x in], [out] or undefined
  explicit operator bool() const { return W.defined(); }
  Tensor operator()(const Tensor& x) const {  // [T x in] -> [T x out]
    Tensor y({x.rows(), W.rows()});
    y.matrix() = x.matrix() * W.matrix().transpose();
    if (b.defined())
      y.matrix().rowwise() += Eigen::Map<const Eigen::Matrix<Scalar, 1, Eigen::Dynamic>>(b.data(), b.size());
    return y;
  }
};
Tensor row_of(const Tensor& x, Index row) {
  Tensor one({1, x.columns()});
  one.matrix() = x.matrix().row(row);
  return one;
}
Tensor flat(const Tensor& x) { return x.view(0, {x.size()}); }
Tensor mapped(Tensor x, Scalar (*f)(Scalar)) {
  for (Index i = 0; i < x.size(); ++i) x[i] = f(x[i]);
  return x;
}

// Keeps the values that the library names. A sum of the embeddings counts every token as of the first kind of sentence:
// what the others differ from it is added to the tokens.
class Keeper : public TapListener {
 public:
  explicit Keeper(CancelToken cancel) : cancel_(std::move(cancel)) {}
  std::map<std::string, Tensor> values;
  Tensor kinds;  // [T x d]: what is added; undefined: nothing
  Tensor visit(const SitePath& place, const char* leaf, Tensor value) override {
    cancel_.check();
    if (kinds.defined() && std::string_view(leaf) == "embed.token") {
      value = value.clone();
      value.array() += kinds.array();
    }
    if (kept(leaf)) values[place.text() + "." + leaf] = value;
    return value;
  }
  bool wants(const SitePath&, const char* leaf) const override {
    return kept(leaf) || std::string_view(leaf) == "embed.token";
  }

 private:
  static bool kept(std::string_view leaf) {
    return leaf == "out" || leaf == "embed.out" || leaf == "residual2" || leaf == "head.weights";
  }
  CancelToken cancel_;
};

class Built : public PretrainedModel {
 public:
  Built(const Json& config, const Json& generation, const Family& family, const TensorFile& file,
        const std::string& where, const CancelToken& cancel);
  LibraryValues run(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                    const CancelToken& cancel) const override;
  std::vector<TokenId> continued(const std::vector<TokenId>& ids, int count, const CancelToken& cancel) const override;

 private:
  void read_top(Weights& weights, const std::string& kind);
  void read_generation(const Json& config, const Json& generation);
  void check(const std::vector<TokenId>& ids, Index vocabulary, const char* what) const;
  Tensor column(const std::vector<TokenId>& ids) const {
    Tensor tensor = Tensor::ids(ids);
    return tensor.view(0, {tensor.size(), 1});
  }
  void add_top(const Tensor& last, LibraryValues& values) const;
  Tensor kinds_of(const std::vector<TokenId>& type_ids) const;

  std::unique_ptr<Model> model_;
  bool encoder_ = false, predicts_ = false, pretraining_ = false;
  Index layers_ = 0, vocabulary_ = 0, types_ = 0, positions_ = 0;
  Dense pooler_, before_, classes_, tokens_, next_;  // on top
  bool on_first_ = false;  // the classes are of the first token rather than of the pooled vector
  bool on_last_ = false;   // of the last token
  bool tanh_before_ = false;
  bool answers_ = false;  // start and end
  std::set<TokenId> ends_;
  double repetition_penalty_ = 1;
  std::string generation_problem_;
};

Built::Built(const Json& config, const Json& generation, const Family& family, const TensorFile& file,
             const std::string& where, const CancelToken& cancel) {
  Weights weights(file, family, where);
  std::string kind;
  if (const auto list = config.find("architectures");
      list != config.end() && list->is_array() && !list->empty() && list->front().is_string())
    kind = list->front().get<std::string>();
  Json settings = family.settings(config);
  encoder_ = settings.at("model_type") == "encoder_only";
  const bool masked = weights.has("cls.predictions.transform.dense.weight") || weights.has("lm_head.dense.weight") ||
                      weights.has("vocab_transform.weight");
  if (encoder_) {
    settings["head_transform"] = masked;
    settings["output_bias"] = masked ? "yes" : "no";
  }
  // Without a head on the vocabulary there is nothing to tie: the table stands in, and no logits are asked for.
  if (!encoder_ && settings.at("tie") == "none" && !weights.has("lm_head.weight")) settings["tie"] = "all";
  pretraining_ = kind.ends_with("ForPreTraining");
  predicts_ = encoder_ ? masked : kind.empty() || kind.find("LM") != std::string::npos;
  layers_ = settings.at(encoder_ ? "encoder_layers" : "decoder_layers").get<Index>();
  vocabulary_ = settings.at("source_vocabulary_size").get<Index>();
  types_ = settings.value("token_types", Index(0));
  positions_ = settings.value("max_positions", Index(0)) - settings.value("position_offset", Index(0));
  try {
    model_ = make_model(settings, {InitialValues::Kind::none});
  } catch (const Error& error) {
    throw FormatError(where + ": " + error.what());
  }
  double bytes = 0;
  for (const Parameter& parameter : model_->parameters().all())
    bytes += static_cast<double>(parameter.value.shape().size()) * sizeof(Scalar);
  within_budget(bytes, budget::kWeights, where + ": its weights", "open a smaller model");
  std::map<std::string, std::pair<std::string, How>> sources;
  for (const Name& name : family.names)
    for (Index layer = 0; layer < (std::strchr(name.ours, '#') ? layers_ : 1); ++layer)
      if (const std::string theirs = numbered(name.theirs, layer);
          weights.has(theirs) || !sources.count(numbered(name.ours, layer)))
        sources[numbered(name.ours, layer)] = {theirs, name.how};
  // First the shapes, then the memory.
  for (const Parameter& parameter : model_->parameters().all()) {
    const auto source = sources.find(parameter.name);
    if (source == sources.end() || !weights.has(source->second.first))
      throw FormatError(where + ": a tensor is missing: expected \"" +
                        (source == sources.end() ? parameter.name : source->second.first) + "\"");
  }
  model_ = make_model(settings, {InitialValues::Kind::zeros});
  for (Parameter& parameter : model_->parameters().all()) {
    cancel.check();
    const auto& [name, how] = sources.at(parameter.name);
    const Tensor ours = converted(weights.take(name), how);
    if (ours.shape() != parameter.value.shape())
      throw FormatError(where + ": tensor \"" + weights.name_in_file(name) + "\": expected to become " +
                        parameter.value.shape().text() + ", as config.json says, found " + ours.shape().text());
    std::copy_n(ours.data(), ours.size(), parameter.value.data());
  }
  read_top(weights, kind);
  weights.check_all_used(family);
  read_generation(config, generation);
}

void Built::read_top(Weights& weights, const std::string& kind) {
  const auto dense = [&](const std::string& name) {
    Dense made;
    if (!weights.has(name + ".weight")) return made;
    made.W = weights.take(name + ".weight");
    if (weights.has(name + ".bias")) made.b = weights.take(name + ".bias");
    return made;
  };
  pooler_ = dense("pooler.dense");
  next_ = dense("cls.seq_relationship");
  answers_ = weights.has("qa_outputs.weight");
  if (answers_) tokens_ = dense("qa_outputs");
  if (kind.ends_with("ForTokenClassification")) {
    tokens_ = dense("classifier");
  } else if (weights.has("classifier.out_proj.weight")) {
    before_ = dense("classifier.dense");
    classes_ = dense("classifier.out_proj");
    on_first_ = tanh_before_ = true;
  } else if (weights.has("pre_classifier.weight")) {
    before_ = dense("pre_classifier");
    classes_ = dense("classifier");
    on_first_ = true;
  } else if (weights.has("score.weight")) {
    classes_ = dense("score");
    on_last_ = true;
  } else {
    classes_ = dense("classifier");
  }
}

void Built::read_generation(const Json& config, const Json& generation) {
  const auto add_ends = [&](const Json& json) {
    const auto found = json.find("eos_token_id");
    if (found == json.end()) return false;
    for (const Json& id : found->is_array() ? *found : Json::array({*found}))
      if (id.is_number_unsigned()) ends_.insert(static_cast<TokenId>(id.get<std::uint32_t>()));
    return !found->is_null();
  };
  if (!generation.is_object() || !add_ends(generation)) add_ends(config);
  if (!generation.is_object()) return;
  repetition_penalty_ = real(generation, "repetition_penalty", 1);
  for (const auto& [key, off] : {std::pair("no_repeat_ngram_size", Json(0)),
                                 {"min_length", Json(0)},
                                 {"min_new_tokens", Json(0)},
                                 {"bad_words_ids", Json(nullptr)},
                                 {"suppress_tokens", Json(nullptr)},
                                 {"begin_suppress_tokens", Json(nullptr)},
                                 {"forced_bos_token_id", Json(nullptr)},
                                 {"forced_eos_token_id", Json(nullptr)},
                                 {"encoder_no_repeat_ngram_size", Json(0)}})
    if (const auto found = generation.find(key); found != generation.end() && !found->is_null() && *found != off)
      generation_problem_ = std::string("generation_config.json: ") + key + " is not implemented";
}

void Built::check(const std::vector<TokenId>& ids, Index vocabulary, const char* what) const {
  for (const TokenId id : ids)
    if (id < 0 || id >= vocabulary)
      throw UsageError(std::string(what) + ": expected numbers from 0 to " + std::to_string(vocabulary - 1) +
                       ", found " + std::to_string(id));
}

LibraryValues Built::run(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                         const CancelToken& cancel) const {
  if (ids.empty()) throw UsageError("--ids: expected at least one number");
  check(ids, vocabulary_, "--ids");
  if (!type_ids.empty() && types_ == 0) throw UsageError("--type-ids: this model has no kinds of sentences");
  if (!type_ids.empty() && type_ids.size() != ids.size())
    throw UsageError("--type-ids: expected " + std::to_string(ids.size()) + " numbers, as many as ids, found " +
                     std::to_string(type_ids.size()));
  check(type_ids, types_, "--type-ids");
  const auto length = static_cast<Index>(ids.size());
  if (positions_ > 0 && length > positions_)
    throw UsageError("--ids: this model has " + std::to_string(positions_) + " positions, found " +
                     std::to_string(length) + " ids");
  Keeper keeper(cancel);
  std::string side = encoder_ ? "encoder" : "decoder";
  Tensor logits;
  if (encoder_) {
    if (!type_ids.empty()) keeper.kinds = kinds_of(type_ids);
    const auto decoding = model_->begin(Source(column(ids)), Pass(Tap(keeper)));
    if (predicts_) logits = decoding->advance(column(ids), Pass());
  } else {
    // All rows of the text at once; the token behind it is read by nobody.
    std::vector<TokenId> and_one_more = ids;
    and_one_more.push_back(ids.back());
    model_->begin(Source(column(and_one_more)), Pass(Tap(keeper)));
    if (predicts_) logits = model_->begin(Source(column({ids.front()})), Pass())->advance(column(ids), Pass());
  }
  const auto value = [&](const std::string& site) {
    const Tensor& found = keeper.values.at(side + "." + site);
    return found.rank() == 3 && found.dim(0) == 1 && !site.ends_with("weights")
               ? found.view(0, {found.dim(1), found.dim(2)})
               : found;
  };
  LibraryValues values;
  values.push_back({"hidden_states.0", value("embed.out")});
  for (Index l = 0; l < layers_; ++l) {
    const std::string layer = "layer[" + std::to_string(l) + "].";
    const bool last = l + 1 == layers_;
    values.push_back({"hidden_states." + std::to_string(l + 1), encoder_ ? value(layer + "norm2.out")
                                                                : last   ? value("final_norm.out")
                                                                         : value(layer + "residual2")});
  }
  const Tensor states = values.back().value;
  for (Index l = 0; l < layers_; ++l)
    values.push_back(
        {"attentions." + std::to_string(l), value("layer[" + std::to_string(l) + "].self_attn.head.weights")});
  values.push_back({"last_hidden_state", states});
  if (logits.defined())
    values.push_back({pretraining_ ? "prediction_logits" : "logits", logits.view(0, {length, logits.size() / length})});
  add_top(states, values);
  return values;
}

// What each token's kind of sentence differs from the first kind, [T x d].
Tensor Built::kinds_of(const std::vector<TokenId>& type_ids) const {
  for (const Parameter& parameter : model_->parameters().all()) {
    if (parameter.name != "encoder.type.W") continue;
    Tensor rows({static_cast<Index>(type_ids.size()), parameter.value.columns()});
    for (Index t = 0; t < rows.rows(); ++t)
      rows.matrix().row(t) =
          parameter.value.matrix().row(type_ids[static_cast<std::size_t>(t)]) - parameter.value.matrix().row(0);
    return rows;
  }
  return {};
}

void Built::add_top(const Tensor& last, LibraryValues& values) const {
  Tensor pooled;
  if (pooler_) {
    pooled = mapped(pooler_(row_of(last, 0)), [](Scalar x) { return std::tanh(x); });
    values.push_back({"pooler_output", flat(pooled)});
  }
  if (next_ && pooled.defined()) values.push_back({"seq_relationship_logits", flat(next_(pooled))});
  if (answers_) {
    const Tensor both = tokens_(last);
    for (const Index end : {0, 1}) {
      Tensor one({both.rows()});
      for (Index t = 0; t < both.rows(); ++t) one[t] = both[t * both.columns() + end];
      values.push_back({end == 0 ? "start_logits" : "end_logits", one});
    }
  } else if (tokens_) {
    values.push_back({"logits", tokens_(last)});
  } else if (classes_) {
    Tensor x = on_last_ ? row_of(last, last.rows() - 1) : on_first_ || !pooled.defined() ? row_of(last, 0) : pooled;
    if (before_)
      x = tanh_before_ ? mapped(before_(x), [](Scalar v) { return std::tanh(v); })
                       : mapped(before_(x), [](Scalar v) { return std::max(v, Scalar(0)); });
    values.push_back({"logits", flat(classes_(x))});
  }
}

std::vector<TokenId> Built::continued(const std::vector<TokenId>& ids, int count, const CancelToken& cancel) const {
  if (encoder_ || !predicts_) throw UsageError("--new-tokens: this model does not continue a text");
  if (!generation_problem_.empty()) throw UsageError(generation_problem_);
  if (ids.empty()) throw UsageError("--ids: expected at least one number");
  check(ids, vocabulary_, "--ids");
  std::vector<TokenId> written;
  std::set<TokenId> seen(ids.begin(), ids.end());
  const auto decoding = model_->begin(Source(column(ids)), Pass());
  TokenId next = ids.back();
  while (static_cast<int>(written.size()) < count) {
    cancel.check();
    if (positions_ > 0 && static_cast<Index>(ids.size() + written.size()) > positions_) break;
    Tensor logits = decoding->advance(column({next}), Pass()).clone();
    if (repetition_penalty_ != 1)
      for (const TokenId id : seen)
        logits[id] = static_cast<Scalar>(logits[id] < 0 ? static_cast<double>(logits[id]) * repetition_penalty_
                                                        : static_cast<double>(logits[id]) / repetition_penalty_);
    Index best = 0;
    for (Index i = 1; i < logits.size(); ++i)
      if (logits[i] > logits[best]) best = i;
    next = static_cast<TokenId>(best);
    written.push_back(next);
    seen.insert(next);
    if (ends_.count(next)) break;
  }
  return written;
}

}  // namespace

std::string why_not(const Json& config) {
  const std::string type = type_of(config), named = "models of model_type \"" + type + "\"";
  const Family* family = family_of(type);
  if (!family) return named + " do not run here";
  try {
    for (const auto& [key, value] : config.items()) {
      const auto fixed =
          std::find_if(family->fixed.begin(), family->fixed.end(), [k = &key](const Fixed& f) { return *k == f.key; });
      if (fixed != family->fixed.end()) {
        if (!value.is_null() && std::find(fixed->values.begin(), fixed->values.end(), value) == fixed->values.end())
          return named + " with " + key + " " + value.dump(-1, ' ', true).substr(0, 60) + " do not run here";
      } else if (std::none_of(family->keys.begin(), family->keys.end(),
                              [k = &key](const char* known) { return *k == known; }) &&
                 !changes_nothing(key)) {
        return named + " with the setting \"" + key + "\" do not run here: it is not known";
      }
    }
    family->settings(config);
  } catch (const FormatError& error) {
    return named + " do not run with this configuration: " + error.what();
  }
  return {};
}

std::shared_ptr<const PretrainedModel> build_pretrained(const Json& config, const Json& generation,
                                                        const TensorFile& tensors, const std::string& where,
                                                        const CancelToken& cancel) {
  if (const std::string reason = why_not(config); !reason.empty())
    throw FormatError(where + ": config.json: " + reason);
  return std::make_shared<const Built>(config, generation, *family_of(type_of(config)), tensors, where, cancel);
}

}  // namespace headlight
