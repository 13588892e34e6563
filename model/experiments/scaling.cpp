#include "model/experiments/scaling.h"

#include <algorithm>
#include <cmath>

#include "model/core/parallel.h"
#include "model/core/random.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

constexpr Index kChunk = 25;  // trials at a time
constexpr Index kSizes[] = {1, 4, 16, 64, 256, 1024};

// What one trial gives.
struct Trial {
  double sum = 0, squares = 0;  // of q·k
  double max_weight[2], entropy[2], jacobian[2];
};

Tensor normals(const Shape& shape, Random& random) {
  Tensor values(shape);
  for (Index i = 0; i < values.size(); ++i) values[i] = static_cast<Scalar>(random.normal());
  return values;
}

void measure_weights(const Tensor& weights, Index row, int which, Trial& trial) {
  const Index keys = weights.columns();
  const Scalar* a = weights.data() + row * keys;
  trial.max_weight[which] = static_cast<double>(*std::max_element(a, a + keys));
  trial.entropy[which] = 0;
  for (Index j = 0; j < keys; ++j)
    if (a[j] > 0) trial.entropy[which] -= static_cast<double>(a[j]) * std::log2(static_cast<double>(a[j]));
  trial.jacobian[which] = softmax_jacobian_norm(a, keys);
}

// Trials [begin, begin + count), drawn from a stream of their own.
void run_chunk(Index size, const ScalingSettings& settings, Index begin, Index count, std::vector<Trial>& trials) {
  const auto stream = static_cast<std::uint32_t>(size * 4'000 + begin / kChunk);
  Random random(settings.seed, Random::Stream::sample, stream);
  const Tensor queries = normals({count, 1, size}, random), keys = normals({count, settings.keys, size}, random);
  const Tensor scores = dot_scores(queries, keys);
  const Tensor raw = softmax(scores);
  const Tensor scaled = softmax(scale(scores, static_cast<Scalar>(1 / std::sqrt(static_cast<double>(size)))));
  for (Index i = 0; i < count; ++i) {
    Trial& trial = trials[static_cast<std::size_t>(begin + i)];
    for (Index j = 0; j < settings.keys; ++j) {
      const auto s = static_cast<double>(scores[i * settings.keys + j]);
      trial.sum += s;
      trial.squares += s * s;
    }
    measure_weights(raw, i, 0, trial);
    measure_weights(scaled, i, 1, trial);
  }
}

Sharpness summary(const std::vector<Trial>& trials, int which) {
  Sharpness s;
  std::vector<double> norms;
  for (const Trial& trial : trials) {
    s.max_weight += trial.max_weight[which];
    s.entropy_bits += trial.entropy[which];
    s.one_hot += trial.max_weight[which] > 0.99 ? 1 : 0;
    norms.push_back(trial.jacobian[which]);
  }
  const auto count = static_cast<double>(trials.size());
  for (double* mean : {&s.max_weight, &s.entropy_bits, &s.one_hot}) *mean /= count;
  const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
  std::nth_element(norms.begin(), middle, norms.end());
  s.jacobian = *middle;
  return s;
}

ExperimentChart chart(const char* name, const char* title, const char* y_title, const std::vector<ScalingRow>& rows,
                      double Sharpness::*figure) {
  ExperimentChart chart{name, title, "d_k", y_title, {}, true};
  for (const bool scaled : {false, true}) {
    ExperimentSeries& series = chart.series.emplace_back();
    series.name = scaled ? "q·k / √d_k" : "q·k";
    for (const ScalingRow& row : rows) {
      series.add(static_cast<double>(row.size), (scaled ? row.scaled : row.raw).*figure);
    }
  }
  return chart;
}

std::vector<TableCell> cells(std::uint64_t seed, const ScalingRow& row) {
  return {static_cast<double>(seed),
          static_cast<double>(row.size),
          row.variance,
          row.raw.max_weight,
          row.scaled.max_weight,
          row.raw.entropy_bits,
          row.scaled.entropy_bits,
          row.raw.jacobian,
          row.scaled.jacobian,
          row.raw.one_hot,
          row.scaled.one_hot};
}

ExperimentResult run_scaling(const ExperimentOptions& options) {
  ScalingSettings settings;
  settings.trials = options.trials_or(2'000);
  ExperimentResult result;
  result.tables.push_back({"scaling",
                           {"seed", "d_k", "variance", "max_raw", "max_scaled", "bits_raw", "bits_scaled",
                            "jacobian_raw", "jacobian_scaled", "one_hot_raw", "one_hot_scaled"},
                           {}});
  std::vector<ScalingRow> first;
  for (int run = 0; run < options.seeds_or(1); ++run) {
    settings.seed = options.seed + static_cast<std::uint64_t>(run);
    for (const Index size : kSizes) {
      options.tell("seed " + std::to_string(settings.seed) + ", d_k = " + std::to_string(size));
      const ScalingRow row = measure_scaling(size, settings, options.cancel);
      result.tables[0].rows.push_back(cells(settings.seed, row));
      if (run == 0) first.push_back(row);
    }
  }
  result.charts = {chart("scaling-max-weight", "Largest of 64 attention weights", "mean largest weight", first,
                         &Sharpness::max_weight),
                   chart("scaling-entropy", "Entropy of 64 attention weights", "bits (6: all equal)", first,
                         &Sharpness::entropy_bits),
                   chart("scaling-jacobian", "How much the weights can still learn",
                         "median norm of the softmax's derivative", first, &Sharpness::jacobian)};
  result.notes = {
      "Dot products of longer vectors vary more, so that their softmax picks one key and passes no gradient.",
      "Divided by the root of the length they vary as those of length 1, and the weights stay as they were."};
  return result;
}

}  // namespace

double softmax_jacobian_norm(const Scalar* weights, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) {
    const auto a = static_cast<double>(weights[i]);
    double others = 0;  // 1 − a without the loss of digits when a is almost 1
    for (Index j = 0; j < count; ++j)
      if (j != i) {
        const auto b = static_cast<double>(weights[j]);
        others += b;
        sum += a * b * a * b;
      }
    sum += a * others * a * others;
  }
  return std::sqrt(sum);
}

ScalingRow measure_scaling(Index size, const ScalingSettings& settings, const CancelToken& cancel) {
  std::vector<Trial> trials(static_cast<std::size_t>(settings.trials));
  const Index chunks = (settings.trials + kChunk - 1) / kChunk;
  parallel_parts(static_cast<int>(chunks), [&](int chunk) {
    cancel.check();
    const Index begin = chunk * kChunk;
    run_chunk(size, settings, begin, std::min(kChunk, settings.trials - begin), trials);
  });
  double sum = 0, squares = 0;
  for (const Trial& trial : trials) {
    sum += trial.sum;
    squares += trial.squares;
  }
  const auto count = static_cast<double>(settings.trials * settings.keys);
  ScalingRow row;
  row.size = size;
  row.variance = squares / count - sum / count * (sum / count);
  row.raw = summary(trials, 0);
  row.scaled = summary(trials, 1);
  return row;
}

Experiment scaling_experiment() {
  return {"scaling",
          "Why scores are divided by the root of d_k",
          "What does the softmax do to dot products of random vectors as these get longer, with and without scaling?",
          false,
          run_scaling,
          "--seed --seeds --trials"};
}

}  // namespace headlight
