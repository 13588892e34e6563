#include "model/layers/norm.h"

#include "model/ops/normalise.h"
#include "model/trace/site_sentences.h"

namespace headlight {

Norm::Norm(const ParameterBuilder& parameters, const NormSettings& settings, Index size) : settings_(settings) {
  if (settings.scale) gamma_ = parameters.make("gamma", {size}, Init::constant(1));
  if (settings.scale && settings.bias && settings.kind != NormKind::rms)
    beta_ = parameters.make("beta", {size}, Init::zeros());
  if (settings.kind != NormKind::batch) return;
  running_mean_ = parameters.make("running_mean", {size}, Init::zeros());
  running_var_ = parameters.make("running_var", {size}, Init::constant(1));
}

Tensor Norm::operator()(const Tensor& x, const Tensor& keep, const SitePath& place, const Pass& pass) const {
  const Tap& tap = pass.tap;
  const double epsilon = settings_.epsilon;
  const std::string affine = std::string(gamma_.defined() ? " ⊙ γ" : "") + (beta_.defined() ? " + β" : "");
  if (settings_.kind == NormKind::batch) {
    if (!pass.training)
      return tap(place, "out", normalised_by(x, running_mean_, running_var_, gamma_, beta_, epsilon), [&] {
        return SiteWords{"y = (x − μ) / √(σ² + ε)" + affine + ", μ and σ² of the training", sentences::kByTraining,
                         "Ioffe & Szegedy 2015, algorithm 2"};
      });
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
    tap(place, "rstd", row_rstd(x, epsilon, centred), [&] {
      return centred ? SiteWords{"1 / √(σ² + ε)"}
                     : SiteWords{"1 / √(Σ x² / d + ε)", nullptr, "Zhang & Sennrich 2019, eq. 4"};
    });
  }
  if (!centred)
    return tap(place, "out", rms_norm(x, gamma_, epsilon), [&] {
      return SiteWords{"y = x / √(Σ x² / d + ε)" + affine, sentences::kStretched, "Zhang & Sennrich 2019, eq. 4"};
    });
  return tap(place, "out", layer_norm(x, gamma_, beta_, epsilon), [&] {
    return SiteWords{"y = (x − μ) / √(σ² + ε)" + affine, sentences::kShifted, "Ba et al. 2016, eq. 4"};
  });
}

}  // namespace headlight
