#include "model/io/formats/pretrained/sentence_pooling.h"

#include <cmath>
#include <utility>

#include "model/core/budget.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/formats/weight_files.h"
#include "model/io/json_file.h"
#include "model/io/tensor_values.h"
#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/normalise.h"

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

[[noreturn]] void wrong_width(const char* part, Index expected, const Tensor& W) {
  throw FormatError(std::string("modules.json: ") + part + ": expected weights for " + std::to_string(expected) +
                    " numbers, found " + W.shape().text());
}

}  // namespace

// A tensor of the weights of a part; undefined where they have none of this name.
Tensor SentencePooling::weight_of(const fs::path& folder, const std::string& name) {
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

void SentencePooling::add_pooling(const fs::path& folder) {
  // In the order in which they stand behind one another.
  static const std::pair<const char*, Pool> kModes[] = {{"cls_token", Pool::cls},
                                                        {"max_tokens", Pool::max},
                                                        {"mean_tokens", Pool::mean},
                                                        {"mean_sqrt_len_tokens", Pool::mean_sqrt_length},
                                                        {"weightedmean_tokens", Pool::weighted_mean},
                                                        {"lasttoken", Pool::last}};
  const Json config = config_of(folder);
  const std::string file = (folder / "config.json").string();
  const std::size_t before = pools_.size();
  for (const auto& [mode, pool] : kModes)
    if (config.value("pooling_mode_" + std::string(mode), Json()) == Json(true)) pools_.push_back(pool);
  for (const auto& [key, value] : config.items()) {
    const std::string name = key;
    if (name == "pooling_mode") {  // newer files have one name instead
      const std::string chosen = value.is_string() ? value.get<std::string>() : std::string();
      for (const auto& [mode, pool] : kModes)
        if (chosen == mode || chosen + "_tokens" == mode || chosen + "_token" == mode) pools_.push_back(pool);
      if (pools_.size() == before)
        throw FormatError(file + ": pooling_mode " + value.dump(-1, ' ', true).substr(0, 60) + " is not implemented");
    }
    bool known = !name.starts_with("pooling_mode_") || value != Json(true);
    for (const auto& [mode, pool] : kModes) known |= name == "pooling_mode_" + std::string(mode);
    if (!known) throw FormatError(file + ": " + name.substr(0, 60) + " is not implemented");
  }
  if (pools_.size() == before) throw FormatError(file + ": expected a way to pool, found none");
}

void SentencePooling::add_dense(const fs::path& folder) {
  static const std::pair<const char*, Tensor (*)(const Tensor&)> kActivations[] = {
      {"Identity", nullptr}, {"Tanh", headlight::tanh}, {"ReLU", headlight::relu}, {"GELU", headlight::gelu}};
  const Json config = config_of(folder);
  Step step{Step::Kind::dense, weight_of(folder, "linear.weight"), weight_of(folder, "linear.bias"), nullptr};
  if (!step.W.defined() || step.W.rank() != 2 || (step.b.defined() && step.b.size() != step.W.rows()))
    throw FormatError(folder.string() + ": expected linear.weight [out x in] and linear.bias [out]");
  const std::string named = config.contains("activation_function") ? text_at(config, "activation_function") : "Tanh";
  bool known = false;
  for (const auto& [name, activation] : kActivations)
    if (named.substr(named.rfind('.') + 1) == name) {
      known = true;
      step.activation = activation;
    }
  if (!known)
    throw FormatError((folder / "config.json").string() + ": activation_function: \"" + named.substr(0, 60) +
                      "\" is not implemented");
  steps_.push_back(std::move(step));
}

void SentencePooling::add_norm(const fs::path& folder) {
  Step step{Step::Kind::norm, weight_of(folder, "norm.weight"), weight_of(folder, "norm.bias"), nullptr};
  if (!step.W.defined() || !step.b.defined() || step.W.size() != step.b.size())
    throw FormatError(folder.string() + ": expected norm.weight and norm.bias of one width");
  steps_.push_back(std::move(step));
}

std::optional<SentencePooling> SentencePooling::of_folder(const fs::path& folder, const CancelToken& cancel) {
  const fs::path list = folder / "modules.json";
  if (!is_there(list)) return {};
  const Json modules = read_python_json(list, kMaxModules);
  if (!modules.is_array()) throw FormatError(list.string() + ": expected a list");
  if (modules.size() > kMostModules)
    throw FormatError(list.string() + ": expected at most " + std::to_string(kMostModules) + " modules, found " +
                      std::to_string(modules.size()));
  SentencePooling made;
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
      made.steps_.push_back({});
    else if (name != "Transformer" && name != "Dropout")
      throw FormatError(list.string() + ": the module " + module.dump(-1, ' ', true).substr(0, 80) +
                        " is not implemented");
  }
  if (made.pools_.empty()) return {};
  return made;
}

