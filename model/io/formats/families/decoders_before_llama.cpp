// Decoders with networks without gates: BLOOM, GPT-J, CodeGen, Phi, Falcon.

#include "model/core/errors.h"
#include "model/io/formats/families/decoders.h"

namespace headlight::families {

namespace {

// Sizes by their keys, layer norm, sublayers without gates.
Json plain_decoder(const Json& c, const char* width, const char* heads, const char* layers, Index hidden) {
  Json s = of_size(whole(c, "vocab_size"), whole(c, width), whole(c, heads), hidden, "decoder_only", "decoder_layers",
                   whole(c, layers));
  s["norm_epsilon"] = real(c, "layer_norm_epsilon", 1e-5);
  s["prompt"] = "continue";
  return s;
}
Index head_size(const Json& s) {
  const Index heads = s.at("heads").get<Index>();
  return heads > 0 ? s.at("model_size").get<Index>() / heads : 0;
}
void set_tie(Json& s, const Json& c, bool usual) { s["tie"] = yes(c, "tie_word_embeddings", usual) ? "all" : "none"; }

// BigScience 2022: slopes instead of positions.
Json bloom_settings(const Json& c) {
  Json s = plain_decoder(c, "n_embed", "n_head", "n_layer", 4 * whole(c, "n_embed"));
  s["embedding_norm"] = true;
  s["activation"] = "gelu_tanh";
  s["positions"] = "alibi";
  s["sum_of_normed"] = yes(c, "apply_residual_connection_post_layernorm", false);
  set_tie(s, c, true);
  return s;
}
// Wang & Komatsuzaki 2021: attention and network read the same norm, side by side.
Json gptj_settings(const Json& c) {
  Json s = plain_decoder(c, "n_embd", "n_head", "n_layer", whole(c, "n_inner", 4 * whole(c, "n_embd")));
  s["activation"] = activation(c, "activation_function", "gelu_new");
  s["parallel_sublayers"] = s["shared_norm"] = true;
  set_biases(s, false, false, true);
  s["output_bias"] = "yes";
  s["positions"] = "rotary";
  s["rotary_pairs"] = "neighbours";
  const bool whole_heads = c.contains("rotary_dim") && !given(c, "rotary_dim");  // null
  if (whole_heads && s.at("heads") != 1) wrong("rotary_dim", "a number", nullptr);
  s["rotary_size"] = whole_heads ? head_size(s) : whole(c, "rotary_dim", 64);
  if (s.at("rotary_size") == 0) wrong("rotary_dim", "a number above 0", 0);
  set_tie(s, c, false);
  return s;
}
// Nijkamp et al. 2022.
Json codegen_settings(const Json& c) {
  Json s = gptj_settings(c);
  if (s.at("heads").get<Index>() % kBlocks != 0) wrong("n_head", "a multiple of 4", c.at("n_head"));
  return s;
}
// Li et al. 2023.
Json phi_settings(const Json& c) {
  Json s = after_llama(c, {.epsilon = 1e-5,
                           .epsilon_key = "layer_norm_eps",
                           .activation = "gelu_new",
                           .rope = {.share = 0.5},
                           .in_part = true,
                           .layer_norm = true});
  s["gated"] = false;
  set_biases(s, true, true, true);
  s["parallel_sublayers"] = s["shared_norm"] = true;
  s["output_bias"] = "yes";
  if (yes(c, "qk_layernorm", false)) {
    s["qk_norm"] = s["qk_norm_bias"] = true;
    s["qk_norm_kind"] = "layer";
  }
  return s;
}
// Almazrouei et al. 2023: three generations, by new_decoder_architecture, multi_query and alibi.
Json falcon_settings(const Json& given_config) {
  Json c = given_config;
  if (given(c, "n_embed")) c["hidden_size"] = c["n_embed"];  // the older name counts
  const Index heads = whole(c, "num_attention_heads");
  Json s = plain_decoder(c, "hidden_size", "num_attention_heads", "num_hidden_layers",
                         whole(c, "ffn_hidden_size", 4 * whole(c, "hidden_size")));
  const bool groups = yes(c, "new_decoder_architecture", false), parallel = yes(c, "parallel_attn", true),
             slopes = yes(c, "alibi", false), bias = yes(c, "bias", false);
  s["key_value_heads"] = groups ? whole(c, "num_kv_heads", heads) : yes(c, "multi_query", true) ? Index(1) : heads;
  s["activation"] = activation(c, "activation", "gelu");
  set_biases(s, bias, bias, bias);
  const Index norms = whole(c, "num_ln_in_parallel_attn", groups ? 2 : 1);
  if (norms < 1 || norms > (groups ? 2 : 1))
    wrong("num_ln_in_parallel_attn", groups ? "1 or 2" : "1", c.at("num_ln_in_parallel_attn"));
  if (groups && !parallel) wrong("parallel_attn", "true, where new_decoder_architecture is", c.at("parallel_attn"));
  s["parallel_sublayers"] = parallel;
  s["shared_norm"] = parallel && norms == 1;
  if (slopes) {
    s["positions"] = "alibi";
    s["alibi_rounded"] = s["alibi_scaled"] = true;
  } else {
    const Rope rope = rope_of(c, {});
    refuse_share(rope);
    set_rope(s, rope, head_size(s));
  }
  set_tie(s, c, true);
  return s;
}

const std::string kHere = "h.#.";

Names around_blocks(const std::string& table) {
  Names n;
  n.tied({table + ".weight", "lm_head.weight"}).one("decoder.embed.W", table + ".weight");
  n.norm("decoder.final_norm", "ln_f").linear("output", "", "lm_head");
  return n;
}
// BLOOM and Falcon.
Names bloom_names() {
  Names n = around_blocks("word_embeddings");
  n.norm("decoder.embed.norm", "word_embeddings_layernorm");
  n.fused(kOurLayer + ".self_attn", kHere + "self_attention.query_key_value", How::first_of_heads);
  n.linear(kOurLayer + ".self_attn", "_o", kHere + "self_attention.dense");
  n.norm(kOurLayer + ".norm1", kHere + "input_layernorm").norm(kOurLayer + ".norm1", kHere + "ln_attn");
  n.norm(kOurLayer + ".norm2", kHere + "post_attention_layernorm").norm(kOurLayer + ".norm2", kHere + "ln_mlp");
  n.linear(kOurLayer + ".ffn", "1", kHere + "mlp.dense_h_to_4h");
  n.linear(kOurLayer + ".ffn", "2", kHere + "mlp.dense_4h_to_h");
  return n;
}
Names gptj_names() {
  Names n = around_blocks("wte");
  n.attention(kOurLayer + ".self_attn", kHere + "attn", {"q_proj", "k_proj", "v_proj", "out_proj"});
  n.norm(kOurLayer + ".norm1", kHere + "ln_1");
  n.linear(kOurLayer + ".ffn", "1", kHere + "mlp.fc_in").linear(kOurLayer + ".ffn", "2", kHere + "mlp.fc_out");
  return n;
}
Names codegen_names() {
  Names n = gptj_names();
  const std::string fused = kHere + "attn.qkv_proj.weight";
  n.one(kOurLayer + ".self_attn.W_q", fused, How::first_of_blocks);
  n.one(kOurLayer + ".self_attn.W_v", fused, How::middle_of_blocks);
  n.one(kOurLayer + ".self_attn.W_k", fused, How::last_of_blocks);
  return n;
}
Names phi_names() {
  Names n;
  n.tied({"embed_tokens.weight", "lm_head.weight"}).one("decoder.embed.W", "embed_tokens.weight");
  n.attention(kOurLayer + ".self_attn", kLlamaLayer + "self_attn", {"q_proj", "k_proj", "v_proj", "dense"});
  n.fused(kOurLayer + ".self_attn", kLlamaLayer + "self_attn.qkv_proj", How::first_rows);  // of GGUF files
  n.norm(kOurLayer + ".self_attn.q_norm", kLlamaLayer + "self_attn.q_layernorm");
  n.norm(kOurLayer + ".self_attn.k_norm", kLlamaLayer + "self_attn.k_layernorm");
  n.norm(kOurLayer + ".norm1", kLlamaLayer + "input_layernorm");
  n.linear(kOurLayer + ".ffn", "1", kLlamaLayer + "mlp.fc1").linear(kOurLayer + ".ffn", "2", kLlamaLayer + "mlp.fc2");
  n.norm("decoder.final_norm", "final_layernorm").linear("output", "", "lm_head");
  return n;
}

}  // namespace

std::vector<Family> decoders_before_llama() {
  const std::vector<std::string> buffers = {"attn.bias", "attn.masked_bias", "causal_mask", "embed_positions"};
  return decoder_rows({
      {"bloom",
       "n_embed n_head n_layer n_inner layer_norm_epsilon apply_residual_connection_post_layernorm offset_alibi "
       "skip_bias_add skip_bias_add_qkv slow_but_exact",
       {},
       bloom_settings,
       bloom_names()},
      {"gptj",
       "n_embd n_head n_layer n_inner n_positions layer_norm_epsilon activation_function rotary rotary_dim "
       "scale_attn_weights",
       {},
       gptj_settings,
       gptj_names(),
       buffers},
      {"codegen",
       "n_embd n_head n_layer n_inner n_positions layer_norm_epsilon activation_function rotary rotary_dim "
       "scale_attn_weights",
       {},
       codegen_settings,
       codegen_names(),
       buffers},
      {"phi", "layer_norm_eps qk_layernorm fused_dense", {}, phi_settings, phi_names()},
      {"falcon",
       "n_embed ffn_hidden_size layer_norm_epsilon activation alibi bias multi_query parallel_attn "
       "new_decoder_architecture num_kv_heads num_ln_in_parallel_attn "
       "apply_residual_connection_post_layernorm ff_factor",
       {},
       falcon_settings,
       bloom_names()},
  });
}

}  // namespace headlight::families
