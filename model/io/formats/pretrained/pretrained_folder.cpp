#include "model/io/formats/pretrained/pretrained_folder.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <unordered_map>

#include "model/core/ascii.h"
#include "model/core/effort.h"
#include "model/io/file.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/chat/chat_format.h"
#include "model/io/formats/gguf/gguf_format.h"
#include "model/io/formats/pretrained/pooling_modules.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/formats/pretrained/pretrained_text.h"
#include "model/io/formats/pretrained/with_sentence.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/formats/weight_files.h"
#include "model/io/json_file.h"
#include "model/text/message_line.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxConfig = 16u << 20, kMaxIndex = 64u << 20, kMaxRef = 4096;
constexpr const char* kConfig = "config.json";
constexpr const char* kIndexEnding = ".index.json";
// The best first; of each, the file itself or an index of shards.
constexpr const char* kWeights[] = {"model.safetensors", "pytorch_model.bin", "adapter_model.safetensors",
                                    "adapter_model.bin"};
// Weights of other programs: not read, but named.
constexpr std::pair<const char*, const char*> kOtherEndings[] = {
    {".gguf", "GGUF"}, {".onnx", "ONNX"}, {".h5", "HDF5"}, {".msgpack", "msgpack"}};

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

// A base name and nothing else: a path could lead anywhere.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of(std::string_view("/\\\0", 3)) == name.npos;
}

bool is_cache_entry(const fs::path& folder) {
  return last_part(folder).starts_with("models--") && is_there(folder / "snapshots");
}

std::shared_ptr<const TensorFile> open_weights(const fs::path& path) {
  return path.extension() == ".safetensors" ? open_safetensors(path) : open_weight_file(path);
}

// What a set of shards lacks: thrown, or kept for somebody who only looks at the rest.
class Faults {
 public:
  Faults(std::string where, std::string* first) : where_(std::move(where)), first_(first) {}
  void add(const std::string& what) const {
    if (!first_) throw FormatError(where_ + ": " + what);
    if (first_->empty()) *first_ = fs::path(where_).filename().string() + ": " + what;
  }

 private:
  std::string where_;
  std::string* first_;
};

// {"metadata": ..., "weight_map": {tensor: file}}: both have to have the same tensors.
std::shared_ptr<const TensorFile> open_shards(const fs::path& index, std::string* fault) {
  const Json json = read_python_json(index, kMaxIndex, {8, 1'000'000, 2'000'000});
  const Settings settings(json, index.string());
  const Json& map = settings.at("weight_map");
  if (!map.is_object()) settings.fail("weight_map", "expected an object");
  const Faults faults(index.string(), fault);
  std::set<std::string> names;
  std::unordered_map<std::string, std::string> listed;
  for (const auto& [tensor, file] : map.items()) {
    if (!file.is_string() || !is_plain_name(file.get<std::string>()))
      settings.fail("weight_map." + tensor,
                    "expected the name of a file in this folder, found " + file.dump(-1, ' ', true).substr(0, 80));
    names.insert(file.get<std::string>());
    listed.emplace(tensor, file.get<std::string>());
  }
  std::vector<std::shared_ptr<const TensorFile>> shards;
  for (const std::string& name : names) {
    if (!is_there(index.parent_path() / name)) {
      faults.add("the shard " + name + " is missing");
      std::erase_if(listed, [&](const auto& each) { return each.second == name; });
      continue;
    }
    shards.push_back(open_weights(index.parent_path() / name));
    for (const TensorEntry& tensor : shards.back()->tensors()) {
      const auto place = listed.find(tensor.name);
      if (place == listed.end() || place->second != name)
        faults.add("the tensor \"" + tensor.name + "\" of " + name + " is not listed there");
      else
        listed.erase(place);
    }
    for (const auto& [tensor, why] : shards.back()->unread()) listed.erase(tensor);
  }
  for (const auto& [tensor, name] : listed) faults.add("the tensor \"" + tensor + "\" is not in " + name);
  return joined(std::move(shards), index.string());
}

