// adapter_config.json: what the tensors of an adapter's folder mean.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "model/core/json.h"
#include "model/core/scalar.h"
#include "model/text/pretrained/pattern.h"

namespace headlight {

class AdapterConfig {
 public:
  // Throws FileError and FormatError: a kind of adapter that is not added to weights, or a setting that changes numbers
  // in a way that is not known here.
  explicit AdapterConfig(const std::filesystem::path& folder);

  double rank_of(const std::string& module) const { return value_of(ranks_, module, rank_); }
  // What B·A is multiplied by, of so many rows of A.
  double scale_of(const std::string& module, Index rank) const;
  // Whether a tensor of this name is a copy of its own, to which nothing is tied (modules_to_save).
  bool is_copy(const std::string& tensor) const;

  const std::string& base() const { return base_; }       // a name on a hub, shown only
  const std::string& task() const { return task_type_; }  // "SEQ_CLS"; empty: not said
  bool uses_dora() const { return dora_; }
  bool keeps_ties() const { return keeps_ties_; }  // what is tied to a changed tensor changes with it
  // What says how the adapter came about: keys and values, shown only.
  const std::vector<std::pair<std::string, std::string>>& shown() const { return shown_; }
  const std::vector<std::string>& unknown() const { return unknown_; }  // keys that are not used

 private:
  // For the first pattern that fits a module's whole name.
  using Patterns = std::vector<std::pair<pretrained::Pattern, double>>;
  static Patterns patterns_of(const Json& config, const char* key, const std::string& where);
  static double value_of(const Patterns& patterns, const std::string& module, double otherwise);

  std::string base_, task_type_;
  double rank_ = 8, alpha_ = 8;
  bool by_root_ = false, dora_ = false, keeps_ties_ = false;
  Patterns ranks_, alphas_;
  std::vector<std::string> copies_, unknown_;
  std::vector<std::pair<std::string, std::string>> shown_;
};

inline constexpr const char* kAdapterConfig = "adapter_config.json";

}  // namespace headlight
