// The folder of an adapter (LoRA and its kin): low-rank changes of some tensors of a base, and tensors that take the
// place of the base's.
//
// An adapter is opened over its base by one path, "BASE + /ADAPTER" (over_base): whatever opens a model opens that too.
// The base is then a TensorFile whose changed tensors are computed (adapted_file.h), so that families, ties and heads
// need not know of it; the strength is the setting adapter_strength of the model, between what was read of the base and
// of that file (adapter_strength.h).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/tensor.h"
#include "model/io/formats/adapters/adapter_config.h"
#include "model/io/tensor_file.h"

namespace headlight {

// "BASE + /ADAPTER", or "BASE + 0.5 * /ADAPTER" with half its strength: a model over which an adapter lies.
struct AdaptedPlace {
  std::filesystem::path base, adapter;
  double strength = 1;
};
std::string over_base(const std::string& base, const std::string& adapter, double strength = 1);
std::optional<AdaptedPlace> adapted_place(const std::filesystem::path& path);
// The base of such a path; any other path itself.
std::filesystem::path base_of(const std::filesystem::path& path);

class Adapter {
 public:
  // Lists its tensors; throws Error for what does not fit together. No number is read.
  explicit Adapter(const std::filesystem::path& folder);

  // ΔW = scale · B·A of a module: A [rank x in], B [out x rank].
  struct Pair {
    std::string module;  // "model.layers.0.self_attn.q_proj"
    std::size_t a = 0, b = 0;
    std::optional<std::size_t> bias, magnitude;
    bool embedding = false;  // the module looks rows up: its tensor is [in x out]
    Index rank = 0, in = 0, out = 0;
    double scale = 1;
  };
  // A tensor that stands whole in the file.
  struct Whole {
    std::string name;  // "classifier.weight"
    std::size_t tensor = 0;
    bool copy = false;  // nothing is tied to it
  };
  const std::vector<Pair>& pairs() const { return pairs_; }
  const std::vector<Whole>& wholes() const { return wholes_; }
  const AdapterConfig& config() const { return config_; }
  const TensorFile& file() const { return *file_; }
  const std::filesystem::path& folder() const { return folder_; }
  const std::string& where() const { return where_; }  // of the weights, for messages
  std::string quoted(std::size_t tensor) const { return "\"" + file_->tensors()[tensor].name + "\""; }

  // scale · B·A as [out x in], or `turned` as [in x out].
  Matrix product(const Pair& pair, bool turned) const;
  Tensor numbers(std::size_t tensor) const;

  // The files that make it what it is.
  static std::vector<std::filesystem::path> files(const std::filesystem::path& folder);

 private:
  void sort_tensors();
  void check_pair(Pair& pair) const;
  [[noreturn]] void fail(std::size_t tensor, const std::string& what) const;

  std::filesystem::path folder_;
  AdapterConfig config_;
  std::string where_;
  std::shared_ptr<const TensorFile> file_;
  std::vector<Pair> pairs_;
  std::vector<Whole> wholes_;
};

}  // namespace headlight