// "model-00002-of-00004.safetensors": where its number stands, and how many there are.
struct ShardName {
  std::string front, behind;  // "model-", "-of-00004.safetensors"
  int count = 0;
};
std::optional<ShardName> shard_name(const std::string& name) {
  constexpr std::string_view kOf = "-of-";
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t of = name.rfind(kOf);
  if (of == name.npos) return {};
  std::size_t begin = of, end = of + kOf.size();
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  while (end < name.size() && is_digit(name[end])) ++end;
  const std::size_t digits = end - of - kOf.size();
  if (begin == of || begin == 0 || name[begin - 1] != '-' || digits == 0 || digits > 6) return {};
  return ShardName{name.substr(0, begin), name.substr(of),
                   std::max(1, std::stoi(name.substr(of + kOf.size(), digits)))};
}

// All shards that one of them belongs to, where no index says which they are; any other file alone.
std::vector<fs::path> shards_from(const fs::path& one, std::string* fault) {
  const auto named = shard_name(one.filename().string());
  if (!named) return {one};
  const Faults faults(one.string(), fault);
  std::vector<fs::path> all;
  for (int i = 1; i <= named->count; ++i) {
    std::string number = std::to_string(i);
    if (number.size() < 5) number.insert(0, 5 - number.size(), '0');
    const fs::path path = one.parent_path() / (named->front + number + named->behind);
    if (is_there(path))
      all.push_back(path);
    else
      faults.add("the shard " + path.filename().string() + " is missing");
  }
  return all;
}

// With `fault`: what is missing or does not fit is said there, and the rest opened.
std::shared_ptr<const TensorFile> open_any(const fs::path& weights, std::string* fault = nullptr) {
  if (weights.extension() == ".json") return open_shards(weights, fault);
  std::vector<std::shared_ptr<const TensorFile>> files;
  for (const fs::path& path : shards_from(weights, fault)) files.push_back(open_weights(path));
  return files.size() == 1 ? files.front() : joined(std::move(files), weights.string());
}

// The file of the weights, its index, or one of its shards; empty when there is none that is read.
fs::path weights_of(const fs::path& folder) {
  for (const char* name : kWeights) {
    if (is_there(folder / name)) return folder / name;
    if (const fs::path index = folder / (std::string(name) + kIndexEnding); is_there(index)) return index;
  }
  std::set<fs::path> shards;
  for (const fs::path& path : entries_of(folder))
    for (const fs::path name : kWeights) {
      const auto named = shard_name(path.filename().string());
      if (named && named->front == name.stem().string() + "-" && path.extension() == name.extension())
        shards.insert(path);
    }
  return shards.empty() ? fs::path() : *shards.begin();
}

// Weights without a configuration are tensors to look at.
bool recognise(const fs::path& folder) {
  return is_cache_entry(folder) || is_there(folder / kConfig) || !weights_of(folder).empty();
}

[[noreturn]] void refuse_weights(const fs::path& folder) {
  for (const fs::path& path : entries_of(folder))
    for (const auto& [ending, name] : kOtherEndings)
      if (path.extension() == ending)
        throw FormatError(is_gguf(path) ? path.string() + ": a GGUF file is opened by itself, without its folder"
                                        : path.string() + ": " + name + " files are not read; expected " + kWeights[0] +
                                              " or " + kWeights[1] + " in this folder");
  throw FileError(folder.string() + ": there are no weights: expected " + kWeights[0] + ", " + kWeights[1] +
                  " or an index of shards");
}

struct Config {
  std::string model_type, reason;
};

