#include "model/io/formats/families/config.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/formats/families/other_keys.h"

namespace headlight::families {

bool given(const Json& config, const char* key) {
  const auto found = config.find(key);
  return found != config.end() && !found->is_null();
}

std::string shown(const Json& value) {
  const bool is_none = value.is_number_float() && !std::isfinite(value.get<double>());
  return is_none ? "NaN or Infinity" : value.dump(-1, ' ', true).substr(0, 60);
}

void wrong(const std::string& key, const std::string& what, const Json& found) {
  throw FormatError(key + ": expected " + what + ", found " + shown(found));
}

Index whole(const Json& config, const char* key, Index fallback) {
  if (!given(config, key)) {
    if (fallback >= 0) return fallback;
    throw FormatError(std::string(key) + ": missing");
  }
  const Json& value = config.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 10'000'000)
    wrong(key, "a whole number from 0 to 10000000", value);
  return value.get<Index>();
}

double real(const Json& config, const char* key, double fallback) {
  if (!given(config, key)) return fallback;
  const Json& value = config.at(key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) wrong(key, "a number", value);
  return value.get<double>();
}

bool yes(const Json& config, const char* key, bool fallback) {
  if (!given(config, key)) return fallback;
  if (!config.at(key).is_boolean()) wrong(key, "true or false", config.at(key));
  return config.at(key).get<bool>();
}

std::string text(const Json& config, const char* key, const std::string& fallback) {
  if (!given(config, key)) return fallback;
  if (!config.at(key).is_string()) wrong(key, "a text", config.at(key));
  return config.at(key).get<std::string>();
}

std::string in_their_words(std::string message, const std::vector<std::string>& keys) {
  // Of each of our settings, the names that families have for it; longer ones first, where one is part of another.
  static const std::vector<std::pair<std::string, std::vector<std::string>>> names = {
      {"source_vocabulary_size", {"vocab_size"}},
      {"target_vocabulary_size", {"decoder_vocab_size", "vocab_size"}},
      {"key_value_heads", {"num_key_value_heads"}},
      {"decoder_ff_size", {"decoder_ffn_dim"}},
      {"decoder_heads", {"decoder_attention_heads"}},
      {"embedding_size", {"embedding_size", "word_embed_proj_dim"}},
      {"encoder_layers", {"encoder_layers", "num_layers", "n_layers", "num_hidden_layers"}},
      {"decoder_layers", {"decoder_layers", "num_decoder_layers", "num_layers", "n_layer", "num_hidden_layers"}},
      {"max_positions", {"max_position_embeddings", "n_positions"}},
      {"position_offset", {"pad_token_id"}},
      {"position_padding", {"pad_token_id"}},
      {"norm_epsilon", {"layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps", "norm_eps"}},
      {"layer_windows", {"sliding_window", "window_size", "local_attention"}},
      {"relative_buckets", {"relative_attention_num_buckets"}},
      {"relative_distance", {"relative_attention_max_distance"}},
      {"span", {"position_buckets"}},
      {"longest", {"max_relative_positions"}},
      {"dropped_token", {"mask_token_id"}},
      {"rotary_scaling", {"rope_scaling"}},
      {"rotary_size", {"rotary_dim"}},
      {"rotary_theta", {"rope_theta", "global_rope_theta"}},
      {"expert_count", {"num_local_experts", "num_experts", "n_routed_experts"}},
      {"experts_chosen", {"num_experts_per_tok"}},
      {"expert_size", {"moe_intermediate_size", "intermediate_size"}},
      {"expert_groups_kept", {"topk_group"}},
      {"expert_groups", {"n_group"}},
      {"share_scale", {"routed_scaling_factor"}},
      {"shared_size", {"shared_expert_intermediate_size", "n_shared_experts"}},
      {"router_noise", {"router_jitter_noise"}},
      {"gate_limit", {"swiglu_limit"}},
      {"gate_alpha", {"swiglu_alpha"}},
      {"latent_size", {"kv_lora_rank"}},
      {"query_latent_size", {"q_lora_rank"}},
      {"value_size", {"v_head_dim"}},
      {"rotary_size", {"qk_rope_head_dim"}},
      {"score_scale", {"query_pre_attn_scalar", "attention_multiplier"}},
      {"output_scale", {"logit_scale", "logits_scaling"}},
      {"embedding_scale", {"embedding_multiplier"}},
      {"residual_scale", {"residual_multiplier"}},
      {"layer_rotary", {"no_rope_layers", "layer_types"}},
      {"score_cap", {"attn_logit_softcapping"}},
      {"logit_cap", {"final_logit_softcapping"}},
      {"token_types", {"type_vocab_size"}},
      {"model_size", {"hidden_size", "n_embd", "d_model", "dim"}},
      {"head_size", {"head_dim", "d_kv"}},
      {"ff_size", {"intermediate_size", "n_inner", "d_ff", "ffn_dim", "hidden_dim", "encoder_ffn_dim"}},
      {"heads", {"num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads"}}};
  // What nobody can give here is no advice.
  if (const std::size_t advice = message.find(", or \"head_size\" must be given");
      advice != std::string::npos && !std::ranges::count(keys, "head_dim") && !std::ranges::count(keys, "d_kv"))
    message.erase(advice);
  for (const auto& [ours, theirs] : names) {
    const auto found =
        std::ranges::find_if(theirs, [&](const std::string& name) { return std::ranges::count(keys, name) > 0; });
    if (found == theirs.end()) continue;
    for (std::size_t at = 0; (at = message.find(ours, at)) != std::string::npos;) {
      const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
      const std::size_t end = at + ours.size();
      const bool whole_word =
          (at == 0 || !is_word(message[at - 1])) && (end == message.size() || !is_word(message[end]));
      const bool plain =
          ours.find('_') != std::string::npos || (at > 0 && message[at - 1] == '"');  // "heads" is a word
      if (whole_word && plain) message.replace(at, ours.size(), *found);
      at += whole_word && plain ? found->size() : ours.size();
    }
  }
  return message;
}

