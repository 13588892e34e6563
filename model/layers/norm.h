// Normalisation of rows, with the statistics that it used.
#pragma once

#include "model/layers/parameters.h"
#include "model/trace/pass.h"

namespace headlight {

enum class NormKind {
  layer,  // Ba et al. 2016
  rms,    // Zhang & Sennrich 2019
  batch,  // Ioffe & Szegedy 2015, for comparison: over all tokens of a batch, not over the units of one
};
inline const std::vector<std::string> kNormNames = {"layer", "rms", "batch"};

struct NormSettings {
  NormKind kind = NormKind::layer;
  double epsilon = 1e-5;
  bool bias = true;   // beta; never with rms
  bool scale = true;  // gamma; without it never beta
};

class Norm {
 public:
  // gamma [d] = 1, beta [d] = 0, where they are asked for; batch: also running_mean, running_var [d], which a training
  // collects.
  Norm(const ParameterBuilder& parameters, const NormSettings& settings, Index size);

  // x [N x L x d], keep [N x L] or undefined (which rows count in a batch's statistics) -> [N x L x d]. Publishes
  // place.mean and place.rstd (layer), place.rstd (rms) and place.out.
  Tensor operator()(const Tensor& x, const Tensor& keep, const SitePath& place, const Pass& pass) const;

 private:
  NormSettings settings_;
  Tensor gamma_, beta_, running_mean_, running_var_;
};

}  // namespace headlight
