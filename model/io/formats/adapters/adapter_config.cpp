#include "model/io/formats/adapters/adapter_config.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "model/core/ascii.h"
#include "model/io/file.h"
#include "model/io/formats/families/config.h"
#include "model/io/formats/families/other_keys.h"
#include "model/io/json_file.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMostBytes = 16u << 20;
constexpr JsonLimits kMostJson{16, 100'000, 200'000};
constexpr double kMostNumber = 1e6;  // of ranks and alphas

// They change what a base computes in other ways than the sums of this folder's code.
constexpr const char* kOtherArithmetic[] = {"layer_replication",
                                            "target_parameters",
                                            "alora_invocation_tokens",
                                            "trainable_token_indices",
                                            "use_qalora",
                                            "use_bdlora",
                                            "arrow_config",
                                            "kasa_config",
                                            "monteclora_config",
                                            "enable_lora"};
// Read here, or without a say in any number: how the training began and which modules it chose.
constexpr const char* kKnown[] = {"peft_type",
                                  "base_model_name_or_path",
                                  "task_type",
                                  "r",
                                  "lora_alpha",
                                  "use_rslora",
                                  "use_dora",
                                  "rank_pattern",
                                  "alpha_pattern",
                                  "modules_to_save",
                                  "ensure_weight_tying",
                                  "init_lora_weights",
                                  "bias",
                                  "lora_bias",
                                  "target_modules",
                                  "exclude_modules",
                                  "layers_pattern",
                                  "layers_to_transform",
                                  "lora_dropout",
                                  "fan_in_fan_out",
                                  "inference_mode",
                                  "merge_weights",
                                  "qalora_group_size",
                                  "peft_version",
                                  "auto_mapping",
                                  "revision",
                                  "loftq_config",
                                  "megatron_config",
                                  "megatron_core",
                                  "eva_config",
                                  "corda_config",
                                  "lora_ga_config",
                                  "runtime_config",
                                  "velora_config"};
constexpr const char* kShown[] = {"base_model_name_or_path",
                                  "task_type",
                                  "r",
                                  "lora_alpha",
                                  "use_rslora",
                                  "use_dora",
                                  "rank_pattern",
                                  "alpha_pattern",
                                  "target_modules",
                                  "exclude_modules",
                                  "modules_to_save",
                                  "layers_to_transform",
                                  "layers_pattern",
                                  "bias",
                                  "lora_bias",
                                  "lora_dropout",
                                  "init_lora_weights",
                                  "peft_version"};

bool is_among(std::span<const char* const> list, const std::string& key) {
  return std::ranges::any_of(list, [&](const char* each) { return key == each; });
}

// A starting pair that was taken out of the base: with these the base itself is another one.
void refuse_start(const Json& config, const std::string& where) {
  const auto start = config.find("init_lora_weights");
  if (start == config.end() || !start->is_string()) return;
  const std::string name = lower_ascii(start->get<std::string>());
  if (name == "gaussian" || name == "eva" || name == "orthogonal" || name.empty()) return;
  throw FormatError(
      where + ": init_lora_weights \"" + start->get<std::string>().substr(0, 60) +
      "\": its training changed the base by the pair that it began with, so that the adapter alone is not "
      "enough; merge it into its base and open that");
}

void refuse_kind(const Json& config, const std::string& where) {
  const std::string kind = text_at(config, "peft_type");
  if (kind.empty()) throw FormatError(where + ": peft_type is missing: it says which kind of adapter this is");
  if (kind != "LORA")
    throw FormatError(where + ": peft_type \"" + kind.substr(0, 60) + "\": only adapters of peft_type LORA are opened");
}

double number_in(const Json& value, const std::string& where, const std::string& key) {
  if (!value.is_number() || !(std::abs(value.get<double>()) <= kMostNumber))
    throw FormatError(where + ": " + key + ": expected a number up to 1000000, found " + families::shown(value));
  return value.get<double>();
}

}  // namespace

