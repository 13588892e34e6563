// Encoders: BERT and its relatives.

#include <algorithm>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/formats/families/family.h"

namespace headlight::families {

namespace {

using Of = Top::Of;
using Act = Top::Act;

// Devlin et al. 2019: post-norm, learned positions, a norm of the embeddings. As a decoder (Rothe et al. 2020) it looks
// back only, and continues a text.
Json bert_settings(const Json& c) {
  const bool writes = yes(c, "is_decoder", false);
  Json s = of_size(whole(c, "vocab_size"), whole(c, "hidden_size"), whole(c, "num_attention_heads"),
                   whole(c, "intermediate_size"), writes ? "decoder_only" : "encoder_only",
                   writes ? "decoder_layers" : "encoder_layers", whole(c, "num_hidden_layers"));
  if (writes) {
    s["head_transform"] = true;
    s["prompt"] = "continue";
  }
  s["norm_place"] = "post";
  s["embedding_norm"] = true;
  s["norm_epsilon"] = real(c, "layer_norm_eps", 1e-12);
  s["activation"] = activation(c, "hidden_act", "gelu");
  s["positions"] = "learned";
  s["max_positions"] = whole(c, "max_position_embeddings");
  s["token_types"] = whole(c, "type_vocab_size", 2);
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  return s;
}
// Liu et al. 2019: the position of the padding token has its number, and the first is the one behind it; padding is
// not counted.
Json roberta_settings(const Json& c) {
  Json s = bert_settings(c);
  const Index padding = whole(c, "pad_token_id", 1), places = whole(c, "max_position_embeddings");
  if (padding + 1 >= places)
    throw FormatError("pad_token_id: its position is in front of the others: expected less than " +
                      std::to_string(places - 1) + " of max_position_embeddings " + std::to_string(places) +
                      ", found " + std::to_string(padding));
  s["position_padding"] = padding;
  s["position_offset"] = padding + 1;
  s["head_activation"] = "gelu";
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
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  s["positions"] = "learned";
  s["max_positions"] = whole(c, "max_position_embeddings");
  return s;
}
// Clark et al. 2020: embeddings narrower than the layers, in the discriminator.
Json electra_settings(const Json& c) {
  Json s = bert_settings(c);
  const Index width = whole(c, "hidden_size"), embedding = whole(c, "embedding_size", 128);
  s["embedding_size"] = embedding;
  if (embedding != width) s["embedding_projection"] = "sum";
  s["head_activation"] = "gelu";
  return s;
}
// Lan et al. 2020: embeddings through a matrix, groups of layers that share their weights.
Json albert_settings(const Json& c) {
  Json s = bert_settings(c);
  s["activation"] = activation(c, "hidden_act", "gelu_new");
  s["embedding_size"] = whole(c, "embedding_size", 128);
  s["embedding_projection"] = "sum";
  const Index layers = whole(c, "num_hidden_layers"), groups = whole(c, "num_hidden_groups", 1),
              inner = whole(c, "inner_group_num", 1);
  if (groups < 1 || groups > layers)
    throw FormatError("num_hidden_groups: expected 1 to " + std::to_string(layers) + ", found " +
                      std::to_string(groups));
  if (layers > 512) throw FormatError("num_hidden_layers: expected at most 512, found " + std::to_string(layers));
  if (inner < 1 || inner > 512) throw FormatError("inner_group_num: expected 1 to 512, found " + std::to_string(inner));
  s["encoder_layers"] = layers * inner;
  Json shared = Json::array();
  std::vector<Index> first(static_cast<std::size_t>(groups), -1);  // layer of each group
  for (Index l = 0; l < layers; ++l) {
    const double share = static_cast<double>(layers) / static_cast<double>(groups);
    Index& of_group = first[std::min(static_cast<std::size_t>(static_cast<double>(l) / share), first.size() - 1)];
    if (of_group < 0) of_group = l * inner;
    for (Index i = 0; i < inner; ++i) shared.push_back(of_group + i);
  }
  s["shared_layers"] = shared;
  return s;
}
// Warner et al. 2024: rotary positions, local and global layers, gated units, no norm in front of the first layer.
Json modernbert_settings(const Json& c) {
  const Index layers = whole(c, "num_hidden_layers"), heads = whole(c, "num_attention_heads", 12),
              width = whole(c, "hidden_size");
  Json s = of_size(whole(c, "vocab_size"), width, heads, whole(c, "intermediate_size"), "encoder_only",
                   "encoder_layers", layers);
  s["norm_bias"] = yes(c, "norm_bias", false);
  s["norm_epsilon"] = real(c, "norm_eps", 1e-5);
  s["embedding_norm"] = true;
  s["first_norm"] = false;
  s["activation"] = activation(c, "hidden_activation", "gelu");
  s["gated"] = true;
  s["attention_bias"] = s["projection_bias"] = yes(c, "attention_bias", false);
  s["ffn_bias"] = yes(c, "mlp_bias", false);
  const Index size = heads > 0 ? width / heads : 0;
  const Rope global = rope_of(c, {real(c, "global_rope_theta", 160'000)}),
             local = rope_of(c, {real(c, "local_rope_theta", 10'000)}, "sliding_attention");
  refuse_share(global);
  refuse_share(local);
  set_rope(s, global, size);
  const std::vector<bool> is_local = local_layers(c, layers, [](const Json& config, Index layer) {
    const Index every = whole(config, "global_attn_every_n_layers", 3);
    return every > 0 && layer % every != 0;
  });
  s["layer_windows"] = windows(is_local, whole(c, "local_attention", 128) / 2 + 1);
  s["local_rotary"] = {{"theta", local.theta}, {"scaling", local.scaling}};
  s["head_activation"] = activation(c, "classifier_activation", "gelu");
  s["head_bias"] = yes(c, "classifier_bias", false);
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  s["output_bias"] = yes(c, "decoder_bias", true) ? "yes" : "no";
  return s;
}

// Weller et al. 2025: the same as a decoder, whose windows end with the token itself.
Json modernbert_decoder_settings(const Json& c) {
  Json s = modernbert_settings(c);
  s["model_type"] = "decoder_only";
  s["decoder_layers"] = s.at("encoder_layers");
  s.erase("encoder_layers");
  for (Json& window : s["layer_windows"])
    if (window != 0) window = whole(c, "local_attention", 128) / 2;
  s["head_transform"] = true;
  s["prompt"] = "continue";
  return s;
}

Names bert_names() {
  Names n;
  n.tied({"embeddings.word_embeddings.weight", "cls.predictions.decoder.weight", "lm_head.decoder.weight",
          "generator_lm_head.weight"});
  for (const std::string side : {"encoder", "decoder"}) {  // as a decoder it has the same names
    n.one(side + ".embed.W", "embeddings.word_embeddings.weight");
    n.one(side + ".pos.W", "embeddings.position_embeddings.weight");
    n.one(side + ".type.W", "embeddings.token_type_embeddings.weight");
    n.norm(side + ".embed.norm", "embeddings.LayerNorm").linear(side + ".embed", "_project", "embeddings_project");
    const std::string ours = side + ".layer[#]", theirs = "encoder.layer.#.";
    n.attention(ours + ".self_attn", theirs + "attention", {"self.query", "self.key", "self.value", "output.dense"});
    n.norm(ours + ".norm1", theirs + "attention.output.LayerNorm");
    n.linear(ours + ".ffn", "1", theirs + "intermediate.dense").linear(ours + ".ffn", "2", theirs + "output.dense");
    n.norm(ours + ".norm2", theirs + "output.LayerNorm");
  }
  for (const char* head : {"cls.predictions", "lm_head", "generator_predictions"}) {
    const std::string at = head;
    const bool own = at != "lm_head";
    const std::string dense = at == "cls.predictions" ? at + ".transform" : at;
    n.linear("head", "", dense + ".dense").norm("head.norm", dense + (own ? ".LayerNorm" : ".layer_norm"));
  }
  n.one("output.W", "cls.predictions.decoder.weight", How::transposed);
  n.one("output.W", "lm_head.decoder.weight", How::transposed);
  n.one("output.W", "generator_lm_head.weight", How::transposed);
  // The bias of the head itself is tied to that of its output layer, which is the one that is added.
  for (const char* bias : {"cls.predictions.decoder.bias", "lm_head.decoder.bias", "cls.predictions.bias",
                           "lm_head.bias", "generator_lm_head.bias"})
    n.one("output.b", bias);
  return n;
}

Names distilbert_names() {
  Names n;
  n.tied({"embeddings.word_embeddings.weight", "vocab_projector.weight"});
  n.one("encoder.embed.W", "embeddings.word_embeddings.weight");
  n.one("encoder.pos.W", "embeddings.position_embeddings.weight");
  n.norm("encoder.embed.norm", "embeddings.LayerNorm");
  const std::string ours = "encoder.layer[#]", theirs = "transformer.layer.#.";
  n.attention(ours + ".self_attn", theirs + "attention", {"q_lin", "k_lin", "v_lin", "out_lin"});
  n.norm(ours + ".norm1", theirs + "sa_layer_norm");
  n.linear(ours + ".ffn", "1", theirs + "ffn.lin1").linear(ours + ".ffn", "2", theirs + "ffn.lin2");
  n.norm(ours + ".norm2", theirs + "output_layer_norm");
  n.linear("head", "", "vocab_transform").norm("head.norm", "vocab_layer_norm");
  n.linear("output", "", "vocab_projector");
  return n;
}

Names albert_names() {
  Names n;
  n.tied({"embeddings.word_embeddings.weight", "predictions.decoder.weight"});
  n.one("encoder.embed.W", "embeddings.word_embeddings.weight");
  n.one("encoder.pos.W", "embeddings.position_embeddings.weight");
  n.one("encoder.type.W", "embeddings.token_type_embeddings.weight");
  n.norm("encoder.embed.norm", "embeddings.LayerNorm");
  n.linear("encoder.embed", "_project", "encoder.embedding_hidden_mapping_in");
  const std::string ours = "encoder.layer[#]", theirs = "encoder.albert_layer_groups.#.albert_layers.%.";
  n.attention(ours + ".self_attn", theirs + "attention", {"query", "key", "value", "dense"});
  n.norm(ours + ".norm1", theirs + "attention.LayerNorm");
  n.linear(ours + ".ffn", "1", theirs + "ffn").linear(ours + ".ffn", "2", theirs + "ffn_output");
  n.norm(ours + ".norm2", theirs + "full_layer_layer_norm");
  n.linear("head", "", "predictions.dense").norm("head.norm", "predictions.LayerNorm");
  n.one("output.W", "predictions.decoder.weight", How::transposed);
  n.one("output.b", "predictions.decoder.bias").one("output.b", "predictions.bias");
  return n;
}

// `decoder`: with matrices of their own for queries, keys and values.
Names modernbert_names(bool decoder) {
  Names n;
  const std::string side = decoder ? "decoder" : "encoder", head = decoder ? "lm_head" : "head";
  n.tied({"embeddings.tok_embeddings.weight", "decoder.weight"});
  n.one(side + ".embed.W", "embeddings.tok_embeddings.weight");
  n.norm(side + ".embed.norm", "embeddings.norm");
  const std::string ours = side + ".layer[#]", theirs = "layers.#.";
  if (decoder) {
    n.attention(ours + ".self_attn", theirs + "attn", {"q_proj", "k_proj", "v_proj", "Wo"});
  } else {
    n.fused(ours + ".self_attn", theirs + "attn.Wqkv", How::first_rows)
        .linear(ours + ".self_attn", "_o", theirs + "attn.Wo");
  }
  n.norm(ours + ".norm1", theirs + "attn_norm").norm(ours + ".norm2", theirs + "mlp_norm");
  n.halves(ours + ".ffn", "_gate", "1", theirs + "mlp.Wi").linear(ours + ".ffn", "2", theirs + "mlp.Wo");
  n.norm(side + ".final_norm", "final_norm");
  n.linear("head", "", head + ".dense").norm("head.norm", head + ".norm");
  n.linear("output", "", "decoder");
  return n;
}

}  // namespace

std::vector<Family> bert_families() {
  const Json no = false, yes = true;
  const std::vector<std::string> sizes = words_in(
      "vocab_size hidden_size num_attention_heads intermediate_size num_hidden_layers layer_norm_eps hidden_act "
      "max_position_embeddings type_vocab_size pad_token_id tie_word_embeddings");
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), sizes.begin(), sizes.end());
    return more;
  };
  const std::vector<Fixed> reads = {{"is_decoder", {no, yes}}, {"is_encoder_decoder", {no}}};
  const Top answers{"ForQuestionAnswering", "qa_outputs", Of::each, ""},
      labels{"ForTokenClassification", "classifier", Of::each};
  Top modern{"ForSequenceClassification",
             "classifier",
             Of::as_configured,
             "logits",
             "head.dense",
             Act::classifier,
             "head.norm"},
      modern_labels = modern, modern_answers = modern;
  modern_labels.kind = "ForTokenClassification";
  modern_answers.kind = "ForQuestionAnswering";
  modern_labels.of = modern_answers.of = Of::each;
  modern_answers.value = "";
  const std::vector<std::string> modern_keys = words_in(
      "vocab_size hidden_size num_attention_heads intermediate_size num_hidden_layers norm_eps norm_bias "
      "hidden_activation attention_bias mlp_bias layer_types global_attn_every_n_layers local_attention "
      "rope_parameters global_rope_theta local_rope_theta max_position_embeddings classifier_pooling "
      "classifier_activation classifier_bias decoder_bias sliding_window tie_word_embeddings");
  const std::vector<Fixed> modern_fixed = {{"layer_norm_eps", {1e-5}},       {"deterministic_flash_attn", {no, yes}},
                                           {"sparse_prediction", {no, yes}}, {"sparse_pred_ignore_index", {-100}},
                                           {"reference_compile", {no, yes}}, {"repad_logits_with_grad", {no, yes}}};
  std::vector<Fixed> decoder_fixed = modern_fixed;
  for (const char* key : {"causal_mask", "is_causal"}) decoder_fixed.push_back({key, {yes}});
  decoder_fixed.push_back({"is_decoder", {no, yes}});
  decoder_fixed.push_back({"position_embedding_type", {"absolute", "sans_pos"}});
  return {
      {{"bert"},
       {"bert."},
       sizes,
       reads,
       bert_settings,
       bert_names(),
       {"position_ids"},
       {{"ForPreTraining", "cls.seq_relationship", Of::pooled, "seq_relationship_logits"},
        {"ForNextSentencePrediction", "cls.seq_relationship", Of::pooled},
        answers,
        labels,
        {"", "classifier", Of::pooled}},
       "pooler.dense"},
      {{"roberta", "xlm-roberta", "camembert"},
       {"roberta."},
       sizes,
       reads,
       roberta_settings,
       bert_names(),
       {"position_ids"},
       {answers, labels, {"", "classifier.out_proj", Of::first, "logits", "classifier.dense", Act::tanh}},
       "pooler.dense"},
      {{"distilbert"},
       {"distilbert."},
       {"vocab_size", "dim", "n_heads", "n_layers", "hidden_dim", "activation", "max_position_embeddings",
        "tie_word_embeddings"},
       {{"tie_weights_", {yes}}, {"sinusoidal_pos_embds", {no, yes}}},
       distilbert_settings,
       distilbert_names(),
       {"position_ids"},
       {answers, labels, {"", "classifier", Of::first, "logits", "pre_classifier", Act::relu}}},
      {{"electra"},
       {"electra."},
       with({"embedding_size"}),
       reads,
       electra_settings,
       bert_names(),
       {"position_ids"},
       {{"ForPreTraining", "discriminator_predictions.dense_prediction", Of::each, "logits",
         "discriminator_predictions.dense", Act::hidden, nullptr, true},
        answers,
        labels,
        {"", "classifier.out_proj", Of::first, "logits", "classifier.dense", Act::gelu}}},
      {{"albert"},
       {"albert."},
       with({"embedding_size", "num_hidden_groups", "inner_group_num"}),
       {{"down_scale_factor", {1}},
        {"gap_size", {0}},
        {"net_structure_type", {0}},
        {"num_memory_blocks", {0}},
        {"layers_to_keep", {Json::array()}}},
       albert_settings,
       albert_names(),
       {"position_ids"},
       {{"ForPreTraining", "sop_classifier.classifier", Of::pooled, "sop_logits"},
        answers,
        labels,
        {"", "classifier", Of::pooled}},
       "pooler",
       "inner_group_num"},
      {{"modernbert"},
       {"model."},
       modern_keys,
       modern_fixed,
       modernbert_settings,
       modernbert_names(false),
       {},
       {modern_labels, modern_answers, modern}},
      {{"modernbert-decoder"},
       {"model."},
       modern_keys,
       decoder_fixed,
       modernbert_decoder_settings,
       modernbert_names(true),
       {},
       {{"", "classifier", Of::last, "logits", "head.dense", Act::classifier, "head.norm"}}},
  };
}

}  // namespace headlight::families
