// Encoders with decoders: T5, BART, Marian.

#include <algorithm>
#include <cmath>

#include "model/core/ascii.h"
#include "model/io/formats/families/family.h"

namespace headlight::families {

namespace {

// Raffel et al. 2020: relative positions, pre-norm, no biases; the encoder may stand alone.
Json t5_settings(const Json& c, const char* usual_units) {
  const Index layers = whole(c, "num_layers", 6);
  const std::string kind = architecture_of(c);
  const bool alone = kind.ends_with("EncoderModel") || kind.ends_with("ForTokenClassification") ||
                     (kind.empty() && !yes(c, "is_encoder_decoder", true));
  Json s = of_size(whole(c, "vocab_size"), whole(c, "d_model"), whole(c, "num_heads"), whole(c, "d_ff"),
                   alone ? "encoder_only" : "transformer", "encoder_layers", layers);
  if (alone) {
    s["head_transform"] = false;
  } else {
    s["decoder_layers"] = whole(c, "num_decoder_layers", layers);
  }
  s["head_size"] = whole(c, "d_kv", 64);
  s["scale_scores"] = false;
  s["norm"] = "rms";
  s["norm_bias"] = s["attention_bias"] = s["projection_bias"] = s["ffn_bias"] = false;
  s["norm_epsilon"] = real(c, "layer_norm_epsilon", 1e-6);
  // "relu", "gated-gelu": before 2022, gelu meant its approximation here.
  std::string units = text(c, "feed_forward_proj", usual_units);
  const bool gated = units.starts_with("gated-");
  if (gated) units = units.substr(6);
  if (gated && units == "gelu") units = "gelu_new";
  s["gated"] = gated;
  s["activation"] = known_activation(units, "feed_forward_proj");
  s["positions"] = "relative";
  s["relative_buckets"] = whole(c, "relative_attention_num_buckets", 32);
  s["relative_distance"] = whole(c, "relative_attention_max_distance", 128);
  return s;
}
// Only the first models scale what goes into the output layer, which is their embeddings.
Json first_t5_settings(const Json& c) {
  Json s = t5_settings(c, "relu");
  if (yes(c, "scale_decoder_outputs", yes(c, "tie_word_embeddings", true)))
    s["output_scale"] = 1 / std::sqrt(std::max(1.0, static_cast<double>(whole(c, "d_model"))));
  return s;
}

// Xue et al. 2021.
Json mt5_settings(const Json& c) { return t5_settings(c, "gated-gelu"); }

// What BART and Marian have in common.
Json pair_settings(const Json& c) {
  Json s = of_size(whole(c, "vocab_size"), whole(c, "d_model"), whole(c, "encoder_attention_heads"),
                   whole(c, "encoder_ffn_dim"), "transformer", "encoder_layers", whole(c, "encoder_layers"));
  s["decoder_layers"] = whole(c, "decoder_layers");
  s["decoder_heads"] = whole(c, "decoder_attention_heads");
  s["decoder_ff_size"] = whole(c, "decoder_ffn_dim");
  s["norm_place"] = "post";
  s["activation"] = activation(c, "activation_function", "gelu");
  s["scale_embeddings"] = yes(c, "scale_embedding", false);
  s["output_bias"] = "yes";
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  return s;
}
// Lewis et al. 2020: learned positions that begin with the third row, a norm of the embeddings.
Json bart_settings(const Json& c) {
  Json s = pair_settings(c);
  s["embedding_norm"] = true;
  s["positions"] = "learned";
  s["position_offset"] = 2;
  s["max_positions"] = whole(c, "max_position_embeddings") + 2;
  return s;
}
// Junczys-Dowmunt et al. 2018: sinusoids that are in no file.
Json marian_settings(const Json& c) {
  Json s = pair_settings(c);
  s["positions"] = "sinusoid_halves";
  s["max_positions"] = whole(c, "max_position_embeddings");
  if (!yes(c, "share_encoder_decoder_embeddings", true)) {
    if (s["tie"] != "none") s["tie"] = "decoder";
    s["target_vocabulary_size"] = whole(c, "decoder_vocab_size", whole(c, "vocab_size"));
  }
  return s;
}

Names t5_names() {
  Names n;
  n.tied({"shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight"});
  for (const std::string side : {"encoder", "decoder"})
    n.one(side + ".embed.W", side + ".embed_tokens.weight").one(side + ".embed.W", "shared.weight");
  for (const std::string side : {"encoder", "decoder"}) {
    const bool reads = side == "encoder";
    const std::string ours = side + ".layer[#]", theirs = side + ".block.#.layer.";
    n.one(side + ".relative.W", side + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight");
    n.attention(ours + ".self_attn", theirs + "0.SelfAttention", {"q", "k", "v", "o"});
    n.norm(ours + ".norm1", theirs + "0.layer_norm").norm(ours + ".norm2", theirs + "1.layer_norm");
    if (!reads) n.attention(ours + ".cross_attn", theirs + "1.EncDecAttention", {"q", "k", "v", "o"});
    if (!reads) n.norm(ours + ".norm3", theirs + "2.layer_norm");
    const std::string units = theirs + (reads ? "1" : "2") + ".DenseReluDense.";
    n.one(ours + ".ffn.W1", units + "wi.weight", How::transposed);
    n.one(ours + ".ffn.W1", units + "wi_1.weight", How::transposed);
    n.one(ours + ".ffn.W_gate", units + "wi_0.weight", How::transposed);
    n.one(ours + ".ffn.W2", units + "wo.weight", How::transposed);
    n.norm(side + ".final_norm", side + ".final_layer_norm");
  }
  n.one("output.W", "lm_head.weight", How::transposed);
  return n;
}

Names pair_names() {
  Names n;
  n.tied({"shared.weight", "lm_head.weight", "decoder.embed_tokens.weight", "encoder.embed_tokens.weight"});
  for (const std::string side : {"encoder", "decoder"}) {
    const std::string ours = side + ".layer[#]", theirs = side + ".layers.#.";
    n.one(side + ".embed.W", side + ".embed_tokens.weight").one(side + ".embed.W", "shared.weight");
    n.one(side + ".pos.W", side + ".embed_positions.weight");
    n.norm(side + ".embed.norm", side + ".layernorm_embedding");
    n.attention(ours + ".self_attn", theirs + "self_attn", {"q_proj", "k_proj", "v_proj", "out_proj"});
    n.norm(ours + ".norm1", theirs + "self_attn_layer_norm");
    n.linear(ours + ".ffn", "1", theirs + "fc1").linear(ours + ".ffn", "2", theirs + "fc2");
    if (side == "encoder") {
      n.norm(ours + ".norm2", theirs + "final_layer_norm");
    } else {
      n.attention(ours + ".cross_attn", theirs + "encoder_attn", {"q_proj", "k_proj", "v_proj", "out_proj"});
      n.norm(ours + ".norm2", theirs + "encoder_attn_layer_norm").norm(ours + ".norm3", theirs + "final_layer_norm");
    }
  }
  n.one("output.W", "lm_head.weight", How::transposed).one("output.b", "final_logits_bias", How::flattened);
  return n;
}

}  // namespace

std::vector<Family> seq2seq_families() {
  const Json no = false;
  // dense_act_fn and is_gated_act are what feed_forward_proj says, in two keys.
  const std::vector<std::string> t5_keys = words_in(
      "vocab_size d_model d_kv d_ff num_layers num_decoder_layers num_heads relative_attention_num_buckets "
      "relative_attention_max_distance layer_norm_epsilon feed_forward_proj dense_act_fn is_gated_act "
      "tie_word_embeddings scale_decoder_outputs n_positions");
  // For force_bos_token_to_be_generated see generation.cpp; extra_pos_embeddings are rows of a table that the library
  // does not have.
  const std::vector<std::string> pair_keys = words_in(
      "vocab_size d_model encoder_layers decoder_layers num_hidden_layers encoder_attention_heads "
      "decoder_attention_heads encoder_ffn_dim decoder_ffn_dim activation_function scale_embedding "
      "max_position_embeddings tie_word_embeddings force_bos_token_to_be_generated extra_pos_embeddings "
      "decoder_vocab_size share_encoder_decoder_embeddings");
  // Of a program that had them before; this arithmetic is what the library does.
  const auto arithmetic = [&](bool norm_of_embeddings, bool sinusoids) {
    return std::vector<Fixed>{{"normalize_before", {no}},
                              {"add_final_layer_norm", {no}},
                              {"normalize_embedding", {norm_of_embeddings}},
                              {"static_position_embeddings", {sinusoids}},
                              {"add_bias_logits", {no}},
                              {"do_blenderbot_90_layernorm", {no}}};
  };
  const std::vector<std::string> ignored = {"coder.version"},
                                 t5_ignored = {"layer.1.EncDecAttention.relative_attention_bias.weight"};
  // On the decoder's states of the text itself, moved by one place; of an encoder alone each token has classes.
  const std::vector<Top> tops = {{"ForSequenceClassification", "classification_head.out_proj", Top::Of::end, "logits",
                                  "classification_head.dense", Top::Act::tanh},
                                 {"ForTokenClassification", "classifier", Top::Of::each},
                                 {"ForQuestionAnswering", "qa_outputs", Top::Of::each, ""}};
  return {
      {{"t5"}, {"transformer."}, t5_keys, {}, first_t5_settings, t5_names(), t5_ignored, tops},
      {{"mt5"}, {"transformer."}, t5_keys, {}, mt5_settings, t5_names(), t5_ignored, tops},
      {{"bart"}, {"model."}, pair_keys, arithmetic(true, false), bart_settings, pair_names(), ignored, tops},
      {{"marian"}, {"model."}, pair_keys, arithmetic(false, true), marian_settings, pair_names(), ignored, {}},
  };
}

}  // namespace headlight::families