std::string known_activation(const std::string& theirs, const char* key) {
  static const std::map<std::string, const char*> known = {{"gelu", "gelu"},
                                                           {"gelu_python", "gelu"},
                                                           {"gelu_new", "gelu_tanh"},
                                                           {"gelu_fast", "gelu_tanh"},
                                                           {"gelu_accurate", "gelu_tanh"},
                                                           {"gelu_pytorch_tanh", "gelu_tanh"},
                                                           {"gelu_python_tanh", "gelu_tanh"},
                                                           {"relu", "relu"},
                                                           {"tanh", "tanh"},
                                                           {"silu", "silu"},
                                                           {"swish", "silu"},
                                                           {"relu2", "relu2"}};
  const auto ours = known.find(theirs);
  if (ours == known.end())
    throw FormatError(std::string(key) + ": the activation \"" + theirs.substr(0, 60) + "\" is not implemented");
  return ours->second;
}

std::string activation(const Json& config, const char* key, const char* fallback) {
  return known_activation(text(config, key, fallback), key);
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

namespace {

std::vector<double> numbers(const Json& rope, const char* key) {
  const auto found = rope.find(key);
  if (found == rope.end()) throw FormatError(std::string(key) + ": missing");
  std::vector<double> all;
  if (found->is_array())
    for (const Json& value : *found)
      if (value.is_number() && std::isfinite(value.get<double>())) all.push_back(value.get<double>());
  if (!found->is_array() || all.size() != found->size()) wrong(key, "a list of numbers", *found);
  return all;
}

double needed(const Json& rope, const char* key) {
  if (!given(rope, key)) throw FormatError(std::string(key) + ": missing");
  return real(rope, key, 0);
}

// What a rope type is in our settings (transformers/modeling_rope_utils).
Json scaling_of(const Json& config, const Json& rope, const std::string& type) {
  if (type == "default") return Json::object();
  if (type == "proportional") return {{"type", type}, {"factor", real(rope, "factor", 1)}};  // see set_rope
  if (type == "linear") {
    const double factor = needed(rope, "factor"),
                 longest = static_cast<double>(whole(config, "max_position_embeddings", 1));
    return {{"type", "linear"},
            {"factor", factor},
            {"original", std::max<Index>(1, static_cast<Index>(longest / std::max(1.0, factor)))}};
  }
  if (type == "dynamic")
    return {{"type", "dynamic"},
            {"factor", needed(rope, "factor")},
            {"original", whole(config, "max_position_embeddings")}};
  const Index longest = whole(config, "max_position_embeddings", 1);
  const Index original =
      whole(config, "original_max_position_embeddings", whole(rope, "original_max_position_embeddings", longest));
  if (original == 0) throw FormatError("original_max_position_embeddings: expected at least 1, found 0");
  if (type == "llama3")
    return {{"type", "llama3"},
            {"factor", needed(rope, "factor")},
            {"low", needed(rope, "low_freq_factor")},
            {"high", needed(rope, "high_freq_factor")},
            {"original", original}};
  const double factor = real(rope, "factor", static_cast<double>(longest) / static_cast<double>(original));
  double sharper = 1;
  if (type == "yarn") {
    const auto scale_of = [&](double m) { return factor <= 1 ? 1 : 0.1 * m * std::log(factor) + 1; };
    const double m = real(rope, "mscale", 0), all = real(rope, "mscale_all_dim", 0);
    sharper = real(rope, "attention_factor", m != 0 && all != 0 ? scale_of(m) / scale_of(all) : scale_of(1));
    const double fast = real(rope, "beta_fast", 32), slow = real(rope, "beta_slow", 1);
    return {{"type", "yarn"},
            {"factor", factor},
            {"original", original},
            {"fast", fast == 0 ? 32 : fast},
            {"slow", slow == 0 ? 1 : slow},
            {"truncate", yes(rope, "truncate", true)},
            {"attention", sharper}};
  }
  if (factor > 1 && original > 1) sharper = std::sqrt(1 + std::log(factor) / std::log(static_cast<double>(original)));
  return {{"type", "longrope"},
          {"original", original},
          {"attention", real(rope, "attention_factor", sharper)},
          {"short_factors", numbers(rope, "short_factor")},
          {"long_factors", numbers(rope, "long_factor")}};
}

std::string type_of_rope(const Json& rope) {
  std::string type = text(rope, "rope_type", text(rope, "type", "default"));
  if (type == "su") type = "longrope";  // its name in Phi-3's first files
  static const std::set<std::string> known = {"default",  "linear",  "llama3",      "yarn",
                                              "longrope", "dynamic", "proportional"};
  if (!known.count(type)) throw FormatError("the rope type \"" + type.substr(0, 60) + "\" is not implemented");
  return type;
}

void refuse_unknown(const Json& rope) {
  static const std::vector<std::string> known = words_in(
      "rope_type type rope_theta factor original_max_position_embeddings low_freq_factor high_freq_factor beta_fast "
      "beta_slow truncate mscale mscale_all_dim attention_factor short_factor long_factor partial_rotary_factor");
  for (const auto& [key, value] : rope.items())
    if (!std::ranges::count(known, key) && !says_nothing(key, value))
      throw FormatError("the key \"" + key.substr(0, 60) + "\" is not known");
}

}  // namespace

Rope rope_of(const Json& config, Rope rope, const char* kind) {
  const bool usual = std::string(kind) == kUsual;  // what stands at the top is of these layers
  if (usual) rope.theta = real(config, "rope_theta", rope.theta);
  if (usual) rope.share = real(config, "partial_rotary_factor", rope.share);
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (!given(config, key)) continue;
    const Json* here = &config.at(key);
    try {
      if (!here->is_object()) throw FormatError("expected an object, found " + shown(*here));
      if (here->contains(kind))
        here = &here->at(kind);
      else if (!usual)
        continue;
      if (!here->is_object()) throw FormatError(std::string(kind) + ": expected an object, found " + shown(*here));
      const std::string type = type_of_rope(*here);
      refuse_unknown(*here);
      rope.theta = real(*here, "rope_theta", rope.theta);
      rope.share = real(*here, "partial_rotary_factor", rope.share);
      rope.scaling = scaling_of(config, *here, type);
    } catch (const FormatError& error) {
      throw FormatError(std::string(key) + ": " + error.what());
    }
  }
  return rope;
}

