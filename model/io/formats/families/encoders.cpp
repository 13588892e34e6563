// Encoders that tell where tokens stand by their distance: MPNet, DeBERTa-v2 and v3, NomicBERT, ESM.

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/formats/families/family.h"

namespace headlight::families {

namespace {

using Of = Top::Of;
using Act = Top::Act;

struct EncoderSizes {
  Index vocabulary, width, layers, hidden, places;
};

// BERT's arrangement: post-norm, a norm of the embeddings. The sizes are those of files that do not say them.
Json post_norm_settings(const Json& c, const EncoderSizes& usual, double epsilon) {
  Json s = of_size(whole(c, "vocab_size", usual.vocabulary), whole(c, "hidden_size", usual.width),
                   whole(c, "num_attention_heads", usual.width / 64), whole(c, "intermediate_size", usual.hidden),
                   "encoder_only", "encoder_layers", whole(c, "num_hidden_layers", usual.layers));
  s["norm_place"] = "post";
  s["embedding_norm"] = true;
  s["norm_epsilon"] = real(c, "layer_norm_eps", epsilon);
  s["activation"] = activation(c, "hidden_act", "gelu");
  s["max_positions"] = whole(c, "max_position_embeddings", usual.places);
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  return s;
}

// Song et al. 2020: BERT with positions from 2, and a bias for each distance, always in 32 buckets.
Json mpnet_settings(const Json& c) {
  constexpr Index kBuckets = 32;
  Json s = post_norm_settings(c, {30'527, 768, 12, 3072, 512}, 1e-12);
  s["positions"] = "learned";
  s["position_padding"] = 1;
  s["position_offset"] = 2;
  s["relative_bias"] = true;
  s["relative_buckets"] = kBuckets;
  s["relative_distance"] = 128;
  s["head_activation"] = "gelu";
  if (const Index rows = whole(c, "relative_attention_num_buckets", kBuckets); rows < kBuckets)
    throw FormatError("relative_attention_num_buckets: expected at least 32, found " + std::to_string(rows));
  return s;
}

// A list of words, or one text with "|" between them.
std::vector<std::string> words_at(const Json& c, const char* key) {
  std::vector<std::string> words;
  if (!given(c, key)) return words;
  const Json& value = c.at(key);
  const auto add = [&](std::string word) {
    const std::size_t first = word.find_first_not_of(' '), last = word.find_last_not_of(' ');
    word = first == word.npos ? std::string() : lower_ascii(word.substr(first, last - first + 1));
    if (!word.empty() && !std::ranges::count(words, word)) words.push_back(word);
  };
  if (value.is_string()) {
    std::string word;
    for (const char letter : value.get<std::string>() + "|")
      if (letter == '|')
        add(std::exchange(word, {}));
      else
        word += letter;
  } else if (value.is_array() && std::ranges::all_of(value, [](const Json& word) { return word.is_string(); })) {
    for (const Json& word : value) add(word.get<std::string>());
  } else {
    wrong(key, "a text or a list of texts", value);
  }
  return words;
}

// 0 and less stand for none.
Index above_zero(const Json& c, const char* key) {
  const bool none = given(c, key) && c.at(key).is_number_integer() && c.at(key).get<std::int64_t>() <= 0;
  return none ? 0 : whole(c, key, 0);
}

// He et al. 2021: scores of content with distance and of distance with content.
void set_distances(Json& s, const Json& c, const std::vector<std::string>& kinds) {
  const auto has = [&](const char* kind) { return std::ranges::count(kinds, kind) > 0; };
  for (const std::string& kind : kinds)
    if (kind != "c2p" && kind != "p2c")
      throw FormatError("pos_att_type: scores of the kind \"" + kind.substr(0, 60) + "\" are not implemented");
  const std::vector<std::string> norms = words_at(c, "norm_rel_ebd");
  for (const std::string& norm : norms)
    if (norm != "layer_norm" && norm != "none")
      throw FormatError("norm_rel_ebd: \"" + norm.substr(0, 60) + "\" is not implemented");
  Index longest = above_zero(c, "max_relative_positions");
  if (longest == 0) longest = s.at("max_positions").get<Index>();
  const Index buckets = above_zero(c, "position_buckets");
  s["disentangled"] = {{"c2p", has("c2p")},
                       {"p2c", has("p2c")},
                       {"span", buckets > 0 ? buckets : longest},
                       {"buckets", buckets},
                       {"longest", longest},
                       {"shared", yes(c, "share_att_key", false)},
                       {"norm", std::ranges::count(norms, "layer_norm") > 0}};
}

// He et al. 2021 and 2023.
Json deberta_settings(const Json& c) {
  Json s = post_norm_settings(c, {128'100, 1536, 24, 6144, 512}, 1e-7);
  const Index width = s.at("model_size").get<Index>(), heads = std::max<Index>(1, s.at("heads").get<Index>());
  if (const Index embedding = whole(c, "embedding_size", width); embedding != width)
    throw FormatError("embedding_size: expected hidden_size " + std::to_string(width) + ", found " +
                      std::to_string(embedding));
  const Index size = whole(c, "attention_head_size", width / heads);
  s["head_size"] = size;
  s["token_types"] = whole(c, "type_vocab_size", 0);
  const bool biased = yes(c, "position_biased_input", true);
  s["positions"] = biased ? "learned" : "none";
  const std::vector<std::string> kinds = words_at(c, "pos_att_type");
  if (yes(c, "relative_attention", false)) set_distances(s, c, kinds);
  // Counted whether or not they are used.
  const double counted = 1 + static_cast<double>(std::ranges::count(kinds, "c2p") + std::ranges::count(kinds, "p2c"));
  s["score_scale"] = 1 / std::sqrt(static_cast<double>(std::max<Index>(1, size)) * counted);
  if (const Index kernel = above_zero(c, "conv_kernel_size"); kernel > 0)
    s["convolution"] = {{"kernel", kernel}, {"activation", activation(c, "conv_act", "tanh")}};
  if (!biased) s.erase("max_positions");
  return s;
}

// One setting under two names: an error where they say different things.
Index under_either(const Json& c, const char* name, const char* other, Index usual) {
  const Index first = whole(c, name, whole(c, other, usual)), second = whole(c, other, first);
  if (first != second)
    throw FormatError(std::string(name) + " " + std::to_string(first) + " and " + other + " " + std::to_string(second) +
                      " are one setting: expected the same");
  return first;
}

// Nussbaum et al. 2024: post-norm with rotary positions and gated units, without biases.
Json nomic_settings(const Json& c) {
  const Index width = under_either(c, "hidden_size", "n_embd", 768),
              heads = under_either(c, "num_attention_heads", "n_head", 12);
  Json s = of_size(whole(c, "vocab_size", 30'528), width, heads, under_either(c, "intermediate_size", "n_inner", 3072),
                   "encoder_only", "encoder_layers", under_either(c, "num_hidden_layers", "n_layer", 12));
  s["norm_place"] = "post";
  s["embedding_norm"] = true;
  s["norm_epsilon"] = real(c, "layer_norm_eps", real(c, "layer_norm_epsilon", 1e-12));
  std::string act = text(c, "hidden_act", text(c, "activation_function", "silu"));
  if (act == "swiglu") act = "silu";
  s["activation"] = known_activation(act, "hidden_act");
  if (const std::string said = text(c, "activation_function", "swiglu"); said != "swiglu" && said != "silu")
    throw FormatError("activation_function: expected \"swiglu\", found \"" + said.substr(0, 60) + "\"");
  s["gated"] = true;
  s["attention_bias"] = s["projection_bias"] = s["ffn_bias"] = false;
  s["head_size"] = whole(c, "head_dim", heads > 0 ? width / heads : 0);
  s["token_types"] = whole(c, "type_vocab_size", 2);
  set_rope(s, rope_of(c, {real(c, "rotary_emb_base", 1000), real(c, "rotary_emb_fraction", 1)}),
           s.at("head_size").get<Index>());
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  return s;
}

// Lin et al. 2023: pre-norm; masked tokens enter as zeros.
Json esm_settings(const Json& c) {
  const Index width = whole(c, "hidden_size", 768), heads = whole(c, "num_attention_heads", 12);
  Json s = of_size(whole(c, "vocab_size"), width, heads, whole(c, "intermediate_size", 3072), "encoder_only",
                   "encoder_layers", whole(c, "num_hidden_layers", 12));
  s["norm_epsilon"] = real(c, "layer_norm_eps", 1e-12);
  s["activation"] = s["head_activation"] = "gelu";
  s["embedding_norm"] = yes(c, "emb_layer_norm_before", false);
  if (yes(c, "token_dropout", false)) s["dropped_token"] = whole(c, "mask_token_id");
  if (!yes(c, "tie_word_embeddings", true)) s["tie"] = "none";
  if (text(c, "position_embedding_type", "absolute") == "rotary") {
    const Rope rope = rope_of(c, {});
    refuse_share(rope);
    set_rope(s, rope, heads > 0 ? width / heads : 0);
    return s;
  }
  const Index padding = whole(c, "pad_token_id");
  s["positions"] = "learned";
  s["max_positions"] = whole(c, "max_position_embeddings", 1026);
  s["position_padding"] = padding;
  s["position_offset"] = padding + 1;
  return s;
}

const std::string kLayer = "encoder.layer[#]", kTheirLayer = "encoder.layer.#.";

// What all of them call alike: the table, the network, and a head of `dense` in front of the logits.
Names table_and_head(const std::string& head, const std::string& norm, const std::vector<std::string>& outputs) {
  Names n;
  std::vector<std::string> tables = {"embeddings.word_embeddings.weight"};
  for (const std::string& output : outputs) tables.push_back(output + ".weight");
  n.tied(tables);
  n.one("encoder.embed.W", tables.front());
  n.linear("head", "", head + ".dense").norm("head.norm", head + "." + norm);
  for (const std::string& output : outputs) n.one("output.W", output + ".weight", How::transposed);
  for (const std::string& output : outputs) n.one("output.b", output + ".bias");
  return n;
}
void add_network(Names& n, const std::string& theirs) {
  n.linear(kLayer + ".ffn", "1", theirs + "intermediate.dense").linear(kLayer + ".ffn", "2", theirs + "output.dense");
}

Names mpnet_names() {
  Names n = table_and_head("lm_head", "layer_norm", {"lm_head.decoder"});
  n.one("output.b", "lm_head.bias");
  n.one("encoder.pos.W", "embeddings.position_embeddings.weight").norm("encoder.embed.norm", "embeddings.LayerNorm");
  n.one("encoder.relative.W", "encoder.relative_attention_bias.weight", How::top_rows);
  n.attention(kLayer + ".self_attn", kTheirLayer + "attention.attn", {"q", "k", "v", "o"});
  n.norm(kLayer + ".norm1", kTheirLayer + "attention.LayerNorm");
  add_network(n, kTheirLayer);
  n.norm(kLayer + ".norm2", kTheirLayer + "output.LayerNorm");
  return n;
}

Names deberta_names() {
  Names n = table_and_head("cls.predictions.transform", "LayerNorm", {"cls.predictions.decoder"});
  n.one("output.b", "cls.predictions.bias").one("output.b", "lm_predictions.lm_head.bias");
  n.linear("head", "", "lm_predictions.lm_head.dense").norm("head.norm", "lm_predictions.lm_head.LayerNorm");
  n.one("encoder.pos.W", "embeddings.position_embeddings.weight");
  n.one("encoder.type.W", "embeddings.token_type_embeddings.weight").norm("encoder.embed.norm", "embeddings.LayerNorm");
  n.one("encoder.distance.W", "encoder.rel_embeddings.weight").norm("encoder.distance.norm", "encoder.LayerNorm");
  n.one("encoder.convolution.W", "encoder.conv.conv.weight", How::convolution);
  n.one("encoder.convolution.b", "encoder.conv.conv.bias").norm("encoder.convolution.norm", "encoder.conv.LayerNorm");
  n.attention(kLayer + ".self_attn", kTheirLayer + "attention",
              {"self.query_proj", "self.key_proj", "self.value_proj", "output.dense"});
  n.linear(kLayer + ".self_attn", "_kd", kTheirLayer + "attention.self.pos_key_proj");
  n.linear(kLayer + ".self_attn", "_qd", kTheirLayer + "attention.self.pos_query_proj");
  n.norm(kLayer + ".norm1", kTheirLayer + "attention.output.LayerNorm");
  add_network(n, kTheirLayer);
  n.norm(kLayer + ".norm2", kTheirLayer + "output.LayerNorm");
  return n;
}

Names nomic_names() {
  Names n = table_and_head("cls.predictions.transform", "layer_norm", {"cls.predictions.decoder"});
  n.norm("head.norm", "cls.predictions.transform.LayerNorm").one("output.b", "cls.predictions.bias");
  n.one("encoder.type.W", "embeddings.token_type_embeddings.weight").norm("encoder.embed.norm", "emb_ln");
  const std::string theirs = "encoder.layers.#.";
  n.fused(kLayer + ".self_attn", theirs + "attn.Wqkv", How::first_rows);
  n.linear(kLayer + ".self_attn", "_o", theirs + "attn.out_proj");
  n.norm(kLayer + ".norm1", theirs + "norm1").norm(kLayer + ".norm2", theirs + "norm2");
  n.linear(kLayer + ".ffn", "_gate", theirs + "mlp.fc12").linear(kLayer + ".ffn", "1", theirs + "mlp.fc11");
  n.linear(kLayer + ".ffn", "2", theirs + "mlp.fc2");
  return n;
}

Names esm_names() {
  Names n = table_and_head("lm_head", "layer_norm", {"lm_head.decoder"});
  n.one("output.b", "lm_head.bias");
  n.one("encoder.pos.W", "embeddings.position_embeddings.weight").norm("encoder.embed.norm", "embeddings.layer_norm");
  n.attention(kLayer + ".self_attn", kTheirLayer + "attention",
              {"self.query", "self.key", "self.value", "output.dense"});
  n.norm(kLayer + ".norm1", kTheirLayer + "attention.LayerNorm").norm(kLayer + ".norm2", kTheirLayer + "LayerNorm");
  add_network(n, kTheirLayer);
  n.norm("encoder.final_norm", "encoder.emb_layer_norm_after");
  // All layers turn as the first one does.
  for (const char* layer : {"*", "0"})
    n.one("rotary.frequencies", std::string("encoder.layer.") + layer + ".attention.self.rotary_embeddings.inv_freq");
  return n;
}

}  // namespace

std::vector<Family> encoder_families() {
  const Json no = false, yes = true;
  const std::string sizes =
      "vocab_size hidden_size num_attention_heads intermediate_size num_hidden_layers layer_norm_eps "
      "max_position_embeddings tie_word_embeddings pad_token_id ";
  const Top answers{"ForQuestionAnswering", "qa_outputs", Of::each, ""},
      labels{"ForTokenClassification", "classifier", Of::each},
      first_by_tanh{"", "classifier.out_proj", Of::first, "logits", "classifier.dense", Act::tanh};
  return {
      {{"mpnet"},
       {"mpnet."},
       words_in(sizes + "hidden_act relative_attention_num_buckets"),
       {},
       mpnet_settings,
       mpnet_names(),
       {"position_ids"},
       {answers, labels, {"ForMultipleChoice", "classifier", Of::pooled}, first_by_tanh},
       "pooler.dense"},
      {{"deberta-v2"},
       {"deberta."},
       words_in(sizes +
                "hidden_act type_vocab_size embedding_size attention_head_size position_biased_input "
                "relative_attention pos_att_type max_relative_positions position_buckets share_att_key norm_rel_ebd "
                "conv_kernel_size conv_act pooler_hidden_act pooler_hidden_size"),
       {{"conv_groups", {1}}, {"legacy", {no, yes}}},
       deberta_settings,
       deberta_names(),
       // The discriminator of the training, and the norm of distances that nobody uses.
       {"position_ids", "mask_predictions.dense.weight", "mask_predictions.dense.bias",
        "mask_predictions.LayerNorm.weight", "mask_predictions.LayerNorm.bias", "mask_predictions.classifier.weight",
        "mask_predictions.classifier.bias", "encoder.LayerNorm.weight", "encoder.LayerNorm.bias"},
       {answers, labels, {"", "classifier", Of::first, "logits", "pooler.dense", Act::pooler}}},
      {{"nomic_bert"},
       {"nomic_bert.", "bert.", "model."},
       words_in(sizes +
                "n_embd n_head n_layer n_inner n_positions head_dim hidden_act activation_function "
                "layer_norm_epsilon type_vocab_size rotary_emb_base rotary_emb_fraction rope_theta rope_scaling "
                "rope_parameters partial_rotary_factor max_trained_positions pad_vocab_size_multiple"),
       {{"qkv_proj_bias", {no}},
        {"mlp_fc1_bias", {no}},
        {"mlp_fc2_bias", {no}},
        {"attention_bias", {no}},
        {"mlp_bias", {no}},
        {"prenorm", {no}},
        {"causal", {no}},
        {"parallel_block", {no}},
        {"parallel_block_tied_norm", {no}},
        {"rotary_emb_interleaved", {no}},
        {"scale_attn_weights", {yes}},
        {"scale_attn_by_inverse_layer_idx", {no}},
        {"use_rms_norm", {no}},
        {"position_embedding_type", {"absolute", "rotary"}},
        {"rotary_emb_scale_base", {}},
        {"dense_seq_output", {no, yes}},
        {"fused_bias_fc", {no, yes}},
        {"use_xentropy", {no, yes}},
        {"reorder_and_upcast_attn", {no, yes}}},
       nomic_settings,
       nomic_names(),
       {"position_ids", "inv_freq"},
       {answers, labels, {"", "classifier", Of::pooled}},
       "pooler.dense"},
      {{"esm"},
       {"esm."},
       words_in(sizes +
                "position_embedding_type emb_layer_norm_before token_dropout mask_token_id rope_theta rope_parameters"),
       {{"hidden_act", {"gelu"}}, {"is_folding_model", {no}}, {"position_embedding_type", {"absolute", "rotary"}}},
       esm_settings,
       esm_names(),
       {"position_ids", "rotary_embeddings.inv_freq", "contact_head.regression.weight", "contact_head.regression.bias"},
       {answers, labels, first_by_tanh},
       "pooler.dense"},
  };
}

}  // namespace headlight::families
