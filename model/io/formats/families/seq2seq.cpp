// Encoders with decoders: T5, BART, Marian, and those that follow them.

#include <algorithm>
#include <cmath>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/formats/families/family.h"
#include "model/io/formats/families/other_keys.h"

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

// What the library's class of the family says where a file does not.
Json with_defaults(const Json& config, Json defaults) {
  for (const auto& [key, value] : config.items())
    if (!value.is_null()) defaults[key] = value;
  return defaults;
}

// What BART and its kin have in common.
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

// Both stacks normalise what each sublayer reads, and end with a norm.
Json pre_norm(Json s) {
  s["norm_place"] = "pre";
  return s;
}
constexpr unsigned kSide = 16, kHidden = 4096, kWidth = 1024;  // of the large models, by which the classes are named
Json large_pair(const Json& c, unsigned vocabulary, const char* act, bool scaled) {
  return with_defaults(c, {{"vocab_size", vocabulary},
                           {"d_model", kWidth},
                           {"encoder_layers", 12u},
                           {"decoder_layers", 12u},
                           {"encoder_attention_heads", kSide},
                           {"decoder_attention_heads", kSide},
                           {"encoder_ffn_dim", kHidden},
                           {"decoder_ffn_dim", kHidden},
                           {"max_position_embeddings", 1024u},
                           {"activation_function", act},
                           {"scale_embedding", scaled}});
}
// Liu et al. 2020: BART with norms in front.
Json mbart_settings(const Json& c) { return pre_norm(bart_settings(large_pair(c, 50265, "gelu", false))); }
// Zhang et al. 2020: Marian with norms in front.
Json pegasus_settings(const Json& c) { return pre_norm(marian_settings(large_pair(c, 50265, "gelu", false))); }
// Fan et al. 2020: sinusoids that are in no file, in another order of speeds; positions begin behind that of padding,
// which has none.
Json m2m_settings(const Json& config) {
  const Json c = large_pair(config, 128112, "relu", true);
  Json s = pre_norm(pair_settings(c));
  const Index padding = whole(c, "pad_token_id", 1);
  s["output_bias"] = "no";
  s["positions"] = "sinusoid_t2t";
  s["position_padding"] = padding;
  s["position_offset"] = padding + 1;
  return s;
}
// Roller et al. 2020: BART whose first row is that of the first token, and whose decoder normalises tokens alone.
Json blenderbot_settings(const Json& config) {
  Json s = bart_settings(with_defaults(config, {{"vocab_size", 50265u},
                                                {"d_model", 512u},
                                                {"encoder_layers", 8u},
                                                {"decoder_layers", 8u},
                                                {"encoder_attention_heads", 16u},
                                                {"decoder_attention_heads", 16u},
                                                {"encoder_ffn_dim", 2048u},
                                                {"decoder_ffn_dim", 2048u},
                                                {"max_position_embeddings", 512u}}));
  s["position_offset"] = 0;
  s["max_positions"] = s.at("max_positions").get<Index>() - 2;
  s["decoder"] = {{"norm_of_tokens", true}, {"scale_embeddings", false}};
  return s;
}

// Of one side of T5Gemma, whose configuration stands in its own object.
Json gemma_side(const Json& config, const char* name) {
  static const std::vector<std::string> known = words_in(
      "vocab_size hidden_size num_attention_heads num_key_value_heads head_dim num_hidden_layers intermediate_size "
      "rms_norm_eps hidden_activation attention_bias rope_theta rope_scaling rope_parameters tie_word_embeddings "
      "max_position_embeddings query_pre_attn_scalar attn_logit_softcapping final_logit_softcapping sliding_window "
      "layer_types model_type is_decoder is_encoder_decoder pad_token_id bos_token_id eos_token_id");
  const Json none = Json::object();
  const Json& given_side = given(config, name) ? config.at(name) : none;
  if (!given_side.is_object()) wrong(name, "an object", given_side);
  try {
    for (const auto& [key, value] : given_side.items())
      if (!std::ranges::count(known, key) && !changes_nothing(key) && !says_nothing(key, value))
        throw FormatError("the setting \"" + key.substr(0, 60) + "\" " + shown(value) +
                          " is not known, and may change what is computed");
    Json c = with_defaults(given_side, {{"vocab_size", 256000u},
                                        {"hidden_size", 2304u},
                                        {"intermediate_size", 9216u},
                                        {"num_hidden_layers", 26u},
                                        {"num_attention_heads", 8u},
                                        {"num_key_value_heads", 4u}});
    for (const char* cap : {"attn_logit_softcapping", "final_logit_softcapping"})  // null: none
      if (given_side.contains(cap)) c[cap] = given_side.at(cap);
    return gemma2_settings(c);
  } catch (const FormatError& error) {
    throw FormatError(std::string(name) + ": " + error.what());
  }
}
// Zhang et al. 2025: two Gemma 2, of which the second reads the first.
Json t5gemma_settings(const Json& c) {
  if (const std::string kind = architecture_of(c);
      !kind.empty() && !kind.ends_with("ForConditionalGeneration") && !kind.ends_with("T5GemmaModel"))
    throw FormatError("architectures: models of class " + shown(kind) + " are not implemented");
  Json s = gemma_side(c, "encoder"), decoder = gemma_side(c, "decoder"), own = Json::object();
  s["model_type"] = "transformer";
  s["encoder_layers"] = s.at("decoder_layers");
  s["decoder_layers"] = decoder.at("decoder_layers");
  s["target_vocabulary_size"] = decoder.at("target_vocabulary_size");
  s["logit_cap"] = decoder.at("logit_cap");
  s["tie"] = yes(c, "tie_word_embeddings", true) ? "decoder" : "none";
  s.erase("prompt");
  // An encoder sees as far to the right, and the token at the distance itself.
  for (Json& window : s["layer_windows"])
    if (window != 0) window = window.get<Index>() + 1;
  for (const char* key : {"model_size", "heads", "key_value_heads", "head_size", "ff_size", "activation",
                          "norm_epsilon", "attention_bias", "projection_bias", "score_scale", "score_cap",
                          "rotary_theta", "rotary_size", "rotary_scaling", "layer_windows"})
    own[key] = decoder.at(key);
  s["decoder"] = own;
  return s;
}

