// What stands on top of the last states: pooled vectors, classes, labels, answers.
#pragma once

#include <functional>
#include <string>

#include "model/io/formats/families/weights.h"
#include "model/io/formats/pretrained/pretrained_models.h"

namespace headlight::families {

// A linear map as nn.Linear stores it.
struct Dense {
  Tensor W, b;  // [out x in], [out] or undefined
  explicit operator bool() const { return W.defined(); }
  Tensor operator()(const Tensor& x) const;  // [T x in] -> [T x out]; throws FormatError for another width
};

class OnTop {
 public:
  OnTop() = default;
  // Takes its tensors out of `weights`. `settings` are ours.
  OnTop(const Json& config, const Json& settings, const Family& family, Weights& weights);
  // Of the last states [T x d] of a text.
  void add(const Tensor& last, const std::vector<TokenId>& ids, LibraryValues& values) const;

  // Whether it gives values for the text or each of its tokens, beside the pooled vector.
  explicit operator bool() const { return static_cast<bool>(out_); }
  const Top& top() const { return top_; }
  Index values_of_each() const { return out_ ? out_.W.rows() : 0; }
  bool pools() const { return static_cast<bool>(pooler_); }
  // A text may be of several classes at once: each is decided by itself (problem_type).
  bool several() const { return several_; }
  // What it gives [T x n] or [1 x n], computed by ops: each number opens into its arithmetic.
  Tensor values_of(const Tensor& last, const std::vector<TokenId>& ids) const;
  // Throws FormatError unless its tensors fit each other and states of this width.
  void try_on(Index width) const;
  // The same with other numbers in the place of each of its tensors.
  OnTop with(const std::function<Tensor(const NamedTensor&)>& other) const;
  // Its tensors, as the family calls them.
  const std::vector<NamedTensor>& tensors() const { return tensors_; }
  // tanh(x_0 Wᵀ + b) [1 x d], where pools().
  Tensor pooled(const Tensor& last) const;

 private:
  Index row_of(const std::vector<TokenId>& ids) const;

  Dense pooler_, dense_, out_;
  Tensor gamma_, beta_;
  double epsilon_ = 1e-5;
  Top top_{"", "", Top::Of::each};
  Tensor (*act_)(const Tensor&) = nullptr;
  std::vector<NamedTensor> tensors_;
  TokenId padding_ = -1, end_ = -1;
  bool several_ = false;
};

}  // namespace headlight::families
