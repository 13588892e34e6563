#include "model/io/formats/headlight_folder.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "model/core/budget.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "model/text/message_line.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kFormat = 1;
constexpr std::uint64_t kMaxConfig = 1u << 20;
constexpr std::int64_t kMaxWidth = 4096, kLastOrder = 1'000'000;
constexpr const char *kConfig = "config.json", *kWeights = "model.safetensors", *kVocabulary = "vocabulary.json",
                     *kCard = "README.md";

TokenId token_id(const Settings& text, const char* key, const Vocabulary& vocabulary) {
  const std::string token = text.text(key);
  const std::optional<TokenId> id = vocabulary.find(token);
  if (!id) text.fail(key, "\"" + token + "\" is not in the target vocabulary");
  return *id;
}

std::optional<TokenId> optional_id(const Settings& text, const char* key, const Vocabulary& vocabulary) {
  if (!text.has(key) || text.at(key).is_null()) return {};
  return token_id(text, key, vocabulary);
}

bool read_flag(const Settings& text, const char* key) {
  if (!text.has(key)) return false;
  if (!text.at(key).is_boolean()) text.fail(key, "expected true or false, found " + text.at(key).dump());
  return text.at(key).get<bool>();
}

Tokenizer read_tokenizer(const Settings& text, const char* key, bool lower_case, Vocabulary vocabulary, Merges merges) {
  const std::string name = text.text(key, kTokenizerNames[0]);
  const auto found = std::find(std::begin(kTokenizerNames), std::end(kTokenizerNames), name);
  if (found == std::end(kTokenizerNames))
    text.fail(key, "expected \"characters\", \"words\" or \"bpe\", found \"" + name + "\"");
  try {
    return {std::move(vocabulary), static_cast<TokenizerKind>(found - std::begin(kTokenizerNames)), lower_case,
            std::move(merges)};
  } catch (const FormatError& error) {
    text.fail(key, std::string(kVocabulary) + ": " + error.what());
  }
}

// What both sides use has to have one id: a batch has one number for padding.
void check_shared(const Settings& text, const char* key, std::optional<TokenId> id, const TextRules& rules) {
  if (id && rules.source.vocabulary().find(rules.target.vocabulary().text(*id)) != id)
    text.fail(key, "\"" + rules.target.vocabulary().text(*id) + "\" has to be number " + std::to_string(*id) +
                       " of the source vocabulary, too");
}

TextRules read_text(const Settings& text, VocabularyPair vocabularies) {
  text.allow_only({"source_tokenizer", "target_tokenizer", "lower_case", "source_width", "target_length",
                   "longest_source", "bos", "eos", "pad", "mask", "source_eos", "source_bos"});
  TextRules rules;
  // Another value than the one that was left out would read the same text as other tokens.
  constexpr std::array kTogether = {"source_tokenizer", "target_tokenizer", "lower_case"};
  if (std::ranges::any_of(kTogether, [&](const char* key) { return text.has(key); }))
    for (const char* key : kTogether) text.at(key);
  const bool lower_case = read_flag(text, "lower_case");
  rules.source = read_tokenizer(text, "source_tokenizer", lower_case, std::move(vocabularies.source),
                                std::move(vocabularies.source_merges));
  rules.target = read_tokenizer(text, "target_tokenizer", lower_case, std::move(vocabularies.target),
                                std::move(vocabularies.target_merges));
  rules.source_width = text.integer("source_width", 0, kMaxWidth, 0);
  if (rules.source_width > 0 && !rules.source.vocabulary().find(" "))
    text.fail("source_width", "short sources are padded with spaces, but the source vocabulary has no space");
  rules.target_length = text.integer("target_length", 0, kMaxWidth, 0);
  rules.longest_source = text.integer("longest_source", 0, kMaxWidth, rules.source_width);
  rules.bos = token_id(text, "bos", rules.target.vocabulary());
  rules.eos = optional_id(text, "eos", rules.target.vocabulary());
  rules.pad = optional_id(text, "pad", rules.target.vocabulary());
  rules.source_eos = read_flag(text, "source_eos");
  if (rules.source_eos && !rules.eos) text.fail("source_eos", "sources end with \"eos\", but there is none");
  if (rules.source_eos) check_shared(text, "eos", rules.eos, rules);
  check_shared(text, "pad", rules.pad, rules);
  rules.source_bos = read_flag(text, "source_bos");
  if (rules.source_bos) check_shared(text, "bos", rules.bos, rules);
  rules.mask = optional_id(text, "mask", rules.target.vocabulary());
  check_shared(text, "mask", rules.mask, rules);
  return rules;
}