// Why the model does not run. What is refused by name comes first.
Config read_config(const fs::path& folder) {
  Config config;
  if (!is_there(folder / kConfig) && !weights_of(folder).empty()) {
    config.reason = "there is no config.json in this folder: nothing says which model the weights are of";
    return config;
  }
  const Json json = read_python_json(folder / kConfig, kMaxConfig);
  const Settings settings(json, (folder / kConfig).string());
  config.model_type = settings.text("model_type", "");
  const std::string named = "model_type \"" + config.model_type + "\"";
  const Json quantised = settings.has("quantization_config") ? settings.at("quantization_config") : Json();
  const std::string method = quantised.is_object() ? text_at(quantised, "quant_method") : std::string();
  const bool packed = method == "mxfp4" && config.model_type == "gpt_oss";  // read as they are
  if (!quantised.is_null() && !packed) {
    config.reason = std::string(kConfig) + ": " + named + " with quantization_config" +
                    (method.empty() ? "" : " (\"" + method + "\")") + ": quantised weights are not computed with";
  } else if (settings.has("text_config") || settings.has("vision_config")) {
    config.reason = std::string(kConfig) + ": " + named +
                    " has a text_config beside other parts: models of several media do not run";
  } else if (config.model_type.empty()) {
    config.reason = std::string(kConfig) + ": model_type is missing";
  } else if (const std::string why = why_not(json); !why.empty()) {
    config.reason = std::string(kConfig) + ": " + why;
  }
  return config;
}

Json generation_of(const fs::path& folder) {
  const fs::path file = folder / "generation_config.json";
  return is_there(file) ? read_python_json(file, kMaxConfig) : Json();
}

