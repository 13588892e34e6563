// What sentence-transformers puts behind a model: one vector for the whole text (Reimers & Gurevych 2019).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/tensor.h"

namespace headlight {

class SentencePooling {
 public:
  enum class Pool { cls, max, mean, mean_sqrt_length, weighted_mean, last };
  using Activation = Tensor (*)(const Tensor&);
  struct Step {
    enum class Kind { dense, norm, unit_length };
    Kind kind = Kind::unit_length;
    Tensor W, b;                      // of dense [out x in], [out]; of a norm [n], [n]
    Activation activation = nullptr;  // null: none
  };
  static constexpr double kNormEpsilon = 1e-5;

  // By the names of the library: "mean" or "mean_tokens", "cls" or "cls_token"; "Tanh", "Identity", ...
  static std::optional<Pool> pool_named(std::string_view name);
  static std::optional<Activation> activation_named(std::string_view name);

  void add(Pool pool) { pools_.push_back(pool); }
  void add(Step step) { steps_.push_back(std::move(step)); }
  const std::vector<Pool>& pools() const { return pools_; }  // one behind the other
  const std::vector<Step>& steps() const { return steps_; }

  // Of the last states [T x d] of a text, its special tokens included: [n].
  Tensor operator()(const Tensor& last) const;
  std::string formula() const;  // of it, with x_t for the last state of token t

 private:
  // The numbers of one place in all states, as one.
  template <class Column>
  static Scalar pooled_column(Pool pool, const Column& column);
  Index pooled_width(Index states) const { return states * static_cast<Index>(pools_.size()); }

  std::vector<Pool> pools_;
  std::vector<Step> steps_;
};

}  // namespace headlight