Json text_json(const TextRules& rules) {
  const auto token = [&](std::optional<TokenId> id) {
    return id ? Json(rules.target.vocabulary().text(*id)) : Json(nullptr);
  };
  Json text;
  text["source_tokenizer"] = kTokenizerNames[static_cast<int>(rules.source.kind())];
  text["target_tokenizer"] = kTokenizerNames[static_cast<int>(rules.target.kind())];
  text["lower_case"] = rules.source.lower_case();
  text["source_width"] = rules.source_width;
  text["target_length"] = rules.target_length;
  text["longest_source"] = rules.longest_source;
  text["bos"] = token(rules.bos);
  text["eos"] = token(rules.eos);
  text["pad"] = token(rules.pad);
  text["source_eos"] = rules.source_eos;
  if (rules.source_bos) text["source_bos"] = true;
  if (rules.mask) text["mask"] = token(rules.mask);
  return text;
}

void check_vocabulary(const Settings& model, const char* key, const Vocabulary& vocabulary, const char* list) {
  if (!model.has(key)) return;  // it follows from the vocabulary
  const std::int64_t size = model.integer(key, 1, 1'000'000'000);
  if (size != vocabulary.size())
    model.fail(key, "expected " + std::to_string(vocabulary.size()) + ", as many as there are " + list + " tokens in " +
                        kVocabulary + ", found " + std::to_string(size));
}

// Both directions: what the model needs and the file lacks, and what the file holds and nobody reads.
void check_shapes(const ParameterTable& expected, const SafetensorsFile& file) {
  std::unordered_set<std::string> known;
  for (const auto& [name, value] : expected.all()) {
    known.insert(name);
    const TensorInfo* found = file.find(name);
    const std::string where = file.name() + ": tensor \"" + name + "\": expected " + value.shape().text();
    if (!found) throw FormatError(where + ", but it is missing");
    const std::vector<Index> dims = value.shape().vector();
    if (!std::equal(dims.begin(), dims.end(), found->shape.begin(), found->shape.end(),
                    [](Index a, std::uint64_t b) { return static_cast<std::uint64_t>(a) == b; }))
      throw FormatError(where + ", as " + kConfig + " says, found " + found->shape_text());
    if (!found->has_fractions())
      throw FormatError(file.name() + ": tensor \"" + name +
                        "\": expected weights of type F16, BF16, F32 or F64, found " + found->dtype);
  }
  for (const TensorInfo& info : file.tensors())
    if (!known.count(info.name))
      throw FormatError(file.name() + ": tensor \"" + info.name + "\": the model that " + kConfig +
                        " describes has no such tensor, found " + info.shape_text());
}

std::string non_finite_text(const std::string& name, const NonFinite& count) {
  std::string text = name + " contains ";
  if (count.nan > 0) text += std::to_string(count.nan) + " NaN";
  if (count.nan > 0 && count.infinite > 0) text += " and ";
  if (count.infinite > 0) text += std::to_string(count.infinite) + " infinite";
  return text +
         (count.nan + count.infinite == 1 ? " value; results that depend on it"
                                          : " values; results that depend on them") +
         " are shown as missing";
}

std::unique_ptr<Model> read_weights(const Json& config, const fs::path& config_path, const SafetensorsFile& file,
                                    std::vector<std::string>& warnings, const Opening& opening) {
  try {
    // A strange configuration may ask for more memory than there is: its shapes have to be those of the file first.
    check_shapes(make_model(config, {InitialValues::Kind::none})->parameters(), file);
    std::unique_ptr<Model> model = make_model(config, {InitialValues::Kind::zeros});
    double read = 0;
    for (Parameter& parameter : model->parameters().all()) {
      opening.report(read / static_cast<double>(model->parameters().count()));
      read += static_cast<double>(parameter.value.size());
      const Tensor values = file.load(parameter.name);
      std::copy_n(values.data(), values.size(), parameter.value.data());
      if (const NonFinite count = count_non_finite(values)) warnings.push_back(non_finite_text(parameter.name, count));
    }
    return model;
  } catch (const FormatError& error) {
    if (std::string(error.what()).starts_with(file.name())) throw;
    throw FormatError(config_path.string() + ": model: " + error.what());
  } catch (const BudgetError& error) {
    throw FormatError(config_path.string() + ": model: " + error.what());
  } catch (const UsageError& error) {  // an architecture that does not exist
    throw FormatError(config_path.string() + ": model_type: " + error.what());
  }
}

// Whoever writes a folder by hand is told everything that is missing at once.
void require_keys(const Json& config, const std::string& file) {
  std::vector<std::string> missing;
  for (const char* key : {"format", "model_type", "model", "text"})
    if (!config.contains(key)) missing.emplace_back(key);
  if (config.contains("text") && config["text"].is_object()) {
    const Json& text = config["text"];
    if (!text.contains("bos")) missing.emplace_back("text.bos");
    constexpr std::array kTogether = {"source_tokenizer", "target_tokenizer", "lower_case"};
    if (std::ranges::any_of(kTogether, [&](const char* key) { return text.contains(key); }))
      for (const char* key : kTogether)
        if (!text.contains(key)) missing.push_back(std::string("text.") + key);
  }
  if (missing.size() < 2) return;  // one is told where it is read
  std::string names;
  for (std::size_t i = 0; i < missing.size(); ++i)
    names += (i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ") + missing[i];
  throw FormatError(file + ": " + names + " are missing");
}

// Everything but the weights, and the settings of the model.
std::pair<std::shared_ptr<ModelBundle>, Json> read_description(const fs::path& folder) {
  const fs::path config_path = folder / kConfig;
  const Json config = read_json(config_path, kMaxConfig);
  const Settings settings(config, config_path.string());
  require_keys(config, config_path.string());
  if (const std::int64_t format = settings.integer("format", 1, 1'000'000); format != kFormat)
    settings.fail("format", "expected 1, found " + std::to_string(format) + "; a newer Headlight wrote this model");
  auto bundle = std::make_shared<ModelBundle>();
  bundle->folder = folder;
  bundle->name = escaped_line(last_part(folder));
  bundle->title = message_line(settings.text("title", bundle->name));
  bundle->description = settings.text("description", "");
  bundle->task = settings.text("task", "");
  bundle->order = static_cast<int>(settings.integer("order", 0, kLastOrder, 0));
  if (settings.has("examples")) bundle->examples = settings.texts("examples");
  bundle->text = read_text(settings.object("text"), load_vocabularies(folder / kVocabulary));
  const Settings model = settings.object("model");
  check_vocabulary(model, "source_vocabulary_size", bundle->source_vocabulary(), "source");
  check_vocabulary(model, "target_vocabulary_size", bundle->target_vocabulary(), "target");
  Json merged = settings.at("model");
  merged["source_vocabulary_size"] = bundle->source_vocabulary().size();
  merged["target_vocabulary_size"] = bundle->target_vocabulary().size();
  merged["model_type"] = settings.text("model_type");
  return {std::move(bundle), std::move(merged)};
}

// The additive score had no biases when the first folders were written, and its setting is not in them: then the
// weights say which there are.
void settle_score_bias(Json& config, const SafetensorsFile& weights) {
  constexpr const char* kBias = "attention.bias";
  const auto row = std::ranges::find(architectures(), config["model_type"].get<std::string>(), &Architecture::name);
  if (config.contains(kBias) || row == architectures().end() || row->defaults.value(kBias, "none") == "none") return;
  const bool behind = weights.find("attention.b_v"), inside = weights.find("attention.b_a");
  config[kBias] = behind ? "both" : inside ? "hidden" : "none";
}

std::shared_ptr<const ModelBundle> open(const fs::path& folder, const Opening& opening) {
  auto [bundle, config] = read_description(folder);
  const SafetensorsFile weights(folder / kWeights);
  settle_score_bias(config, weights);
  bundle->model = read_weights(config, folder / kConfig, weights, bundle->warnings, opening);
  return bundle;
}

Json config_of(const ModelBundle& bundle) {
  Json model = bundle.model->config();
  const Json type = model.at("model_type");
  model.erase("model_type");
  Json config;
  config["format"] = kFormat;
  config["model_type"] = type;
  config["title"] = bundle.title;
  config["description"] = bundle.description;
  config["task"] = bundle.task;
  config["model"] = std::move(model);
  config["text"] = text_json(bundle.text);
  config["examples"] = bundle.examples;
  config["order"] = bundle.order;
  return config;
}

// Folders of other programs may have a config.json too, but no "format" in it.
bool recognise(const fs::path& folder) {
  std::error_code none;
  if (!fs::is_regular_file(folder / kConfig, none)) return false;
  if (is_there(folder / kVocabulary)) return true;
  try {
    const Json config = read_python_json(folder / kConfig, kMaxConfig);
    return !config.is_object() || config.contains("format");
  } catch (const Error&) {
    return true;  // opening it says what is wrong with it
  }
}

Contents contents(const fs::path& folder) {
  const Json config = read_description(folder).second;
  return {open_safetensors(folder / kWeights), true, {}, config.at("model_type").get<std::string>()};
}

ModelDescription describe(const fs::path& folder) {
  auto [bundle, config] = read_description(folder);
  try {
    return {std::move(bundle), described_traits(config)};
  } catch (const Error& error) {
    throw FormatError((folder / kConfig).string() + ": model: " + error.what());
  }
}

// Less than describe(): the list of models must not make the start slow.
ModelCard card(const fs::path& folder) {
  const Json config = read_json(folder / kConfig, kMaxConfig);
  const Settings settings(config, (folder / kConfig).string());
  return {settings.text("title", ""), settings.text("description", ""),
          settings.integer("order", 0, kLastOrder, kLastOrder)};
}

std::vector<fs::path> files(const fs::path& folder) {
  return {folder / kConfig, folder / kWeights, folder / kVocabulary};
}

}  // namespace

Format headlight_format() {
  return {"headlight",
          "Headlight model folder",
          "a folder with config.json, model.safetensors and vocabulary.json",
          true,
          true,
          "",
          recognise,
          contents,
          open,
          describe,
          card,
          files};
}

void save_model(const fs::path& folder, const ModelBundle& bundle, const std::string& card, StorageType type) {
  make_folder(folder);
  std::vector<NamedTensor> tensors;
  for (const Parameter& parameter : bundle.model->parameters().all())
    tensors.push_back({parameter.name, parameter.value});
  write_safetensors(folder / kWeights, tensors, {{"format", "headlight"}}, type);
  save_vocabularies(folder / kVocabulary, bundle.text.source, bundle.text.target);
  if (!card.empty()) write_file_atomically(folder / kCard, card);
  write_file_atomically(folder / kConfig, config_of(bundle).dump(2) + "\n");
}

}  // namespace headlight