// What is wrong with the embedding of a sentence, where the folder has one.
std::string why_not_pooled(const fs::path& folder) {
  try {
    PoolingModules::of_folder(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

Contents contents(const fs::path& path) {
  const fs::path folder = snapshot_of(path);
  const Config config = read_config(folder);
  const fs::path weights = weights_of(folder);
  if (weights.empty()) refuse_weights(folder);
  const Json json = is_there(folder / kConfig) ? read_python_json(folder / kConfig, kMaxConfig) : Json();
  std::string fault;
  Contents found{open_any(weights, &fault), false, config.reason, config.model_type, shown_settings(folder, json)};
  if (found.reason.empty()) found.reason = fault;
  if (found.reason.empty()) found.reason = why_not(json, generation_of(folder), *found.tensors, found.notes);
  if (found.reason.empty()) found.reason = why_not_pooled(folder);
  if (!fault.empty() && fault != found.reason) found.notes.push_back(fault);
  found.runs = found.reason.empty();
  return found;
}

[[noreturn]] void refuse_to_run(const fs::path& path) {
  const fs::path folder = snapshot_of(path);
  throw FormatError(folder.string() + ": " + read_config(folder).reason + "; 'headlight inspect' lists its tensors");
}
// Three texts to try, in what the model reads.
std::vector<std::string> examples(const pretrained::Tokenizer* tokenizer, const Model& model, bool guesses) {
  if (!tokenizer) return {"1 2 3", "3 2 1", "5"};
  if (guesses)
    for (const char* mask : {"[MASK]", "<mask>"})
      if (tokenizer->find(mask))
        return {std::string("the keys to the old cabinet ") + mask + " on the table.",
                std::string("she poured the ") + mask + " into a cup.",
                std::string("the capital of france is ") + mask + "."};
  if (model.traits().kind == ModelTraits::Kind::decoder_only)
    return {"Once upon a time there was", "The capital of France is",
            "When Mary and John went to the store, John gave"};
  return {"The keys to the cabinet are on the table.", "She read the book because it was short.",
          "Time flies like an arrow."};
}

// Questions are asked of a text, rerankers and models that say whether one sentence follows from another read two.
void pair_examples(ModelBundle& bundle) {
  if (!bundle.text.source.takes_pairs()) return;
  const std::vector<std::string>& written = bundle.target_vocabulary().tokens();
  const bool asks = bundle.text.answers || bundle.description.find("a text or a pair a score") != std::string::npos,
             follows = bundle.on_top && std::ranges::any_of(written, [](const std::string&label) {
                         return lower_ascii(label).find("entail") != std::string::npos;
                       });
  if (asks) {
    bundle.examples = {"Where are the keys?", "What did Anna lose?", "Who lost the keys?"};
    for (std::string& example : bundle.examples)
      example += "\nAnna lost the keys to the old cabinet. They are on the table in the kitchen.";
  } else if (follows) {
    bundle.examples = {"The keys to the cabinet are on the table.\nThe keys are in a drawer.",
                       "She read the book because it was short.\nShe has read a book.",
                       "Anna gave Mary the letter.\nMary has a letter now."};
  }
}

std::shared_ptr<const ModelBundle> open(const fs::path& path, const Opening& opening) {
  const fs::path folder = snapshot_of(path);
  opening.report(0);
  const auto built = open_pretrained(path, opening.cancel);
  return pretrained_bundle(path, built, shown_settings(folder, read_python_json(folder / kConfig, kMaxConfig)),
                           opening);
}

// Building it is the only way to know its vocabularies and sizes.
ModelDescription describe(const fs::path& path) { return described_opened(*open(path, {})); }
ModelCard card(const fs::path&) { return {}; }

std::vector<fs::path> files(const fs::path& path) {
  const fs::path folder = snapshot_of(path);
  std::vector<fs::path> files;
  if (is_there(folder / kConfig)) files.push_back(folder / kConfig);
  if (const fs::path weights = weights_of(folder); !weights.empty()) {
    if (weights.extension() != ".json") {
      const std::vector<fs::path> shards = shards_from(weights, nullptr);
      files.insert(files.end(), shards.begin(), shards.end());
    } else {
      files.push_back(weights);
      const Json json = read_python_json(weights, kMaxIndex, {8, 1'000'000, 2'000'000});
      std::set<std::string> names;
      if (const auto map = json.find("weight_map"); map != json.end() && map->is_object())
        for (const auto& [tensor, file] : map->items())
          if (file.is_string() && is_plain_name(file.get<std::string>())) names.insert(file.get<std::string>());
      for (const std::string& name : names) files.push_back(folder / name);
    }
  }
  return files;
}

// A template that cannot be read is no reason not to open the model.
std::shared_ptr<const ChatFormat> chat_of(const fs::path& path, std::shared_ptr<const pretrained::Tokenizer> tokenizer,
                                          const std::vector<std::string>& shown, ModelBundle& bundle) {
  try {
    return open_chat_format(snapshot_of(path), tokenizer, as_tokenizer(tokenizer, shown, false));
  } catch (const Error& error) {
    bundle.warnings.push_back(error.what());
    return nullptr;
  }
}

}  // namespace

std::shared_ptr<const ModelBundle> pretrained_bundle(const fs::path& path, std::shared_ptr<const PretrainedModel> built,
                                                     const ShownSettings& settings, const Opening& opening) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->folder = path;
  bundle->name = bundle->title = escaped_line(model_name_of(path));
  // Some configurations name no size: there are as many tokens as the embeddings have rows.
  const Index count = built->vocabulary();
  std::shared_ptr<const pretrained::Tokenizer> source;
  std::vector<std::string> tokens;
  std::shared_ptr<const OtherTokenizer> reads, writes;
  std::string without;
  try {
    const Effort effort(opening.cancel);
    source = open_tokenizer(path);
    tokens = shown_tokens(source.get(), count);
    reads = as_tokenizer(source, tokens, true);
    writes = as_tokenizer(open_tokenizer(path, true), tokens, false);
  } catch (const Error& error) {
    source = nullptr;
    tokens = shown_tokens(nullptr, count);
    reads = writes = as_tokenizer(nullptr, tokens, true);
    without = error.what();
  }
  opening.report(0.9);
  built->fill(*bundle, tokens, reads, writes);
  if (built->is_adapted())
    bundle->at_strength = [built, tokens, reads, writes](const ModelBundle& full, double strength) {
      auto changed = std::make_shared<ModelBundle>(full);
      changed->text_parameters.clear();
      built->at_strength(strength)->fill(*changed, tokens, reads, writes);
      changed->text = full.text;
      changed->description = full.description;
      return changed;
    };
  if (source && bundle->text.writes && bundle->model->traits().kind == ModelTraits::Kind::decoder_only)
    bundle->chat = chat_of(path, source, tokens, *bundle);
  const bool guesses = bundle->description.find("guesses masked words") != std::string::npos;
  if (guesses && source)
    for (const char* mask : {"[MASK]", "<mask>"})
      if (const auto id = source->find(mask); id && !bundle->text.mask) bundle->text.mask = static_cast<TokenId>(*id);
  if (const std::string shown = shown_text(settings); !shown.empty())
    bundle->description += ". Shown and not used" + shown;
  if (!without.empty()) bundle->description += ". Without a tokenizer: type the numbers of tokens (" + without + ")";
  bundle->examples = examples(source.get(), *bundle->model, guesses);
  if (source) pair_examples(*bundle);
  if (source && bundle->model->traits().kind == ModelTraits::Kind::encoder_decoder)
    tell_languages(*bundle, *source, count);
  return bundle;
}

std::string model_name_of(const fs::path& path) {
  std::string name = last_part(path);
  constexpr std::string_view kFront = "models--";
  if (!name.starts_with(kFront)) return name;
  name = name.substr(kFront.size());
  if (const std::size_t at = name.find("--"); at != std::string::npos) name.replace(at, 2, "/");
  return name;
}

std::vector<std::string> ignored_keys_of(const fs::path& path) {
  const fs::path config = snapshot_of(path) / kConfig;
  return is_there(config) ? ignored_keys(read_python_json(config, kMaxConfig)) : std::vector<std::string>();
}

std::vector<fs::path> models_in_hub_cache() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value && *value ? fs::path(value) : fs::path();
  };
  fs::path cache = variable("HF_HUB_CACHE");
  for (const auto& [name, below] :
       {std::pair("HF_HOME", "hub"), {"XDG_CACHE_HOME", "huggingface/hub"}, {"HOME", ".cache/huggingface/hub"}})
    if (const fs::path home = variable(name); cache.empty() && !home.empty()) cache = home / below;
  std::vector<fs::path> found;
  if (!cache.empty()) std::ranges::copy_if(entries_of(cache), std::back_inserter(found), is_cache_entry);
  std::sort(found.begin(), found.end());
  return found;
}

