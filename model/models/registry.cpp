// The registry of architectures, and the settings that they read.

#include "model/models/registry.h"

#include "model/core/budget.h"
#include "model/models/attend_after.h"
#include "model/models/attend_before.h"
#include "model/models/convs2s.h"
#include "model/models/ntm.h"
#include "model/models/pictures.h"
#include "model/models/recurrent_lm.h"
#include "model/models/settings.h"
#include "model/models/transformer.h"
#include "model/text/nearest.h"

namespace headlight {

namespace {

bool same_kind(const Json& value, const Json& as) {
  if (as == "all") return value.is_string() || value.is_array();  // all layers, or a list of them
  return as.is_number() ? value.is_number() : value.type() == as.type();
}

const char* kind_name(const Json& value) {
  return value.is_boolean()  ? "true or false"
         : value.is_number() ? "a number"
         : value.is_string() ? "a text"
         : value.is_array()  ? "a list"
                             : "an object";
}

const Architecture& architecture_in(const Json& config) {
  if (!config.is_object() || !config.contains("model_type") || !config["model_type"].is_string())
    throw FormatError("the configuration has no \"model_type\"");
  return find_architecture(config["model_type"].get<std::string>());
}

// Whose paper a model of another library is of, by what that library calls it ("family" of the settings).
Published published_as(const std::string& family) {
  static const std::map<std::string, Published> all = {
      {"bert", {2018, 10, "Devlin et al."}},
      {"roberta", {2019, 7, "Liu et al."}},
      {"xlm-roberta", {2019, 11, "Conneau et al."}},
      {"camembert", {2019, 11, "Martin et al."}},
      {"distilbert", {2019, 10, "Sanh et al."}},
      {"electra", {2020, 3, "Clark et al."}},
      {"albert", {2019, 9, "Lan et al."}},
      {"modernbert", {2024, 12, "Warner et al."}},
      {"gpt2", {2019, 2, "Radford et al."}},
      {"gpt_neo", {2021, 3, "Black et al."}},
      {"gpt_neox", {2022, 4, "Black et al."}},
      {"opt", {2022, 5, "Zhang et al."}},
      {"llama", {2023, 2, "Touvron et al."}},
      {"mistral", {2023, 10, "Jiang et al."}},
      {"qwen2", {2024, 7, "Yang et al."}},
      {"qwen3", {2025, 5, "Yang et al."}},
      {"phi3", {2024, 4, "Abdin et al."}},
      {"gemma", {2024, 3, "Gemma Team"}},
      {"gemma2", {2024, 8, "Gemma Team"}},
      {"gemma3_text", {2025, 3, "Gemma Team"}},
      {"t5", {2019, 10, "Raffel et al."}},
      {"mt5", {2020, 10, "Xue et al."}},
      {"bart", {2019, 10, "Lewis et al."}},
      {"marian", {2018, 4, "Junczys-Dowmunt et al."}},
      {"mixtral", {2024, 1, "Jiang et al."}},
      {"qwen2_moe", {2024, 7, "Yang et al."}},
      {"qwen3_moe", {2025, 5, "Yang et al."}},
      {"olmoe", {2024, 9, "Muennighoff et al."}},
      {"granitemoe", {2024, 10, "Granite Team"}},
      {"gpt_oss", {2025, 8, "OpenAI"}},
      {"deepseek_v2", {2024, 5, "DeepSeek-AI"}},
      {"deepseek_v3", {2024, 12, "DeepSeek-AI"}},
      {"glm4_moe", {2025, 8, "GLM-4.5 Team"}},
      {"phimoe", {2024, 4, "Abdin et al."}},
      {"bloom", {2022, 11, "BigScience"}},
      {"gptj", {2021, 6, "Wang & Komatsuzaki"}},
      {"codegen", {2022, 3, "Nijkamp et al."}},
      {"phi", {2023, 9, "Li et al."}},
      {"falcon", {2023, 11, "Almazrouei et al."}},
      {"olmo", {2024, 2, "Groeneveld et al."}},
      {"olmo2", {2024, 12, "OLMo Team"}},
      {"olmo3", {2025, 12, "OLMo Team"}},
      {"stablelm", {2024, 2, "Bellagente et al."}},
      {"smollm3", {2025, 7, "Bakouch et al."}},
      {"starcoder2", {2024, 2, "Lozhkov et al."}},
      {"cohere", {2024, 3, "Cohere"}},
      {"cohere2", {2025, 4, "Cohere"}},
      {"granite", {2024, 10, "Granite Team"}},
      {"nemotron", {2024, 2, "Parmar et al."}},
      {"glm", {2024, 6, "GLM Team"}},
      {"glm4", {2025, 4, "GLM Team"}},
      {"ernie4_5", {2025, 6, "Baidu"}},
      {"helium", {2025, 1, "Kyutai"}},
      {"modernbert-decoder", {2025, 7, "Weller et al."}},
      {"mbart", {2020, 1, "Liu et al."}},
      {"pegasus", {2019, 12, "Zhang et al."}},
      {"m2m_100", {2020, 10, "Fan et al."}},
      {"blenderbot-small", {2020, 4, "Roller et al."}},
      {"t5gemma", {2025, 4, "Zhang et al."}},
      {"mpnet", {2020, 4, "Song et al."}},
      {"deberta-v2", {2020, 6, "He et al."}},
      {"nomic_bert", {2024, 2, "Nussbaum et al."}},
      {"esm", {2022, 7, "Lin et al."}},
      {"eurobert", {2025, 3, "Boizard et al."}},
  };
  const auto found = all.find(family);
  return found == all.end() ? Published{} : found->second;
}

// With the default values of what it leaves out.
Json completed(const Json& config, const Architecture& architecture) {
  Json full = architecture.defaults;
  for (const auto& [key, value] : config.items()) {
    if ((key == kFamily && value.is_string()) || (key == kAdapterStrength && value.is_number())) {
      full[key] = value;
      continue;
    }
    if (key != "model_type" && !full.contains(key))
      throw FormatError("\"" + key + "\" is not a setting of " + architecture.name);
    // Also of the settings that this model does not read, but that others look at.
    if (key != "model_type" && !same_kind(value, full[key]))
      throw FormatError("\"" + key + "\" must be " + kind_name(full[key]) + ", found " + value.dump());
    full[key] = value;
  }
  return full;
}

// Of a model with these shapes: what its weights take, without those that are there already.
double weight_bytes(const ParameterTable& shapes, const ParameterTable* shared) {
  double bytes = 0;
  for (const Parameter& parameter : shapes.all()) {
    const Tensor* known = shared ? shared->find(parameter.name) : nullptr;
    if (!known || known->shape() != parameter.value.shape())
      bytes += static_cast<double>(parameter.value.shape().size()) * sizeof(Scalar);
  }
  return bytes;
}

// The setting that is furthest above its default: most likely the one that was mistyped.
std::string largest_setting(const Json& config, const Json& defaults) {
  std::string text;
  double most = 1;
  for (const auto& [key, value] : defaults.items()) {
    if (!value.is_number_integer() || !config[key].is_number() || value <= 0) continue;
    const double ratio = config[key].get<double>() / value.get<double>();
    if (ratio <= most) continue;
    most = ratio;
    text = " (" + key + " is " + config[key].dump() + ")";
  }
  return text;
}

}  // namespace

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> rows = [] {
    std::vector<Architecture> all = {
        seq2seq_architecture(),      peeky_architecture(),         attention_architecture(),
        convs2s_architecture(),      luong_architecture(),         gnmt_architecture(),
        bahdanau_architecture(),     bahdanau_m30k_architecture(), hard_attention_architecture(),
        ntm_architecture(),          transformer_architecture(),   encoder_only_architecture(),
        decoder_only_architecture(), recurrent_lm_architecture(),
    };
    // Every model may learn to write from the end to the start: its data are turned round, and its output is turned
    // back.
    for (Architecture& row : all) row.defaults["reverse_target"] = false;
    return all;
  }();
  return rows;
}

