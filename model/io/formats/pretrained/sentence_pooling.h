// What sentence-transformers puts behind a model: one vector for the whole text (Reimers & Gurevych 2019).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/core/tensor.h"

namespace headlight {

class SentencePooling {
 public:
  // As modules.json of the folder names its parts; nothing where there is no such file, or where it pools nothing.
  // Throws FileError, FormatError that names a part or a setting that is not implemented, BudgetError and Cancelled.
  static std::optional<SentencePooling> of_folder(const std::filesystem::path& folder, const CancelToken& cancel = {});
  // Of the last states [T x d] of a text, its special tokens included: [n].
  Tensor operator()(const Tensor& last) const;
  std::string formula() const;  // of it, with x_t for the last state of token t

 private:
  enum class Pool { cls, max, mean, mean_sqrt_length, weighted_mean, last };
  struct Step {
    enum class Kind { dense, norm, unit_length };
    Kind kind = Kind::unit_length;
    Tensor W, b;                            // of dense [out x in], [out]; of a norm [n], [n]
    Tensor (*activation)(const Tensor&){};  // null: none
  };
  void add_pooling(const std::filesystem::path& folder);
  void add_dense(const std::filesystem::path& folder);
  void add_norm(const std::filesystem::path& folder);
  Tensor weight_of(const std::filesystem::path& folder, const std::string& name);
  // The numbers of one place in all states, as one.
  template <class Column>
  static Scalar pooled_column(Pool pool, const Column& column);
  Index pooled_width(Index states) const { return states * static_cast<Index>(pools_.size()); }

  std::vector<Pool> pools_;  // one behind the other
  std::vector<Step> steps_;
  double bytes_ = 0;  // of their weights
};

}  // namespace headlight
