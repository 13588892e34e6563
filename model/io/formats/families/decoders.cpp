#include "model/io/formats/families/decoders.h"

#include <algorithm>

#include "model/core/ascii.h"
#include "model/core/errors.h"

namespace headlight::families {

// What all of them have in common. Touvron et al. 2023.
Json decoder_settings(const Json& c, Index head_size, const char* act, bool tied) {
  const Index heads = whole(c, "num_attention_heads");
  Json s = of_size(whole(c, "vocab_size"), whole(c, "hidden_size"), heads, whole(c, "intermediate_size"),
                   "decoder_only", "decoder_layers", whole(c, "num_hidden_layers"));
  s["key_value_heads"] = whole(c, "num_key_value_heads", heads);
  s["head_size"] = whole(c, "head_dim", head_size);
  s["norm"] = "rms";
  s["norm_bias"] = false;
  s["norm_epsilon"] = real(c, "rms_norm_eps", 1e-6);
  s["activation"] = act;
  s["gated"] = true;
  s["attention_bias"] = s["projection_bias"] = yes(c, "attention_bias", false);
  s["ffn_bias"] = yes(c, "mlp_bias", false);
  s["tie"] = yes(c, "tie_word_embeddings", tied) ? "all" : "none";
  s["prompt"] = "continue";
  return s;
}
Index usual_head_size(const Json& c) {
  const Index heads = whole(c, "num_attention_heads");
  return heads > 0 ? whole(c, "hidden_size") / heads : 0;
}
void set_windows(Json& s, const Json& c, Index window, bool (*local)(const Json&, Index)) {
  s["layer_windows"] = windows(local_layers(c, s.at("decoder_layers").get<Index>(), local), window);
}
Index head_size_of(const Json& s) { return s.at("head_size").get<Index>(); }
void turn_whole_heads(Json& s, const Json& c) {
  const Rope rope = rope_of(c, {});
  refuse_share(rope);
  set_rope(s, rope, head_size_of(s));
}

bool every_layer(const Json&, Index) { return true; }

void set_biases(Json& s, bool attention, bool output, bool ffn) {
  s["attention_bias"] = attention;
  s["projection_bias"] = output;
  s["ffn_bias"] = ffn;
}

Json after_llama(const Json& given_config, const Usual& usual) {
  Json c = given_config;
  if (usual.key_value_heads > 0 && !given(c, "num_key_value_heads"))
    c["num_key_value_heads"] = static_cast<std::uint64_t>(usual.key_value_heads);
  Json s = decoder_settings(c, usual.head_size > 0 ? usual.head_size : usual_head_size(c),
                            activation(c, "hidden_act", usual.activation).c_str(), usual.tied);
  s["norm_epsilon"] = real(c, usual.epsilon_key, usual.epsilon);
  if (usual.layer_norm) s["norm"] = "layer";
  if (usual.layer_norm) s["norm_bias"] = true;
  const Rope rope = rope_of(c, usual.rope);
  if (!usual.in_part) refuse_share(rope);
  set_rope(s, rope, head_size_of(s));
  if (usual.neighbours) s["rotary_pairs"] = "neighbours";
  return s;
}

Names around_layers(How norm) {
  Names n;
  n.tied({"embed_tokens.weight", "lm_head.weight"}).one("decoder.embed.W", "embed_tokens.weight");
  n.norm(kOurLayer + ".norm1", kLlamaLayer + "input_layernorm", norm);
  n.norm("decoder.final_norm", "norm", norm);
  n.one("output.W", "lm_head.weight", How::transposed);
  return n;
}
void add_sublayers(Names& n, How norm) {
  n.attention(kOurLayer + ".self_attn", kLlamaLayer + "self_attn", {"q_proj", "k_proj", "v_proj", "o_proj"});
  n.norm(kOurLayer + ".self_attn.q_norm", kLlamaLayer + "self_attn.q_norm", norm);
  n.norm(kOurLayer + ".self_attn.k_norm", kLlamaLayer + "self_attn.k_norm", norm);
  n.linear(kOurLayer + ".ffn", "_gate", kLlamaLayer + "mlp.gate_proj")
      .linear(kOurLayer + ".ffn", "1", kLlamaLayer + "mlp.up_proj");
  n.linear(kOurLayer + ".ffn", "2", kLlamaLayer + "mlp.down_proj");
}
Names llama_names() {
  Names n = around_layers(How::copied);
  add_sublayers(n, How::copied);
  n.norm(kOurLayer + ".norm2", kLlamaLayer + "post_attention_layernorm");
  return n;
}

double above_zero(const Json& c, const char* key, double fallback) {
  const double value = real(c, key, fallback);
  if (!(value > 0)) wrong(key, "a number above 0", c.at(key));
  return value;
}
// Granite Team 2024: a factor wherever something is scaled.
Json granite_settings(const Json& c) {
  Json s = after_llama(c, {});
  s["embedding_scale"] = above_zero(c, "embedding_multiplier", 1);
  s["score_scale"] = above_zero(c, "attention_multiplier", 1);
  s["residual_scale"] = real(c, "residual_multiplier", 1);
  s["output_scale"] = 1 / above_zero(c, "logits_scaling", 1);
  return s;
}

std::vector<Family> decoder_rows(std::vector<DecoderRow> rows) {
  const std::vector<std::string> both = words_in("vocab_size tie_word_embeddings"),
                                 sizes = words_in(
                                     "hidden_size num_attention_heads num_key_value_heads head_dim num_hidden_layers "
                                     "intermediate_size hidden_act rope_theta rope_scaling rope_parameters "
                                     "max_position_embeddings partial_rotary_factor original_max_position_embeddings");
  std::vector<Family> all;
  for (DecoderRow& row : rows) {
    Family family{{row.type},
                  {"model.", "transformer."},
                  words_in(row.keys),
                  std::move(row.fixed),
                  row.settings,
                  std::move(row.names),
                  std::move(row.ignored),
                  {{"ForQuestionAnswering", "qa_outputs", Top::Of::each, ""},
                   {"ForTokenClassification", "score", Top::Of::each},
                   {"ForTokenClassification", "classifier", Top::Of::each},
                   {"", "score", Top::Of::last}}};
    // Others have these under names of their own.
    if (!std::ranges::count(family.keys, "n_layer")) family.keys.insert(family.keys.end(), sizes.begin(), sizes.end());
    family.keys.insert(family.keys.end(), both.begin(), both.end());
    family.fixed.push_back({"is_decoder", {false, true}});
    family.ignored.emplace_back("rotary_emb.inv_freq");
    all.push_back(std::move(family));
  }
  return all;
}

}  // namespace headlight::families
