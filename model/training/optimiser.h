// Optimisers and gradient clipping.
#pragma once

#include <vector>

#include "model/layers/parameters.h"
#include "model/trace/trace.h"

namespace headlight {

// Adam (Kingma & Ba 2015) in the form of the book: lr_t = lr·sqrt(1−β2^t)/(1−β1^t), θ −= lr_t·m/(sqrt(v)+1e−7).
class Adam {
 public:
  explicit Adam(const ParameterTable& parameters, double learning_rate, double beta1 = 0.9, double beta2 = 0.999);

  // One update; `gradients` stand in the order of the parameters.
  void update(ParameterTable& parameters, const std::vector<Tensor>& gradients);

  // What a checkpoint has to keep: "adam.m.NAME", "adam.v.NAME" (shared with this object) and the number of updates.
  std::vector<NamedTensor> state() const;
  std::int64_t updates() const { return updates_; }
  void set_updates(std::int64_t updates) { updates_ = updates; }

 private:
  double learning_rate_, beta1_, beta2_;
  std::int64_t updates_ = 0;
  std::vector<std::string> names_;
  std::vector<Tensor> m_, v_;
};

// Euclidean norm of all gradients together, in double.
double global_norm(const std::vector<Tensor>& gradients);

// if ‖g‖ > limit: g *= limit / (‖g‖ + 1e−6) (Pascanu et al. 2013). Returns the norm before clipping.
double clip_global_norm(std::vector<Tensor>& gradients, double limit);

}  // namespace headlight