Names t5gemma_names() {
  Names n;
  n.one("output.W", "lm_head.out_proj.weight", How::transposed);
  for (const std::string side : {"encoder", "decoder"}) {
    const std::string ours = side + ".layer[#]", theirs = side + ".layers.#.";
    n.one(side + ".embed.W", side + ".embed_tokens.weight").norm(side + ".final_norm", side + ".norm", How::plus_one);
    int i = 0;
    for (const char* sublayer : {"self_attn", "cross_attn", "feedforward"}) {
      if (side == "encoder" && std::string(sublayer) == "cross_attn") continue;
      const std::string number = std::to_string(++i), norm = std::string(sublayer) + "_layernorm";
      n.norm(ours + ".norm" + number, theirs + "pre_" + norm, How::plus_one);
      n.norm(ours + ".post_norm" + number, theirs + "post_" + norm, How::plus_one);
      if (std::string(sublayer) != "feedforward")
        n.attention(ours + "." + sublayer, theirs + sublayer, {"q_proj", "k_proj", "v_proj", "o_proj"});
    }
    n.linear(ours + ".ffn", "_gate", theirs + "mlp.gate_proj").linear(ours + ".ffn", "1", theirs + "mlp.up_proj");
    n.linear(ours + ".ffn", "2", theirs + "mlp.down_proj");
  }
  return n;
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
    n.norm(side + ".embed.norm", side + ".layernorm_embedding").norm(side + ".final_norm", side + ".layer_norm");
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
  const std::vector<std::string> kin_keys(pair_keys.begin(), pair_keys.end() - 2);
  // Of a program that had them before; this arithmetic is what the library does.
  const auto arithmetic = [&](bool norm_of_embeddings, bool sinusoids, bool in_front = false) {
    return std::vector<Fixed>{{"normalize_before", {in_front}},
                              {"add_final_layer_norm", {in_front}},
                              {"normalize_embedding", {norm_of_embeddings}},
                              {"static_position_embeddings", {sinusoids}},
                              {"add_bias_logits", {no}},
                              {"do_blenderbot_90_layernorm", {no}}};
  };
  const std::vector<std::string> ignored = {"coder.version"},
                                 t5_ignored = {"layer.1.EncDecAttention.relative_attention_bias.weight"};
  const std::vector<std::string> sinusoids = {"embed_positions.weights", "embed_positions._float_tensor",
                                              "coder.version"};
  // Of the program that it comes from; the library reads none of them.
  const std::vector<Fixed> blenderbot = {{"normalize_before", {no}},
                                         {"add_final_layer_norm", {no}},
                                         {"normalize_embedding", {true}},
                                         {"static_position_embeddings", {no}},
                                         {"add_bias_logits", {no}},
                                         {"layernorm_variant", {"xlm"}},
                                         {"do_blenderbot_90_layernorm", {no, true}}};
  const std::vector<std::string> t5gemma_keys = words_in("encoder decoder vocab_size tie_word_embeddings");
  // On the decoder's states of the text itself, moved by one place; of an encoder alone each token has classes.
  const std::vector<Top> tops = {{"ForSequenceClassification", "classification_head.out_proj", Top::Of::end, "logits",
                                  "classification_head.dense", Top::Act::tanh},
                                 {"ForTokenClassification", "classifier", Top::Of::each},
                                 {"ForQuestionAnswering", "qa_outputs", Top::Of::each, ""}};
  std::vector<Family> all = {
      {{"t5"}, {"transformer."}, t5_keys, {}, first_t5_settings, t5_names(), t5_ignored, tops},
      {{"mt5"}, {"transformer."}, t5_keys, {}, mt5_settings, t5_names(), t5_ignored, tops},
      {{"bart"}, {"model."}, pair_keys, arithmetic(true, false), bart_settings, pair_names(), ignored, tops},
      {{"marian"}, {"model."}, pair_keys, arithmetic(false, true), marian_settings, pair_names(), ignored, {}},
      {{"mbart"}, {"model."}, kin_keys, arithmetic(true, false, true), mbart_settings, pair_names(), ignored, tops},
      {{"pegasus"}, {"model."}, kin_keys, arithmetic(false, true, true), pegasus_settings, pair_names(), ignored, {}},
      {{"m2m_100"}, {"model."}, kin_keys, arithmetic(false, true, true), m2m_settings, pair_names(), sinusoids, {}},
      {{"blenderbot-small"}, {"model."}, kin_keys, blenderbot, blenderbot_settings, pair_names(), ignored, {}},
      {{"t5gemma"}, {"model."}, t5gemma_keys, {}, t5gemma_settings, t5gemma_names(), {}, {}},
  };
  // The code of the language stands there (Liu et al. 2020).
  for (Family& family : all) family.starts_with_last = family.types[0] == "mbart";
  return all;
}

}  // namespace headlight::families
