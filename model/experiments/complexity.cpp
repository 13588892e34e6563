#include "model/experiments/complexity.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include "model/core/errors.h"
#include "model/core/random.h"
#include "model/ops/activations.h"
#include "model/ops/attention.h"
#include "model/ops/basic.h"
#include "model/ops/convolution.h"
#include "model/ops/heads.h"

namespace headlight {

namespace {

Tensor drawn(const Shape& shape, double deviation) {
  Random random(1, Random::Stream::sample, static_cast<std::uint32_t>(shape.size()));
  Tensor values(shape);
  for (Index i = 0; i < values.size(); ++i) values[i] = static_cast<Scalar>(deviation * random.normal());
  return values;
}

// What is measured, with its inputs and weights made before.
std::function<void()> work(CostedLayer layer, Index n, Index d) {
  const Tensor x = drawn({1, n, d}, 1);
  const double deviation = 1 / std::sqrt(static_cast<double>(d));
  const auto weight = [&](Index rows, Index columns) { return drawn({rows, columns}, deviation); };
  switch (layer) {
    case CostedLayer::attention:
      return [x, deviation] { weighted_sum(attention_weights(x, x, static_cast<Scalar>(deviation), {}, {}), x); };
    case CostedLayer::projections:
      return [x, w = weight(d, d)] {
        for (int i = 0; i < 4; ++i) linear(x, w);
      };
    case CostedLayer::feed_forward:
      return [x, up = weight(d, kCostedFeedForward * d), down = weight(kCostedFeedForward * d, d)] {
        linear(relu(linear(x, up)), down);
      };
    case CostedLayer::recurrent:
      return [x, n, d, w = weight(d, d), u = weight(d, d)] {
        const Tensor inputs = linear(x, w);
        Tensor h = Tensor::zeros({1, d});
        for (Index t = 0; t < n; ++t) h = tanh(add(linear(h, u), inputs.view(t * d, {1, d})));
      };
    case CostedLayer::convolution:
      return [x, w = weight(kCostedKernel * d, d)] { linear(windows(x, kCostedKernel, 1), w); };
  }
  return [] {};
}

// Where one line of measured times goes over another, by powers between the points; none: NaN.
double measured_crossing(const std::vector<double>& n, const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i + 1 < n.size(); ++i) {
    const double before = std::log(a[i] / b[i]), after = std::log(a[i + 1] / b[i + 1]);
    if (before < 0 && after >= 0) return n[i] * std::pow(n[i + 1] / n[i], before / (before - after));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

using Times = std::map<CostedLayer, std::vector<double>>;

std::vector<double> sum_of(const Times& times, const std::vector<CostedLayer>& layers) {
  std::vector<double> sum(times.begin()->second.size(), 0);
  for (const CostedLayer layer : layers)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += times.at(layer)[i];
  return sum;
}

ExperimentResult run_complexity(const ExperimentOptions& options) {
  using L = CostedLayer;
  ExperimentResult result;
  result.tables = {{"complexity", {"layer", "n", "d", "multiply_adds", "seconds"}, {}},
                   {"complexity-crossings", {"more_than", "d", "n_by_formula", "n_measured"}, {}}};
  constexpr int kMost = 16'384;  // its weights take a gigabyte
  const int largest = options.limit_or(2'048), repeats = options.trials_or(3);
  if (largest > kMost)
    throw UsageError("--limit: expected at most " + std::to_string(kMost) + " positions, found " +
                     std::to_string(largest));
  for (const Index d : {Index{64}, Index{128}, Index{256}}) {
    std::vector<double> positions;
    Times times;
    for (Index n = 16; n <= largest; n *= 2) {
      options.tell("n = " + std::to_string(n) + ", d = " + std::to_string(d));
      positions.push_back(static_cast<double>(n));
      for (const L layer : kCostedLayers) {
        times[layer].push_back(measure_seconds(layer, n, d, repeats, options.cancel));
        result.tables[0].rows.push_back({std::string(name_of(layer)), static_cast<double>(n), static_cast<double>(d),
                                         multiply_adds(layer, n, d), times[layer].back()});
      }
    }
    const std::string width = std::to_string(d);
    ExperimentChart chart{
        "complexity-d" + width, "Time of one layer, d = " + width, "positions", "seconds", {}, true, true};
    for (const L layer : kCostedLayers) chart.series.push_back({name_of(layer), positions, times[layer]});
    result.charts.push_back(std::move(chart));
    const std::vector<L> rest = {L::projections, L::feed_forward};
    for (const auto& [name, others] :
         {std::pair<const char*, std::vector<L>>{"recurrent", {L::recurrent}}, {"projections and feed-forward", rest}})
      result.tables[1].rows.push_back({std::string(name), static_cast<double>(d), crossing(L::attention, others, d),
                                       measured_crossing(positions, times[L::attention], sum_of(times, others))});
  }
  result.notes = {
      "By formula, attention costs more than a recurrent layer from n = d on, and more than the rest of its own layer "
      "from n = 6 d on.",
      "Steps of a recurrent layer wait for one another, so that its time is that of many small products."};
  return result;
}

}  // namespace

double measure_seconds(CostedLayer layer, Index n, Index d, int repeats, const CancelToken& cancel) {
  using Clock = std::chrono::steady_clock;
  const std::function<void()> run = work(layer, n, d);
  run();  // takes its memory
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    cancel.check();
    const auto start = Clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

Experiment complexity_experiment() {
  return {"complexity",
          "What layers cost",
          "From which length on does attention cost more than a recurrent or convolutional layer, by counting and by "
          "the clock?",
          false,
          run_complexity,
          "--trials --limit"};
}

}  // namespace headlight
