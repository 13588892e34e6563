#include "model/io/formats/pretrained/pooling_modules.h"

#include <algorithm>
#include <utility>

#include "model/core/budget.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/formats/weight_files.h"
#include "model/io/json_file.h"
#include "model/io/tensor_values.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMaxModules = 1u << 20;
constexpr std::size_t kMostModules = 32;

// A folder in this one and nothing else: a path could lead anywhere.
fs::path part_of(const fs::path& folder, const std::string& path) {
  if (path.empty() || path == "." || path == ".." || path.find_first_of(std::string_view("/\\\0", 3)) != path.npos)
    throw FormatError((folder / "modules.json").string() + ": expected the name of a folder beside it, found \"" +
                      path.substr(0, 60) + "\"");
  return folder / path;
}

Json config_of(const fs::path& folder) {
  Json config = read_python_json(folder / "config.json", kMaxModules);
  if (!config.is_object()) throw FormatError((folder / "config.json").string() + ": expected an object");
  return config;
}

}  // namespace

// A tensor of the weights of a part; undefined where they have none of this name.
Tensor PoolingModules::weight_of(const fs::path& folder, const std::string& name) {
  for (const char* file : {"model.safetensors", "pytorch_model.bin"}) {
    if (!is_there(folder / file)) continue;
    const auto tensors = open_weight_file(folder / file);
    for (std::size_t i = 0; i < tensors->tensors().size(); ++i) {
      const TensorEntry& entry = tensors->tensors()[i];
      if (entry.name != name) continue;
      double bytes = sizeof(Scalar);
      for (const std::uint64_t dimension : entry.shape) bytes *= static_cast<double>(dimension);
      bytes_ += bytes;
      within_budget(bytes_, budget::kOnTop, (folder / file).string() + ": with it, what stands behind the model",
                    "open a smaller model");
      return numbers_of(*tensors, i, (folder / file).string());
    }
    return {};
  }
  throw FileError(folder.string() + ": there are no weights: expected model.safetensors or pytorch_model.bin");
}

void PoolingModules::add_pooling(const fs::path& folder) {
  // In the order in which they stand behind one another.
  static constexpr const char* kModes[] = {"cls_token",           "max_tokens", "mean_tokens", "mean_sqrt_len_tokens",
                                           "weightedmean_tokens", "lasttoken"};
  const Json config = config_of(folder);
  const std::string file = (folder / "config.json").string();
  const std::size_t before = made_.pools().size();
  const auto add = [&](const Json& name, const std::string& key) {
    const auto pool = name.is_string() ? SentencePooling::pool_named(name.get<std::string>()) : std::nullopt;
    if (!pool) throw FormatError(file + ": " + key + name.dump(-1, ' ', true).substr(0, 60) + " is not implemented");
    made_.add(*pool);
  };
  for (const char* mode : kModes)
    if (config.value("pooling_mode_" + std::string(mode), Json()) == Json(true)) add(mode, "");
  for (const auto& [name, value] : config.items()) {
    if (name == "pooling_mode") {  // newer files have one name, or a list of them
      for (const Json& mode : value.is_array() ? value : Json::array({value})) {
        if (made_.pools().size() >= kMostModules) throw FormatError(file + ": pooling_mode has too many names");
        add(mode, "pooling_mode ");
      }
    } else if (name.starts_with("pooling_mode_") && value == Json(true) &&
               std::ranges::find(kModes, name.substr(13)) == std::end(kModes)) {
      throw FormatError(file + ": " + name.substr(0, 60) + " is not implemented");
    }
  }
  if (made_.pools().size() == before) throw FormatError(file + ": expected a way to pool, found none");
}

void PoolingModules::add_dense(const fs::path& folder) {
  const Json config = config_of(folder);
  const std::string named = config.contains("activation_function") ? text_at(config, "activation_function") : "Tanh";
  const auto activation = SentencePooling::activation_named(named.substr(named.rfind('.') + 1));
  if (!activation)
    throw FormatError((folder / "config.json").string() + ": activation_function: \"" + named.substr(0, 60) +
                      "\" is not implemented");
  made_.add(dense(folder, *activation));
}

SentencePooling::Step PoolingModules::dense(const fs::path& folder, SentencePooling::Activation activation) {
  Step step{Step::Kind::dense, weight_of(folder, "linear.weight"), weight_of(folder, "linear.bias"), activation};
  if (!step.W.defined() || step.W.rank() != 2 || (step.b.defined() && step.b.size() != step.W.rows()))
    throw FormatError(folder.string() + ": expected linear.weight [out x in] and linear.bias [out]");
  return step;
}

void PoolingModules::add_norm(const fs::path& folder) {
  Step step{Step::Kind::norm, weight_of(folder, "norm.weight"), weight_of(folder, "norm.bias"), nullptr};
  if (!step.W.defined() || !step.b.defined() || step.W.size() != step.b.size())
    throw FormatError(folder.string() + ": expected norm.weight and norm.bias of one width");
  made_.add(std::move(step));
}

std::optional<SentencePooling> PoolingModules::of_folder(const fs::path& folder, const CancelToken& cancel) {
  const fs::path list = folder / "modules.json";
  if (!is_there(list)) return {};
  const Json modules = read_python_json(list, kMaxModules);
  if (!modules.is_array()) throw FormatError(list.string() + ": expected a list");
  if (modules.size() > kMostModules)
    throw FormatError(list.string() + ": expected at most " + std::to_string(kMostModules) + " modules, found " +
                      std::to_string(modules.size()));
  PoolingModules made;
  for (const Json& module : modules) {
    cancel.check();
    const std::string type = module.is_object() ? text_at(module, "type") : std::string();
    const std::string name = type.substr(type.rfind('.') + 1), path = module.is_object() ? text_at(module, "path") : "";
    if (name == "Pooling")
      made.add_pooling(part_of(folder, path));
    else if (name == "Dense")
      made.add_dense(part_of(folder, path));
    else if (name == "LayerNorm")
      made.add_norm(part_of(folder, path));
    else if (name == "Normalize")
      made.made_.add(Step{});
    else if (name != "Transformer" && name != "Dropout")
      throw FormatError(list.string() + ": the module " + module.dump(-1, ' ', true).substr(0, 80) +
                        " is not implemented");
  }
  if (made.made_.pools().empty()) return {};
  return std::move(made.made_);
}

}  // namespace headlight
