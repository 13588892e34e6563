#include "model/layers/feed_forward.h"

#include "model/ops/activations.h"
#include "model/ops/basic.h"
#include "model/ops/choice.h"

namespace headlight {

Tensor activated(const Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::relu:
      return relu(x);
    case Activation::gelu:
      return gelu(x);
    case Activation::gelu_tanh:
      return gelu_tanh(x);
    case Activation::silu:
      return silu(x);
    case Activation::relu2:
      return relu_squared(x);
    case Activation::tanh:
      return headlight::tanh(x);
  }
  return x;
}

Tensor dropped(const Tensor& x, double p, const Pass& pass) {
  return pass.training && pass.random ? dropout(x, p, *pass.random) : x;
}

FeedForward::FeedForward(const ParameterBuilder& parameters, const FeedForwardSettings& s) : settings_(s) {
  const auto bias = [&](const char* name, Index size) {
    return s.bias ? parameters.make(name, {size}, Init::zeros()) : Tensor();
  };
  W1_ = parameters.make("W1", {s.model, s.hidden}, s.init);
  b1_ = bias("b1", s.hidden);
  if (s.gated) {
    W_gate_ = parameters.make("W_gate", {s.model, s.hidden}, s.init);
    b_gate_ = bias("b_gate", s.hidden);
  }
  W2_ = parameters.make("W2", {s.hidden, s.model}, s.init);
  b2_ = bias("b2", s.model);
}

const char* activation_name(Activation activation) {
  return kActivationNames[static_cast<std::size_t>(activation)].c_str();
}

// h in front of W_2.
std::string FeedForward::hidden_formula() const {
  const std::string f = activation_name(settings_.activation), pre = pre_formula("1");
  if (!settings_.gated) return f + "(" + pre + ")";
  if (settings_.limit > 0) return "(u + 1) ⊙ g ⊙ σ(α g), g = " + pre_formula("gate") + ", u = " + pre;
  return f + "(" + pre_formula("gate") + ") ⊙ (" + pre + ")";
}

std::string FeedForward::pre_formula(const std::string& name) const {
  const std::string index = name.size() > 1 ? "_{" + name + "}" : "_" + name;
  return "x W" + index + (settings_.bias ? " + b" + index : "");
}

Tensor FeedForward::gated(const Tensor& gate, const Tensor& pre) const {
  return settings_.limit > 0 ? limited_swiglu(gate, pre, settings_.limit, settings_.alpha)
                             : multiply(activated(gate, settings_.activation), pre);
}

Tensor FeedForward::operator()(const Tensor& x, const SitePath& place, const Pass& pass) const {
  const Tap& tap = pass.tap;
  Tensor act;
  if (settings_.gated) {
    const Tensor gate = tap(place, "gate", linear(x, W_gate_, b_gate_), [&] { return SiteWords{pre_formula("gate")}; });
    const Tensor pre = tap(place, "pre", linear(x, W1_, b1_), [&] { return SiteWords{pre_formula("1")}; });
    act = gated(gate, pre);
  } else {
    act = activated(tap(place, "pre", linear(x, W1_, b1_), [&] { return SiteWords{pre_formula("1")}; }),
                    settings_.activation);
  }
  act = dropped(tap(place, "act", act, [&] { return SiteWords{"h = " + hidden_formula()}; }), settings_.dropout, pass);
  return tap(place, "out", linear(act, W2_, b2_), [&] {
    const std::string h = hidden_formula();
    return SiteWords{(settings_.gated ? "(" + h + ")" : h) + " W_2" + (settings_.bias ? " + b_2" : "")};
  });
}

}  // namespace headlight
