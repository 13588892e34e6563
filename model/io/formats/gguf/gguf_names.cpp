// The names of tensors, in GGUF files and in the folders that they were made from.

#include "model/io/formats/gguf/gguf_architecture.h"

namespace headlight::gguf {

namespace {

using Names = std::vector<TensorName>;

Names and_more(Names names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}
// Around the layers of most decoders.
Names around(const std::string& model, const std::string& norm) {
  return {{"token_embd", model + "embed_tokens"}, {"output_norm", model + norm}, {"output", "lm_head"}};
}
const std::string kLayer = "model.layers.#.", kHere = "blk.#.";
// Queries, keys, values and output; `moved`: rows of queries and keys.
Names attention(bool moved, const char* output = "o_proj") {
  const std::string at = kLayer + "self_attn.";
  return {{kHere + "attn_q", at + "q_proj", moved ? Undo::pairs : Undo::nothing},
          {kHere + "attn_k", at + "k_proj", moved ? Undo::pairs_of_keys : Undo::nothing},
          {kHere + "attn_v", at + "v_proj"},
          {kHere + "attn_output", at + output}};
}
Names norms_of_heads(Undo undo = Undo::nothing) {
  return {{kHere + "attn_q_norm", kLayer + "self_attn.q_norm", undo},
          {kHere + "attn_k_norm", kLayer + "self_attn.k_norm", undo}};
}
Names units() {
  return {{kHere + "ffn_gate", kLayer + "mlp.gate_proj"},
          {kHere + "ffn_up", kLayer + "mlp.up_proj"},
          {kHere + "ffn_down", kLayer + "mlp.down_proj"}};
}
Names two_norms(Undo undo = Undo::nothing) {
  return {{kHere + "attn_norm", kLayer + "input_layernorm", undo},
          {kHere + "ffn_norm", kLayer + "post_attention_layernorm", undo}};
}
Names llama_names(bool moved) {
  return and_more(and_more(around("model.", "norm"), attention(moved)), and_more(units(), two_norms()));
}
Names qwen_names() { return and_more(llama_names(false), norms_of_heads()); }
// The router, and a tensor for each matrix of all experts.
Names experts(const std::string& place, const char* router = ".gate") {
  const std::string at = kLayer + place;
  return {{kHere + "ffn_gate_inp", at + router},
          {kHere + "ffn_gate_exps", at + ".experts.gate_proj"},
          {kHere + "ffn_up_exps", at + ".experts.up_proj"},
          {kHere + "ffn_down_exps", at + ".experts.down_proj"}};
}
Names shared_expert() {
  const std::string at = kLayer + "mlp.shared_expert";
  return {{kHere + "ffn_gate_inp_shexp", at + "_gate", Undo::row},
          {kHere + "ffn_gate_shexp", at + ".gate_proj"},
          {kHere + "ffn_up_shexp", at + ".up_proj"},
          {kHere + "ffn_down_shexp", at + ".down_proj"}};
}
// The experts that every token goes to, and what is added to a router's choice.
Names shared_and_biased() {
  const std::string at = kLayer + "mlp.";
  return {{kHere + "ffn_gate_shexp", at + "shared_experts.gate_proj"},
          {kHere + "ffn_up_shexp", at + "shared_experts.up_proj"},
          {kHere + "ffn_down_shexp", at + "shared_experts.down_proj"},
          {kHere + "exp_probs_b", at + "gate.e_score_correction_bias", Undo::no_ending}};
}
Names glm4_moe_names() {
  Names names = and_more(and_more(around("model.", "norm"), attention(false)), and_more(norms_of_heads(), units()));
  names = and_more(names, and_more(experts("mlp"), shared_and_biased()));
  for (const char* guess : {"eh_proj", "embed_tokens", "enorm", "hnorm"})  // of layers that do not run
    names.push_back({kHere + "nextn." + guess, kLayer + guess});
  for (const char* guess : {"head", "norm"})
    names.push_back({kHere + "nextn.shared_head_" + guess, kLayer + "shared_head." + guess});
  return and_more(names, {{kHere + "attn_norm", kLayer + "input_layernorm"},
                          {kHere + "post_attention_norm", kLayer + "post_attention_layernorm"}});
}
// Latent attention; files of before 2025 have attn_kv_b in one.
Names deepseek2_names() {
  const std::string at = kLayer + "self_attn.";
  Names names = and_more(and_more(around("model.", "norm"), two_norms()), and_more(units(), experts("mlp")));
  names = and_more(names, shared_and_biased());
  return and_more(names, {{kHere + "attn_q", at + "q_proj"},
                          {kHere + "attn_q_a", at + "q_a_proj"},
                          {kHere + "attn_q_a_norm", at + "q_a_layernorm"},
                          {kHere + "attn_q_b", at + "q_b_proj"},
                          {kHere + "attn_kv_a_mqa", at + "kv_a_proj_with_mqa"},
                          {kHere + "attn_kv_a_norm", at + "kv_a_layernorm"},
                          {kHere + "attn_kv_b", at + "kv_b_proj"},
                          {kHere + "attn_k_b", at + "kv_b_proj", Undo::heads_apart},
                          {kHere + "attn_v_b", at + "kv_b_proj", Undo::in_another},
                          {kHere + "attn_output", at + "o_proj"}});
}
Names gpt_oss_names() {
  return and_more(and_more(around("model.", "norm"), and_more(attention(false), experts("mlp", ".router"))),
                  {{kHere + "attn_norm", kLayer + "input_layernorm"},
                   {kHere + "post_attention_norm", kLayer + "post_attention_layernorm"},
                   {kHere + "attn_sinks", kLayer + "self_attn.sinks", Undo::no_ending}});
}
Names phi3_names() {
  return and_more(and_more(around("model.", "norm"), two_norms()),
                  {{kHere + "attn_qkv", kLayer + "self_attn.qkv_proj"},
                   {kHere + "attn_output", kLayer + "self_attn.o_proj"},
                   {kHere + "ffn_up", kLayer + "mlp.gate_up_proj"},
                   {kHere + "ffn_down", kLayer + "mlp.down_proj"}});
}
Names gemma_names(bool four_norms) {
  Names names = and_more(and_more(attention(false), units()), norms_of_heads(Undo::plus_one));
  names = and_more(names, {{"token_embd", "model.embed_tokens"},
                           {"output_norm", "model.norm", Undo::plus_one},
                           {"output", "lm_head"},
                           {kHere + "attn_norm", kLayer + "input_layernorm", Undo::plus_one}});
  const std::string before = kLayer + (four_norms ? "pre_feedforward_layernorm" : "post_attention_layernorm");
  names.push_back({kHere + "ffn_norm", before, Undo::plus_one});
  names.push_back({kHere + "post_attention_norm", kLayer + "post_attention_layernorm", Undo::plus_one});
  names.push_back({kHere + "post_ffw_norm", kLayer + "post_feedforward_layernorm", Undo::plus_one});
  return names;
}
Names gpt2_names() {
  return {{"token_embd", "transformer.wte"},
          {"position_embd", "transformer.wpe"},
          {"output_norm", "transformer.ln_f"},
          {"output", "lm_head"},
          {kHere + "attn_norm", "transformer.h.#.ln_1"},
          {kHere + "attn_qkv", "transformer.h.#.attn.c_attn", Undo::transposed},
          {kHere + "attn_output", "transformer.h.#.attn.c_proj", Undo::transposed},
          {kHere + "ffn_norm", "transformer.h.#.ln_2"},
          {kHere + "ffn_up", "transformer.h.#.mlp.c_fc", Undo::transposed},
          {kHere + "ffn_down", "transformer.h.#.mlp.c_proj", Undo::transposed}};
}
Names neox_names() {
  const std::string at = "gpt_neox.layers.#.";
  return {{"token_embd", "gpt_neox.embed_in"},
          {"output_norm", "gpt_neox.final_layer_norm"},
          {"output", "embed_out"},
          {kHere + "attn_norm", at + "input_layernorm"},
          {kHere + "attn_qkv", at + "attention.query_key_value", Undo::parts_of_heads},
          {kHere + "attn_output", at + "attention.dense"},
          {kHere + "ffn_norm", at + "post_attention_layernorm"},
          {kHere + "ffn_up", at + "mlp.dense_h_to_4h"},
          {kHere + "ffn_down", at + "mlp.dense_4h_to_h"}};
}
// Falcon and BLOOM. Falcon's attn_norm is before the feed-forward network where there is an attn_norm_2.
Names bloom_names(const char* norm) {
  const std::string at = "transformer.h.#.", attn = at + "self_attention.";
  return {{"token_embd", "transformer.word_embeddings"},
          {"token_embd_norm", "transformer.word_embeddings_layernorm"},
          {"output_norm", "transformer.ln_f"},
          {"output", "lm_head"},
          {kHere + "attn_norm_2", at + "ln_attn"},
          {kHere + "attn_norm", at + norm},
          {kHere + "attn_qkv", attn + "query_key_value", Undo::parts_of_heads},
          {kHere + "attn_output", attn + "dense"},
          {kHere + "ffn_norm", at + "post_attention_layernorm"},
          {kHere + "ffn_up", at + "mlp.dense_h_to_4h"},
          {kHere + "ffn_down", at + "mlp.dense_4h_to_h"}};
}
Names bert_names() {
  const std::string at = "encoder.layer.#.";
  return {{"token_embd", "embeddings.word_embeddings"},
          {"position_embd", "embeddings.position_embeddings"},
          {"token_types", "embeddings.token_type_embeddings"},
          {"token_embd_norm", "embeddings.LayerNorm"},
          {kHere + "attn_q", at + "attention.self.query"},
          {kHere + "attn_k", at + "attention.self.key"},
          {kHere + "attn_v", at + "attention.self.value"},
          {kHere + "attn_output", at + "attention.output.dense"},
          {kHere + "attn_output_norm", at + "attention.output.LayerNorm"},
          {kHere + "ffn_up", at + "intermediate.dense"},
          {kHere + "ffn_down", at + "output.dense"},
          {kHere + "layer_output_norm", at + "output.LayerNorm"}};
}
Names nomic_names() {
  const std::string at = "encoder.layers.#.";
  return {{"token_embd", "embeddings.word_embeddings"},
          {"token_types", "embeddings.token_type_embeddings"},
          {"token_embd_norm", "emb_ln"},
          {kHere + "attn_qkv", at + "attn.Wqkv"},
          {kHere + "attn_output", at + "attn.out_proj"},
          {kHere + "attn_output_norm", at + "norm1"},
          {kHere + "ffn_up", at + "mlp.fc11"},
          {kHere + "ffn_gate", at + "mlp.fc12"},
          {kHere + "ffn_down", at + "mlp.fc2"},
          {kHere + "layer_output_norm", at + "norm2"}};
}
Names nemotron_names() {
  Names names = and_more(and_more(attention(false), units()), two_norms(Undo::plus_one));
  return and_more(
      names,
      {{"token_embd", "model.embed_tokens"}, {"output_norm", "model.norm", Undo::plus_one}, {"output", "lm_head"}});
}
Names t5_names(bool gated) {
  Names names = {{"token_embd", "shared"}, {"output", "lm_head"}};
  for (const std::string side : {"enc", "dec"}) {
    const bool reads = side == "enc";
    const std::string here = side + ".blk.#.", there = (reads ? "encoder" : "decoder") + std::string(".block.#.layer."),
                      unit = there + (reads ? "1." : "2.");
    names =
        and_more(names, {{side + ".output_norm", (reads ? "encoder" : "decoder") + std::string(".final_layer_norm")},
                         {here + "attn_rel_b", there + "0.SelfAttention.relative_attention_bias"},
                         {here + "attn_norm", there + "0.layer_norm"},
                         {here + "ffn_norm", unit + "layer_norm"},
                         {here + "ffn_gate", unit + "DenseReluDense.wi_0"},
                         {here + "ffn_up", unit + (gated ? "DenseReluDense.wi_1" : "DenseReluDense.wi")},
                         {here + "ffn_down", unit + "DenseReluDense.wo"}});
    for (const std::string part : {"q", "k", "v", "o"}) {
      names.push_back({here + "attn_" + part, there + "0.SelfAttention." + part});
      if (!reads) names.push_back({here + "cross_attn_" + part, there + "1.EncDecAttention." + part});
    }
    if (!reads) names.push_back({here + "cross_attn_norm", there + "1.layer_norm"});
  }
  return names;
}
// Phi, before it had gates.
Names phi2_names() {
  return and_more(and_more(around("model.", "final_layernorm"), attention(false, "dense")),
                  {{kHere + "attn_qkv", kLayer + "self_attn.qkv_proj"},
                   {kHere + "attn_norm", kLayer + "input_layernorm"},
                   {kHere + "ffn_up", kLayer + "mlp.fc1"},
                   {kHere + "ffn_down", kLayer + "mlp.fc2"}});
}
Names starcoder2_names() {
  return and_more(
      and_more(around("model.", "norm"), attention(false)),
      and_more(two_norms(), {{kHere + "ffn_up", kLayer + "mlp.c_fc"}, {kHere + "ffn_down", kLayer + "mlp.c_proj"}}));
}
// Norms behind attention and feed-forward network alone.
Names olmo2_names() {
  return and_more(and_more(and_more(around("model.", "norm"), attention(false)), and_more(units(), norms_of_heads())),
                  {{kHere + "post_attention_norm", kLayer + "post_attention_layernorm"},
                   {kHere + "post_ffw_norm", kLayer + "post_feedforward_layernorm"}});
}
Names glm4_names() {
  return and_more(and_more(around("model.", "norm"), attention(false)),
                  {{kHere + "attn_norm", kLayer + "input_layernorm"},
                   {kHere + "post_attention_norm", kLayer + "post_self_attn_layernorm"},
                   {kHere + "ffn_norm", kLayer + "post_attention_layernorm"},
                   {kHere + "post_ffw_norm", kLayer + "post_mlp_layernorm"},
                   {kHere + "ffn_up", kLayer + "mlp.gate_up_proj"},
                   {kHere + "ffn_down", kLayer + "mlp.down_proj"}});
}

const Architecture kArchitectures[] = {
    {"llama", "llama", [](const GgufFile&) { return and_more(llama_names(true), experts("block_sparse_moe")); }},
    {"qwen2", "qwen2", [](const GgufFile&) { return llama_names(false); }},
    {"qwen3", "qwen3", [](const GgufFile&) { return qwen_names(); }},
    {"phi3", "phi3", [](const GgufFile&) { return phi3_names(); }},
    {"gemma", "gemma", [](const GgufFile&) { return gemma_names(false); }},
    {"gemma2", "gemma2", [](const GgufFile&) { return gemma_names(true); }},
    {"gemma3", "gemma3_text", [](const GgufFile&) { return gemma_names(true); }},
    {"gpt2", "gpt2", [](const GgufFile&) { return gpt2_names(); }},
    {"gptneox", "gpt_neox", [](const GgufFile&) { return neox_names(); }},
    {"bert", "bert", [](const GgufFile&) { return bert_names(); }},
    {"t5", "t5",
     [](const GgufFile& file) { return t5_names(file.find_tensor("enc.blk.0.ffn_gate.weight").has_value()); }},
    {"nomic-bert", "nomic_bert", [](const GgufFile&) { return nomic_names(); }},
    {"nemotron", "nemotron", [](const GgufFile&) { return nemotron_names(); }},
    {"phi2", "phi", [](const GgufFile&) { return phi2_names(); }},
    {"starcoder2", "starcoder2", [](const GgufFile&) { return starcoder2_names(); }},
    {"stablelm", "stablelm", [](const GgufFile&) { return qwen_names(); }},
    {"olmo", "olmo", [](const GgufFile&) { return llama_names(true); }},
    {"olmo2", "olmo2", [](const GgufFile&) { return olmo2_names(); }},
    {"command-r", "cohere", [](const GgufFile&) { return qwen_names(); }},
    {"cohere2", "cohere2", [](const GgufFile&) { return llama_names(false); }},
    {"granite", "granite", [](const GgufFile&) { return llama_names(true); }},
    {"smollm3", "smollm3", [](const GgufFile&) { return llama_names(true); }},
    {"ernie4_5", "ernie4_5", [](const GgufFile&) { return llama_names(false); }},
    {"glm4", "glm4", [](const GgufFile&) { return glm4_names(); }},
    {"qwen2moe", "qwen2_moe",
     [](const GgufFile&) { return and_more(llama_names(false), and_more(experts("mlp"), shared_expert())); }},
    {"qwen3moe", "qwen3_moe", [](const GgufFile&) { return and_more(qwen_names(), experts("mlp")); }},
    {"olmoe", "olmoe", [](const GgufFile&) { return and_more(qwen_names(), experts("mlp")); }},
    {"granitemoe", "granitemoe",
     [](const GgufFile&) { return and_more(llama_names(true), experts("block_sparse_moe", ".router.layer")); }},
    {"phimoe", "phimoe", [](const GgufFile&) { return and_more(llama_names(false), experts("block_sparse_moe")); }},
    {"deepseek2", "deepseek_v3", [](const GgufFile&) { return deepseek2_names(); }},
    {"glm4moe", "glm4_moe", [](const GgufFile&) { return glm4_moe_names(); }},
    {"gpt-oss", "gpt_oss", [](const GgufFile&) { return gpt_oss_names(); }},
    {"bloom", "bloom", [](const GgufFile&) { return bloom_names("input_layernorm"); }},
    {"falcon", "falcon",
     [](const GgufFile& file) {
       return bloom_names(file.find_tensor("blk.0.attn_norm_2.weight") ? "ln_mlp" : "input_layernorm");
     }},
};

}  // namespace

const Architecture* architecture_of(const std::string& name) {
  for (const Architecture& each : kArchitectures)
    if (name == each.name) return &each;
  return nullptr;
}

}  // namespace headlight::gguf