fs::path snapshot_of(const fs::path& folder) {
  if (!is_cache_entry(folder)) return folder;
  const fs::path ref = folder / "refs" / "main";
  if (is_there(ref)) {
    const std::string commit = trimmed(read_file(ref, kMaxRef));
    if (!is_plain_name(commit)) throw FormatError(ref.string() + ": expected the name of a snapshot, found none");
    if (!is_there(folder / "snapshots" / commit))
      throw FormatError(ref.string() + ": the snapshot " + commit + " is not in the cache");
    return folder / "snapshots" / commit;
  }
  const std::vector<fs::path> snapshots = entries_of(folder / "snapshots");
  if (snapshots.size() != 1)
    throw FormatError(folder.string() + ": there is no refs/main, and " + std::to_string(snapshots.size()) +
                      " snapshots to choose from; open one of them");
  return snapshots.front();
}

LibraryFiles library_files(const fs::path& path) {
  if (is_gguf(path)) return gguf_library_files(path);
  const fs::path folder = snapshot_of(path);
  if (const std::string reason = read_config(folder).reason; !reason.empty()) refuse_to_run(folder);
  const fs::path weights = weights_of(folder);
  if (weights.empty()) refuse_weights(folder);
  return {read_python_json(folder / kConfig, kMaxConfig), generation_of(folder), open_any(weights)};
}

std::shared_ptr<const PretrainedModel> open_pretrained(const fs::path& path, const CancelToken& cancel) {
  const auto place = adapted_place(path);
  const fs::path base = place ? place->base : path;
  if (is_gguf(path)) return open_gguf_model(path, cancel);
  const fs::path folder = is_gguf(base) ? base : snapshot_of(base);
  const LibraryFiles files = library_files(base);
  std::optional<Adapter> adapter;
  if (place) adapter.emplace(place->adapter);
  auto model = build_pretrained(files.config, files.generation, *files.tensors, folder.string(), cancel,
                                adapter ? &*adapter : nullptr);
  if (auto pooling = is_gguf(base) ? std::nullopt : PoolingModules::of_folder(folder, cancel))
    model = with_sentence(std::move(model), std::move(*pooling));
  return place && place->strength != 1 ? model->at_strength(place->strength) : model;
}

Format pretrained_format() {
  return {"pretrained",
          "folder of save_pretrained",
          "a folder with config.json and model.safetensors or pytorch_model.bin",
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

}  // namespace headlight
