#include "model/layers/norm.h"

#include "model/ops/normalise.h"

namespace headlight {

Norm::Norm(const ParameterBuilder& parameters, const NormSettings& settings, Index size) : settings_(settings) {
  gamma_ = parameters.make("gamma", {size}, Init::constant(1));
  if (settings.bias && settings.kind != NormKind::rms) beta_ = parameters.make("beta", {size}, Init::zeros());
  if (settings.kind != NormKind::batch) return;
  running_mean_ = parameters.make("running_mean", {size}, Init::zeros());
  running_var_ = parameters.make("running_var", {size}, Init::constant(1));
}

Tensor Norm::operator()(const Tensor& x, const Tensor& keep, const SitePath& place, const Pass& pass) const {
  const Tap& tap = pass.tap;
  const double epsilon = settings_.epsilon;
  if (settings_.kind == NormKind::batch) {
    if (!pass.training) return tap(place, "out", normalised_by(x, running_mean_, running_var_, gamma_, beta_, epsilon));
    BatchStatistics now;
    Tensor y = batch_norm(x, gamma_, beta_, epsilon, keep, &now);
    if (pass.moments) {
      pass.moments->push_back({running_mean_, now.mean});
      pass.moments->push_back({running_var_, now.variance});
    }
    return y;
  }
  const bool centred = settings_.kind == NormKind::layer;
  if (tap.active()) {
    if (centred) tap(place, "mean", row_mean(x));
    tap(place, "rstd", row_rstd(x, epsilon, centred));
  }
  return tap(place, "out", centred ? layer_norm(x, gamma_, beta_, epsilon) : rms_norm(x, gamma_, epsilon));
}

}  // namespace headlight
