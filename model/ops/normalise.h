// Normalisation: of each row by its own mean and deviation, or of each column over a batch.
#pragma once

#include "model/core/graph.h"

namespace headlight {

// y = γ ⊙ (x − μ) / √(σ² + ε) + β, μ and the biased σ² of each row (Ba et al. 2016, eq. 4): x [.. x d], gamma [d] or
// undefined (1), beta [d] or undefined (0) -> [.. x d]. Of heads x [(N·H) x T x d], gamma may have a row for each:
// [H x d].
Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, double epsilon);

// y = γ ⊙ x / √(mean(x²) + ε) (Zhang and Sennrich 2019, eq. 4): x [.. x d], gamma as above -> [.. x d].
Tensor rms_norm(const Tensor& x, const Tensor& gamma, double epsilon);

// Of each column, over the rows that count: mean [d] and biased variance [d].
struct BatchStatistics {
  Tensor mean, variance;
};

// y = γ ⊙ (x − μ) / √(σ² + ε) + β, μ and the biased σ² of each column over the kept rows (Ioffe and Szegedy 2015,
// algorithm 1): x [.. x d], gamma [d], beta [d] or undefined (0), keep [rows] or undefined (all) -> [.. x d]. Rows that
// are not kept are normalised like the others, but have no part in μ and σ². `statistics` may be null.
Tensor batch_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, double epsilon, const Tensor& keep,
                  BatchStatistics* statistics);

// The same with a given mean [d] and variance [d], which get no gradient: inference (Ioffe and Szegedy 2015,
// algorithm 2).
Tensor normalised_by(const Tensor& x, const Tensor& mean, const Tensor& variance, const Tensor& gamma,
                     const Tensor& beta, double epsilon);

// What a normalisation divides by and takes away, for the eye only (no gradient): [.. x d] -> [..].
Tensor row_mean(const Tensor& x);
// 1 / √(σ² + ε) when centred (layer norm), else 1 / √(mean(x²) + ε) (RMS norm).
Tensor row_rstd(const Tensor& x, double epsilon, bool centred);

}  // namespace headlight