template <class Column>
Scalar SentencePooling::pooled_column(Pool pool, const Column& column) {
  const Index length = column.size();
  switch (pool) {
    case Pool::cls:
      return column[0];
    case Pool::max:
      return column.maxCoeff();
    case Pool::mean:
      return column.mean();
    case Pool::mean_sqrt_length:
      return column.sum() / std::sqrt(static_cast<Scalar>(length));
    case Pool::weighted_mean: {  // later tokens have seen more
      Scalar sum = 0;
      for (Index t = 0; t < length; ++t) sum += static_cast<Scalar>(t + 1) * column[t];
      return sum / (static_cast<Scalar>(length) * static_cast<Scalar>(length + 1) / 2);
    }
    case Pool::last:
      break;
  }
  return column[length - 1];
}

Tensor SentencePooling::operator()(const Tensor& last) const {
  const Index length = last.rows(), width = last.columns();
  Tensor sentence;
  // The two that nearly all have are operations, so that they can be explained.
  const bool first = pools_ == std::vector{Pool::cls}, mean = pools_ == std::vector{Pool::mean};
  if (first || mean)
    sentence = reshape(first ? rows(last, 0, 1) : mean_rows(reshape(last, {1, length, width})), {width});
  else
    sentence = Tensor({pooled_width(width)});
  for (std::size_t i = 0; i < pools_.size() && !first && !mean; ++i)
    for (Index d = 0; d < width; ++d)
      sentence[static_cast<Index>(i) * width + d] = pooled_column(pools_[i], last.matrix().col(d));
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::dense: {
        if (step.W.columns() != sentence.size()) wrong_width("Dense", sentence.size(), step.W);
        Tensor y({step.W.rows()});
        y.array() = (step.W.matrix() * sentence.matrix().transpose()).array();
        if (step.b.defined()) y.array() += step.b.array();
        sentence = step.activation ? step.activation(y) : y;
        break;
      }
      case Step::Kind::norm: {
        if (step.W.size() != sentence.size()) wrong_width("LayerNorm", sentence.size(), step.W);
        const Scalar average = sentence.array().mean(), variance = (sentence.array() - average).square().mean();
        sentence.array() =
            (sentence.array() - average) / std::sqrt(variance + Scalar(1e-5)) * step.W.array() + step.b.array();
        break;
      }
      case Step::Kind::unit_length:
        // x / |x| is x / √(mean(x²)) / √n.
        sentence = rms_norm(
            sentence, Tensor::full({sentence.size()}, 1 / std::sqrt(static_cast<Scalar>(sentence.size()))), 1e-24);
        break;
    }
  }
  return sentence;
}

std::string SentencePooling::formula() const {
  // In the order of Pool.
  constexpr const char* kFormulas[] = {
      "x_0", "max_t x_t", "Σ_t x_t / T", "Σ_t x_t / √T", "Σ_t (t + 1) x_t / Σ_t (t + 1)", "x_{T−1}"};
  std::string all;
  for (const Pool pool : pools_) all += (all.empty() ? "" : "; ") + std::string(kFormulas[static_cast<int>(pool)]);
  if (pools_.size() > 1) all = "[" + all + "]";
  if (steps_.empty()) return all;
  std::string text = "m = " + all, now = "m";
  for (const Step& step : steps_)
    now = step.kind == Step::Kind::dense  ? "dense(" + now + ")"
          : step.kind == Step::Kind::norm ? "norm(" + now + ")"
                                          : now + " / |" + now + "|";
  return text + "; " + now;
}

}  // namespace headlight
