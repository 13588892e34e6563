#include "model/io/formats/families/family.h"

#include <algorithm>
#include <set>

#include "model/core/errors.h"
#include "model/io/formats/families/generation.h"
#include "model/models/registry.h"

namespace headlight::families {

Names& Names::one(std::string ours, std::string theirs, How how) {
  all.push_back({std::move(ours), std::move(theirs), how});
  return *this;
}

Names& Names::linear(const std::string& place, const std::string& part, const std::string& theirs) {
  return one(place + ".W" + part, theirs + ".weight", How::transposed).one(place + ".b" + part, theirs + ".bias");
}

Names& Names::norm(const std::string& ours, const std::string& theirs, How gamma) {
  return one(ours + ".gamma", theirs + ".weight", gamma).one(ours + ".beta", theirs + ".bias");
}

Names& Names::attention(const std::string& ours, const std::string& theirs, const std::vector<const char*>& qkvo) {
  const char* parts[] = {"_q", "_k", "_v", "_o"};
  for (std::size_t i = 0; i < 4; ++i) linear(ours, parts[i], theirs + "." + qkvo[i]);
  return *this;
}

Names& Names::fused(const std::string& ours, const std::string& theirs, bool by_head) {
  const std::vector<How> rows = {How::first_rows, How::middle_rows, How::last_rows},
                         heads = {How::first_of_heads, How::middle_of_heads, How::last_of_heads};
  const char* parts[] = {"_q", "_k", "_v"};
  for (std::size_t i = 0; i < 3; ++i) {
    const How how = (by_head ? heads : rows)[i];
    one(ours + ".W" + parts[i], theirs + ".weight", how).one(ours + ".b" + parts[i], theirs + ".bias", how);
  }
  return *this;
}

Names& Names::halves(const std::string& place, const std::string& first, const std::string& second,
                     const std::string& theirs) {
  for (const auto& [part, how] : {std::pair(first, How::first_rows), {second, How::last_rows}})
    one(place + ".W" + part, theirs + ".weight", how).one(place + ".b" + part, theirs + ".bias", how);
  return *this;
}

const std::string& Names::first(const std::string& ours) const {
  static const std::string none;
  const auto found = std::ranges::find(all, ours, &Name::ours);
  return found == all.end() ? none : found->theirs;
}

Names& Names::tied(const std::vector<std::string>& theirs) {
  for (const std::string& name : theirs) one("embed.W", name);
  return *this;
}

namespace {

const std::vector<Family>& families() {
  static const std::vector<Family> rows = [] {
    std::vector<Family> all;
    for (auto part : {bert_families(), gpt_families(), llama_families(), seq2seq_families()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
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
                                             "_num_labels",
                                             "problem_type",
                                             "initializer_range",
                                             "initializer_factor",
                                             "initializer_cutoff_factor",
                                             "gradient_checkpointing",
                                             "directionality",
                                             "pooler_fc_size",
                                             "pooler_num_attention_heads",
                                             "pooler_num_fc_layers",
                                             "pooler_size_per_head",
                                             "pooler_type",
                                             "classifier_dropout",
                                             "classifier_dropout_prob",
                                             "classif_dropout",
                                             "hidden_dropout_prob",
                                             "hidden_dropout",
                                             "attention_probs_dropout_prob",
                                             "attention_dropout",
                                             "embedding_dropout",
                                             "mlp_dropout",
                                             "dropout",
                                             "dropout_rate",
                                             "qa_dropout",
                                             "seq_classif_dropout",
                                             "embd_pdrop",
                                             "attn_pdrop",
                                             "embed_dropout",
                                             "resid_dropout",
                                             "resid_pdrop",
                                             "summary_type",
                                             "summary_use_proj",
                                             "summary_activation",
                                             "summary_proj_to_labels",
                                             "summary_first_dropout",
                                             "summary_last_dropout",
                                             "activation_dropout",
                                             "layerdrop",
                                             "encoder_layerdrop",
                                             "decoder_layerdrop",
                                             "init_std",
                                             "prefix",
                                             "bos_token_id",
                                             "pad_token_id",
                                             "sep_token_id",
                                             "cls_token_id",
                                             "mask_token_id",
                                             "unk_token_id",
                                             "_name_or_path",
                                             "name_or_path",
                                             "_commit_hash",
                                             "_from_model_config",
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
                                             "cache_implementation",
                                             "tokenizer_class",
                                             "torchscript",
                                             "use_bfloat16",
                                             "tie_encoder_decoder",
                                             "is_encoder_decoder",
                                             "is_llama_config",
                                             "eos_token_ids",
                                             "pruned_heads",
                                             "xla_device",
                                             "tf_legacy_loss",
                                             "cross_attention_hidden_size",  // of a decoder with a source; null else
                                             "pretraining_tp",               // the same sums in parts
                                             "transformers.js_config",
                                             "sentence_transformers",
                                             "sbert_ce_default_activation_function",
                                             "unsloth_version",
                                             "unsloth_fixed",
                                             "_attn_implementation_autoset",
                                             "_attn_implementation_internal",
                                             "_flash_attn_2_enabled",
                                             "use_return_dict",
                                             "custom_pipelines",
                                             "max_sequence_length",  // of LLaMA's first files; nothing reads it
                                             "model_max_length",
                                             "max_seq_length",
                                             "n_special",
                                             "predict_special_tokens",
                                             "replacing_rate",  // how a smaller BART was made
                                             "save_step",
                                             "student_encoder_layers",
                                             "student_decoder_layers",
                                             "cell",  // how TinyBERT was made
                                             "emb_size",
                                             "structure",
                                             "training",
                                             "pre_trained"};
  return keys.count(key) > 0;
}

// Keys that every configuration of the library may have; a family may say otherwise.
const std::vector<Fixed>& fixed_for_all() {
  static const std::vector<Fixed> rows = {{"is_decoder", {false}}, {"add_cross_attention", {false}}};
  return rows;
}

const Fixed* fixed_of(const Family& family, const std::string& key) {
  for (const std::vector<Fixed>* rows : {&family.fixed, &fixed_for_all()})
    for (const Fixed& row : *rows)
      if (key == row.key) return &row;
  return nullptr;
}

std::string type_of(const Json& config) {
  const auto found = config.find("model_type");
  return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool has(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

const Family* family_of(const Json& config) {
  const std::string type = type_of(config);
  for (const Family& family : families())
    if (has(family.types, type)) return &family;
  return nullptr;
}

std::string architecture_of(const Json& config) {
  const auto list = config.find("architectures");
  return list != config.end() && list->is_array() && !list->empty() && list->front().is_string()
             ? list->front().get<std::string>()
             : std::string();
}

std::string why_not(const Json& config) {
  const std::string named = "models of model_type \"" + type_of(config) + "\"";
  const Family* family = family_of(config);
  if (!family) return named + " do not run here";
  for (const auto& [key, value] : config.items()) {
    if (key == "pruned_heads" && !value.empty())
      return named + " with pruned_heads " + shown(value) + " do not run here";
    if (const Fixed* fixed = fixed_of(*family, key)) {
      if (!value.is_null() && std::find(fixed->values.begin(), fixed->values.end(), value) == fixed->values.end())
        return named + " with " + key + " " + shown(value) + " do not run here";
    } else if (!has(family->keys, key) && !changes_nothing(key) && !is_of_generation(key)) {
      return named + " with the setting \"" + key + "\" do not run here: it is not known";
    }
  }
  try {
    // Shapes alone, no memory.
    make_model(family->settings(config), {InitialValues::Kind::none});
  } catch (const Error& error) {
    return named + " do not run with this configuration: " + error.what();
  }
  return {};
}

}  // namespace headlight::families
