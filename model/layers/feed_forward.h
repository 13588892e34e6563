// The position-wise network of a Transformer layer (Vaswani et al. 2017, eq. 2), plain or gated (Shazeer 2020).
#pragma once

#include "model/layers/parameters.h"
#include "model/trace/pass.h"

namespace headlight {

enum class Activation { relu, gelu, gelu_tanh, silu, relu2, tanh };
inline const std::vector<std::string> kActivationNames = {"relu", "gelu", "gelu_tanh", "silu", "relu2", "tanh"};
Tensor activated(const Tensor& x, Activation activation);  // [..] -> [..]
const char* activation_name(Activation activation);        // in formulas

// x while training has no draws or p is 0; else dropout of models.md 2.8.
Tensor dropped(const Tensor& x, double p, const Pass& pass);

struct FeedForwardSettings {
  Index model = 0, hidden = 0;  // d, d_ff
  Activation activation = Activation::relu;
  bool gated = false;               // f(x W_gate) ⊙ (x W1) instead of f(x W1)
  double limit = 0, alpha = 1.702;  // gated: limited_swiglu (choice.h) instead; 0: not
  bool bias = true;
  double dropout = 0;  // of the activations
  Init init = Init::glorot();
};

class FeedForward {
 public:
  // W1 [d x d_ff], b1, W2 [d_ff x d], b2; gated: also W_gate [d x d_ff], b_gate.
  FeedForward(const ParameterBuilder& parameters, const FeedForwardSettings& settings);
  // [.. x d] -> [.. x d]. Publishes place.{gate, pre, act, out}.
  Tensor operator()(const Tensor& x, const SitePath& place, const Pass& pass) const;

 private:
  Tensor gated(const Tensor& gate, const Tensor& pre) const;
  std::string pre_formula(const std::string& name) const;
  std::string hidden_formula() const;

  FeedForwardSettings settings_;
  Tensor W1_, b1_, W_gate_, b_gate_, W2_, b2_;
};

}  // namespace headlight
