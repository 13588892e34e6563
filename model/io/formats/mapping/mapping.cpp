#include "model/io/formats/mapping/mapping.h"

#include <algorithm>
#include <map>
#include <optional>

#include "model/core/budget.h"
#include "model/io/file.h"
#include "model/io/formats/mapping/mapping_rules.h"
#include "model/io/formats/pretrained/pretrained_text.h"
#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "model/models/registry.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxVocabulary = 64u << 20;

void check_mapping(const Json& json, const fs::path& path) {
  const Settings settings(json, path.string());
  if (const std::string format = settings.text("format", ""); format != kMappingFormat)
    settings.fail("format", std::string("expected \"") + kMappingFormat + "\", found \"" + format.substr(0, 60) + "\"");
  check_objects(settings, json);
}

Json read_mapping(const fs::path& path) {
  Json json = read_json(path, kMaxMapping);
  check_mapping(json, path);
  return json;
}

// No name of a file in this folder.
bool leads_elsewhere(const std::string& name) { return name.empty() || name.find('/') != name.npos || name == ".."; }

// A line for each token, or a list in the mapping itself.
std::optional<Vocabulary> vocabulary_of(const Settings& text, const char* key, const fs::path& file,
                                        const fs::path& mapping) {
  if (!text.has(key)) return {};
  const Json& value = text.at(key);
  if (value.is_array()) return Vocabulary(text.texts(key));
  const std::string name = text.text(key);
  if (leads_elsewhere(name)) text.fail(key, "expected the name of a file beside the weights, or a list of tokens");
  fs::path path = file.parent_path() / name;
  if (!is_there(path)) path = mapping.parent_path() / name;
  std::vector<std::string> tokens = read_lines(path, kMaxVocabulary);
  try {
    return Vocabulary(std::move(tokens));
  } catch (const FormatError& error) {
    throw FormatError(path.string() + ": " + error.what());
  }
}

TextRules read_text(const Settings& text, const std::optional<Vocabulary>& source,
                    const std::optional<Vocabulary>& target) {
  text.allow_only({"source_vocabulary", "target_vocabulary", "tokenizer", "lower_case", "start", "end", "padding",
                   "source_start", "source_end", "longest_output"});
  TextRules rules;
  const std::string name = text.text("tokenizer", "words");
  const auto found = std::find(std::begin(kTokenizerNames), std::end(kTokenizerNames), name);
  if (found == std::end(kTokenizerNames) || name == "bpe")
    text.fail("tokenizer", "expected \"characters\" or \"words\", found \"" + name + "\"");
  const auto kind = static_cast<TokenizerKind>(found - std::begin(kTokenizerNames));
  const auto flag = [&](const char* key) { return text.has(key) && text.at(key) == Json(true); };
  rules.source = Tokenizer(*source, kind, flag("lower_case"));
  rules.target = Tokenizer(*target, kind, flag("lower_case"));
  const auto token = [&](const char* key) -> std::optional<TokenId> {
    if (!text.has(key)) return {};
    const std::string wanted = text.text(key);
    const auto id = rules.target.vocabulary().find(wanted);
    if (!id) text.fail(key, "\"" + wanted + "\" is not in the target vocabulary");
    return id;
  };
  rules.bos = token("start").value_or(0);
  rules.eos = token("end");
  rules.pad = token("padding");
  rules.source_bos = flag("source_start");
  rules.source_eos = flag("source_end");
  rules.target_length = text.integer("longest_output", 0, 4096, 0);
  return rules;
}

// A rule may fill a parameter with a number, so that a line of text could ask for any amount of memory.
void check_size(const Model& shapes, const TensorFile& tensors, const std::string& where) {
  double bytes = 0;
  for (const TensorEntry& entry : tensors.tensors()) bytes += static_cast<double>(entry.bytes);
  within_budget(static_cast<double>(shapes.parameters().count()) * sizeof(Scalar),
                std::max(budget::kDrawnWeights, 16 * bytes), where + ": model: it",
                "make it as large as the weights in the file");
}

fs::path weights_named(const fs::path& mapping) {
  const Json json = read_mapping(mapping);
  const std::string name = Settings(json, mapping.string()).text("weights", "");
  if (leads_elsewhere(name))
    throw FormatError(mapping.string() + ": it names no weights; 'headlight run WEIGHTS --mapping " +
                      mapping.filename().string() + "' says which they are");
  return mapping.parent_path() / name;
}

}  // namespace

std::shared_ptr<const ModelBundle> open_mapped(const fs::path& file, const fs::path& mapping, const Opening& opening) {
  return open_rules(file, read_mapping(mapping), mapping, opening);
}