const Architecture& find_architecture(const std::string& name) {
  std::vector<std::string> known;
  for (const Architecture& row : architectures()) {
    if (row.name == name) return row;
    known.emplace_back(row.name);
  }
  throw UsageError("there is no architecture '" + name + "'" + did_you_mean_or("known: ", name, known));
}

Model::Model(const Json& config) : config_(config), traits_(traits_of(config)) {}

ModelTraits traits_of(const Json& config) {
  using Kind = ModelTraits::Kind;
  ModelTraits traits;
  const auto read = [&config](const char* key, auto& value) { value = config.value(key, value); };
  read("model_type", traits.architecture);
  for (const Architecture& row : architectures())
    if (row.name == traits.architecture) traits.published = row.published;
  const std::string family = config.value(kFamily, std::string());
  if (const Published own = published_as(family); own.year > 0 || family == "stored") traits.published = own;
  const bool alone = traits.architecture == "recurrent_lm";
  traits.kind = traits.architecture == "encoder_only"            ? Kind::encoder_only
                : alone || traits.architecture == "decoder_only" ? Kind::decoder_only
                                                                 : Kind::encoder_decoder;
  read("target_vocabulary_size", traits.target_vocabulary);
  for (const char* key : {"embedding_size", "hidden_size", "model_size"}) read(key, traits.width);
  read("heads", traits.heads);
  read("kernel_size", traits.kernel_size);
  read("reverse_source", traits.reads_reversed);
  read("reverse_target", traits.writes_reversed);
  read("causal", traits.causal);
  traits.continues_source = alone || config.value("prompt", "separate") == "continue";
  const Index layers = config.value("layers", Index{1}), asking = config.value("query_layer", Index{0});
  const bool on_top = asking < 0 || asking + 1 == layers;  // no layer of this step reads what was found
  traits.attends_ahead = config.value("context_use", "") == "to_next" && !config.value("combine", false) &&
                         (on_top || config.value("attention_step", "fresh") == "past");
  traits.local_attention = config.value("attention.reach", "global") != "global";
  read("attention.half_width", traits.half_width);
  read("attention.sigma", traits.sigma);
  read("positions", traits.positions);
  read(traits.positions == "concat" ? "position_size" : "model_size", traits.position_size);
  read("rotary_theta", traits.rotary_theta);
  traits.rotary_neighbours = config.value("rotary_pairs", "halves") != "halves";
  return traits;
}