AdapterConfig::AdapterConfig(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kAdapterConfig;
  const std::string where = path.string();
  if (!is_there(path))
    throw FileError(folder.string() + ": there is no " + kAdapterConfig +
                    ": nothing says what its weights are added to");
  const Json config = read_python_json(path, kMostBytes, kMostJson);
  if (!config.is_object()) throw FormatError(where + ": expected an object, found " + families::shown(config));
  const auto in_file = [&](auto read) {
    try {
      return read();
    } catch (const FormatError& error) {
      const std::string said = error.what();
      throw FormatError(said.starts_with(where) ? said : where + ": " + said);
    }
  };
  refuse_kind(config, where);
  for (const auto& [key, value] : config.items()) {
    const bool says_nothing = families::says_nothing(key, value);
    if (is_among(kOtherArithmetic, key)) {
      if (says_nothing) continue;
      throw FormatError(where + ": adapters with " + key + " " + families::shown(value) + " are not computed here");
    }
    if (is_among(kKnown, key) || says_nothing || value.is_string()) continue;
    if (value.is_boolean() || value.is_number())
      throw FormatError(where + ": the setting \"" + key.substr(0, 60) + "\" " + families::shown(value) +
                        " is not known, and may change what is computed");
    unknown_.push_back(key);
  }
  refuse_start(config, where);
  in_file([&] {
    base_ = families::text(config, "base_model_name_or_path", "");
    task_type_ = families::text(config, "task_type", "");
    by_root_ = families::yes(config, "use_rslora", false);
    dora_ = families::yes(config, "use_dora", false);
    keeps_ties_ = families::yes(config, "ensure_weight_tying", false);
    rank_ = static_cast<double>(families::whole(config, "r", 8));
    if (families::given(config, "lora_alpha")) alpha_ = number_in(config.at("lora_alpha"), where, "lora_alpha");
    ranks_ = patterns_of(config, "rank_pattern", where);
    alphas_ = patterns_of(config, "alpha_pattern", where);
    if (!families::given(config, "modules_to_save")) return;
    const Json& list = config.at("modules_to_save");
    if (!list.is_array()) families::wrong("modules_to_save", "a list of names", list);
    for (const Json& name : list) {
      if (!name.is_string()) families::wrong("modules_to_save", "a list of names", list);
      copies_.push_back(name.get<std::string>());
    }
  });
  for (const char* key : kShown)
    if (const auto found = config.find(key); found != config.end() && !found->is_null())
      shown_.emplace_back(key, found->is_string() ? found->get<std::string>() : found->dump(-1, ' ', true));
}

// Each by itself: early versions looked alpha up under the key that the rank had matched.
AdapterConfig::Patterns AdapterConfig::patterns_of(const Json& config, const char* key, const std::string& where) {
  Patterns patterns;
  if (!families::given(config, key)) return patterns;
  const Json& table = config.at(key);
  if (!table.is_object()) families::wrong(key, "an object", table);
  for (const auto& [name, value] : table.items())
    patterns.emplace_back(
        pretrained::regular_expression("\\A(?:.*\\.)?(?:" + name + ")\\z", where + ": " + key + ": \"" + name + "\""),
        number_in(value, where, std::string(key) + ": " + name));
  return patterns;
}

double AdapterConfig::value_of(const Patterns& patterns, const std::string& module, double otherwise) {
  for (const auto& [pattern, value] : patterns)
    if (!pattern(module).empty()) return value;
  return otherwise;
}

double AdapterConfig::scale_of(const std::string& module, Index rank) const {
  const auto rows = static_cast<double>(rank);
  return value_of(alphas_, module, alpha_) / (by_root_ ? std::sqrt(rows) : rows);
}

bool AdapterConfig::is_copy(const std::string& tensor) const {
  return std::ranges::any_of(copies_, [&](const std::string& name) {
    const std::size_t at = name.empty() ? tensor.npos : ("." + tensor).find("." + name + ".");
    return at != tensor.npos;
  });
}

}  // namespace headlight