std::shared_ptr<const ModelBundle> open_rules(const fs::path& file, const Json& rules, const fs::path& mapping,
                                              const Opening& opening) {
  check_mapping(rules, mapping);
  const Settings settings(rules, mapping.string());
  settings.allow_only({"format", "title", "description", "weights", "model_type", "model", "text", "tensors", "modules",
                       "ignored", "examples"});
  const std::shared_ptr<const TensorFile> tensors = mapped_weights(file);
  const std::string where = mapping.string();
  MappingRules builder(*tensors, rules, where, opening.cancel);
  auto bundle = std::make_shared<ModelBundle>();
  Json config = rules.at("model");
  config["model_type"] = settings.text("model_type");
  std::optional<Vocabulary> source, target;
  if (settings.has("text")) {
    const Settings text = settings.object("text");
    source = vocabulary_of(text, "source_vocabulary", file, mapping);
    target = vocabulary_of(text, "target_vocabulary", file, mapping);
    if (!target) target = source;
    if (!source) text.fail("source_vocabulary", "expected the name of a file or a list of tokens");
    bundle->text = read_text(text, source, target);
  }
  for (const auto& [key, vocabulary, embedding] : {std::tuple("source_vocabulary_size", &source, "encoder.embed.W"),
                                                   {"target_vocabulary_size", &target, "decoder.embed.W"}}) {
    if (*vocabulary)
      config[key] = (*vocabulary)->size();
    else if (!config.contains(key))
      config[key] = builder.rows_of(embedding).value_or(builder.rows_of("embed.W").value_or(0));
  }
  try {
    check_size(*make_model(config, {InitialValues::Kind::none}), *tensors, where);
    std::unique_ptr<Model> model = make_model(config, {InitialValues::Kind::zeros});
    double read = 0;
    for (Parameter& parameter : model->parameters().all()) {
      opening.report(read / static_cast<double>(std::max<Index>(1, model->parameters().count())));
      read += static_cast<double>(parameter.value.size());
      const Tensor made = builder.make(parameter.name, parameter.value.shape());
      if (made.shape() != parameter.value.shape())
        throw FormatError(where + ": tensors: \"" + parameter.name + "\": expected " + parameter.value.shape().text() +
                          ", as \"model\" says, found " + made.shape().text());
      std::copy_n(made.data(), made.size(), parameter.value.data());
    }
    builder.check_all_used();
    auto in_file = std::make_shared<std::map<std::string, std::string>>();
    for (const Parameter& parameter : model->parameters().all())
      (*in_file)[parameter.name] = builder.said(parameter.name);
    bundle->in_file = std::move(in_file);
    bundle->model = std::move(model);
  } catch (const FormatError& error) {
    if (std::string(error.what()).starts_with(where)) throw;
    throw FormatError(where + ": model: " + error.what());
  } catch (const UsageError& error) {  // an architecture that does not exist
    if (std::string(error.what()).starts_with(where)) throw;
    throw FormatError(where + ": model_type: " + error.what());
  }
  if (!source) {
    const auto size = [&](const char* key) { return bundle->model->config().at(key).get<Index>(); };
    const auto numbers = [&](const char* key) {
      const std::vector<std::string> shown = shown_tokens(nullptr, size(key));
      return Tokenizer(as_tokenizer(nullptr, shown, false), Vocabulary::shown(shown));
    };
    bundle->text.source = numbers("source_vocabulary_size");
    bundle->text.target = numbers("target_vocabulary_size");
  }
  bundle->folder = mapping;
  bundle->name = escaped_line(last_part(file));
  bundle->title = message_line(settings.text("title", bundle->name));
  bundle->description = settings.text("description", "");
  if (settings.has("examples")) bundle->examples = settings.texts("examples");
  return bundle;
}

Format mapping_format() {
  return {"mapping",
          "mapping of a state dict",
          "a JSON file with \"format\": \"headlight-mapping-1\"",
          false,
          true,
          "*.json",
          [](const fs::path& path) {
            if (path.extension() != ".json") return false;
            try {
              const Json json = read_json(path, kMaxMapping);
              return json.is_object() && json.contains("format") && json["format"] == kMappingFormat;
            } catch (const Error&) {
              return false;
            }
          },
          [](const fs::path& path) -> Contents {
            return {mapped_weights(weights_named(path)), true, {}, {}};
          },
          [](const fs::path& path, const Opening& opening) { return open_mapped(weights_named(path), path, opening); },
          [](const fs::path& path) -> ModelDescription {
            return described_opened(*open_mapped(weights_named(path), path));
          },
          [](const fs::path&) -> ModelCard { return {}; },
          [](const fs::path& path) {
            return std::vector<fs::path>{path, weights_named(path)};
          }};
}

}  // namespace headlight