std::vector<const char*> telling_pictures(const ModelTraits& traits) {
  for (const Architecture& row : architectures())
    if (row.name == traits.architecture) return row.pictures;
  return {};
}

ModelTraits described_traits(const Json& config) { return traits_of(completed(config, architecture_in(config))); }

std::unique_ptr<Model> make_model(const Json& config, InitialValues values) {
  const Architecture& architecture = architecture_in(config);
  const Json full = completed(config, architecture);
  if (values.kind != InitialValues::Kind::none) {
    const std::unique_ptr<Model> shapes = architecture.make(full, {InitialValues::Kind::none, 0});
    const bool drawn = values.kind == InitialValues::Kind::drawn;
    within_budget(weight_bytes(shapes->parameters(), values.shared), drawn ? budget::kDrawnWeights : budget::kWeights,
                  "a model of " + std::to_string(shapes->parameters().count()) + " weights",
                  "make it smaller" + largest_setting(full, architecture.defaults));
  }
  return architecture.make(full, values);
}

Index read_index(const Json& config, const char* key, Index low, Index high) {
  const Json& value = config.at(key);
  const auto fits = [&] {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high)) return false;
    return value.is_number_integer() && value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high;
  };
  if (!fits())
    throw FormatError("\"" + std::string(key) + "\" must be a whole number from " + std::to_string(low) + " to " +
                      std::to_string(high) + ", found " + value.dump());
  return static_cast<Index>(value.get<std::int64_t>());
}

double read_number(const Json& config, const char* key, double low, double high) {
  const Json& value = config.at(key);
  if (!value.is_number() || !(value.get<double>() >= low && value.get<double>() <= high))
    throw FormatError("\"" + std::string(key) + "\" must be a number from " + Json(low).dump() + " to " +
                      Json(high).dump() + ", found " + value.dump());
  return value.get<double>();
}

std::size_t read_choice(const Json& config, const char* key, const std::vector<std::string>& names) {
  const Json& value = config.at(key);
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (value.is_string() && value.get<std::string>() == names[i]) return i;
    known += (i == 0 ? "" : ", ") + names[i];
  }
  throw FormatError("\"" + std::string(key) + "\" must be one of " + known + "; found " + value.dump());
}

Json object_with(const char* key, const Json& settings, Json defaults) {
  for (const auto& [name, value] : settings.items()) {
    if (!defaults.contains(name))
      throw FormatError("\"" + name + "\" is not a setting of \"" + std::string(key) + "\"");
    defaults[name] = value;
  }
  return defaults;
}

bool read_flag(const Json& config, const char* key) {
  const Json& value = config.at(key);
  if (!value.is_boolean())
    throw FormatError("\"" + std::string(key) + "\" must be true or false, found " + value.dump());
  return value.get<bool>();
}

}  // namespace headlight