void set_rope(Json& settings, const Rope& rope, Index head_size) {
  settings["positions"] = "rotary";
  settings["rotary_theta"] = rope.theta;
  const double turned = rope.share * static_cast<double>(head_size);
  if (!(rope.share > 0 && rope.share <= 1 && turned >= 2))
    throw FormatError("partial_rotary_factor: expected a share of the " + std::to_string(head_size) +
                      " numbers of a head, found " + Json(rope.share).dump());
  settings["rotary_size"] = static_cast<Index>(turned);
  settings["rotary_scaling"] = rope.scaling;
  if (rope.scaling.value("type", "") != "proportional") return;
  // As quick as if the whole head were turned; the pairs behind the share stand still.
  Json frequencies = Json::array();
  for (Index i = 0; i < std::min<Index>(head_size, 1 << 16) / 2; ++i)
    frequencies.push_back(i < static_cast<Index>(turned / 2)
                              ? std::pow(rope.theta, -2 * static_cast<double>(i) / static_cast<double>(head_size)) /
                                    rope.scaling.at("factor").get<double>()
                              : 0);
  settings["rotary_size"] = head_size;
  settings["rotary_scaling"] = Json{{"type", "listed"}, {"frequencies", std::move(frequencies)}};
}

void refuse_share(const Rope& rope) {
  if (rope.share != 1)
    throw FormatError("partial_rotary_factor: heads that are turned in part are not known of this family, found " +
                      Json(rope.share).dump());
}

std::vector<bool> local_layers(const Json& config, Index layers, bool (*local)(const Json&, Index)) {
  std::vector<bool> all;
  if (!given(config, "layer_types")) {
    for (Index l = 0; l < std::min<Index>(layers, 1024); ++l) all.push_back(local(config, l));
    return all;
  }
  const Json& types = config.at("layer_types");
  if (!types.is_array() || types.size() != static_cast<std::size_t>(layers))
    throw FormatError("layer_types: expected a list of " + std::to_string(layers) + ", found " + shown(types));
  for (const Json& type : types) {
    if (type != "full_attention" && type != "sliding_attention")
      throw FormatError("layer_types: layers of type " + shown(type) + " are not implemented");
    all.push_back(type == "sliding_attention");
  }
  return all;
}

Json windows(const std::vector<bool>& local, Index window) {
  Json all = Json::array();
  for (const bool here : local) all.push_back(here ? window : 0);
  return all;
}

}  // namespace headlight::families
