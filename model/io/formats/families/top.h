// What stands on top of the last states: pooled vectors, classes, labels, answers.
#pragma once

#include <string>

#include "model/io/formats/families/weights.h"
#include "model/io/formats/pretrained_models.h"

namespace headlight::families {

// A linear map as nn.Linear stores it.
struct Dense {
  Tensor W, b;  // [out x in], [out] or undefined
  explicit operator bool() const { return W.defined(); }
  Tensor operator()(const Tensor& x) const;  // [T x in] -> [T x out]
};

class OnTop {
 public:
  OnTop() = default;
  // Takes its tensors out of `weights`. `settings` are ours.
  OnTop(const Json& config, const Json& settings, const Family& family, Weights& weights);
  // Of the last states [T x d] of a text.
  void add(const Tensor& last, const std::vector<TokenId>& ids, LibraryValues& values) const;

 private:
  Index row_of(const std::vector<TokenId>& ids) const;

  Dense pooler_, dense_, out_;
  Tensor gamma_, beta_;
  double epsilon_ = 1e-5;
  Top top_{"", "", Top::Of::each};
  Scalar (*act_)(Scalar) = nullptr;
  TokenId padding_ = -1;
};

}  // namespace headlight::families
