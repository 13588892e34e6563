#include "model/training/optimiser.h"

#include <cmath>

namespace headlight {

Adam::Adam(const ParameterTable& parameters, double learning_rate, double beta1, double beta2)
    : learning_rate_(learning_rate), beta1_(beta1), beta2_(beta2) {
  for (const Parameter& p : parameters.all()) {
    names_.push_back(p.name);
    m_.push_back(Tensor::zeros(p.value.shape()));
    v_.push_back(Tensor::zeros(p.value.shape()));
  }
}

void Adam::update(ParameterTable& parameters, const std::vector<Tensor>& gradients) {
  ++updates_;
  const auto t = static_cast<double>(updates_);
  const auto rate =
      static_cast<Scalar>(learning_rate_ * std::sqrt(1 - std::pow(beta2_, t)) / (1 - std::pow(beta1_, t)));
  const auto keep1 = static_cast<Scalar>(1 - beta1_), keep2 = static_cast<Scalar>(1 - beta2_);
  for (std::size_t i = 0; i < m_.size(); ++i) {
    const ConstArrayMap g = gradients[i].array();
    ArrayMap m = m_[i].array(), v = v_[i].array();
    m += keep1 * (g - m);
    v += keep2 * (g.square() - v);
    parameters.all()[i].value.array() -= rate * m / (v.sqrt() + Scalar(1e-7));
  }
}

std::vector<NamedTensor> Adam::state() const {
  std::vector<NamedTensor> state;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    state.push_back({"adam.m." + names_[i], m_[i]});
    state.push_back({"adam.v." + names_[i], v_[i]});
  }
  return state;
}

double global_norm(const std::vector<Tensor>& gradients) {
  double sum = 0;
  for (const Tensor& g : gradients) sum += g.array().cast<double>().square().sum();
  return std::sqrt(sum);
}

double clip_global_norm(std::vector<Tensor>& gradients, double limit) {
  const double norm = global_norm(gradients);
  if (norm > limit)
    for (Tensor& g : gradients) g.array() *= static_cast<Scalar>(limit / (norm + 1e-6));
  return norm;
}

}  // namespace headlight
