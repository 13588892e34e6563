#include "model/experiments/share_and_cause.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/analysis/living/map.h"
#include "model/core/errors.h"
#include "model/experiments/experiment.h"

namespace headlight {

namespace {

Tensor probabilities(const Result& result, int step) {
  return result.trace->value("decoder.step[" + std::to_string(step) + "].output.probs");
}

// What is measured of one attention, a number for each of its ribbons.
struct Ribbons {
  std::string attention;
  std::vector<double> share, weight, effect;
};

void measure(const LivingMap& map, int station, int part, const ExperimentOptions& options, Ribbons& into) {
  const LivingStation& one = map.stations[static_cast<std::size_t>(station)];
  const LivingPart& attention = one.parts[static_cast<std::size_t>(part)];
  const Tensor weights = head_weights(map, station, part);
  Request request;
  request.inputs() = map.result->inputs();
  request.model = map.result->model;
  request.capture = {{"decoder.step.output.probs"}, false};
  request.cancel = options.cancel;
  for (Index row = 0; row < one.count; ++row) {
    const int step = map.lanes[static_cast<std::size_t>(one.first + row)].step;
    if (step < 0) continue;  // no output is read off this lane
    const Tensor before = probabilities(*map.result, step);
    for (int column = 0; column < static_cast<int>(attention.columns); ++column) {
      double weight = 0;
      for (Index h = 0; h < weights.dim(0); ++h)
        weight += static_cast<double>(weights[(h * weights.dim(1) + row) * weights.dim(2) + column]) /
                  static_cast<double>(weights.dim(0));
      if (!(weight > 0)) continue;
      request.interventions = map.result->interventions;
      for (Intervention& edit : cut_of(map, {station, part, row, column, -1}))
        request.interventions.push_back(std::move(edit));
      const Tensor after = probabilities(run(request), step);
      if (!after.defined()) continue;
      into.share.push_back(std::abs(attention.at(row, column)));
      into.weight.push_back(weight);
      into.effect.push_back(kl_divergence(before, after));
    }
  }
}

ExperimentResult run_share_and_cause(const ExperimentOptions& options) {
  const ModelBundle& bundle = *options.model;
  const auto texts = std::min<std::size_t>(bundle.examples.size(), static_cast<std::size_t>(options.limit_or(3)));
  std::vector<Ribbons> all;
  for (std::size_t i = 0; i < texts; ++i) {
    Request request;
    request.model = options.model;
    request.source = bundle.examples[i];
    request.capture.explain = false;
    request.cancel = options.cancel;
    const auto map = living_map(std::make_shared<const Result>(run(request)), options.cancel);
    if (!map) continue;
    std::size_t number = 0;
    for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
      const LivingStation& station = map->stations[static_cast<std::size_t>(s)];
      const int part = station.part(LivingPart::Kind::attention);
      // Of a recurrent model the readout: its shares are those of the context that every step looks up.
      if (part < 0 || station.side != map->stations.back().side || station.kind == LivingStation::Kind::context)
        continue;
      if (all.size() <= number) all.push_back({station.parts[static_cast<std::size_t>(part)].place, {}, {}, {}});
      options.tell(all[number].attention + ", '" + bundle.examples[i] + "'");
      measure(*map, s, part, options, all[number++]);
    }
  }
  if (all.empty()) throw UsageError(bundle.name + " has no attention that a share can be cut in");
  ExperimentResult result;
  ExperimentTable& table = result.tables.emplace_back();
  table.name = "share-and-cause";
  table.columns = {"attention", "ribbons", "share", "share_ranks", "weight", "weight_ranks"};
  for (const Ribbons& one : all)
    table.rows.push_back({one.attention, static_cast<double>(one.effect.size()), correlation(one.share, one.effect),
                          correlation(ranks(one.share), ranks(one.effect)), correlation(one.weight, one.effect),
                          correlation(ranks(one.weight), ranks(one.effect))});
  ExperimentChart chart{"share-and-cause", "What a ribbon's share says of what cutting it does", "share (magnitude)",
                        "change of the output (nats)"};
  for (const Ribbons& one : all) chart.series.push_back({one.attention, one.share, one.effect});
  result.charts.push_back(std::move(chart));
  result.notes = {
      "Each weight above 0 is set to 0, one by one; the change is KL(before ‖ after) of the output at the same step."};
  return result;
}

}  // namespace

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  if (x.size() < 2 || x.size() != y.size()) return std::numeric_limits<double>::quiet_NaN();
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n, my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> all(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) all[order[k]] = (static_cast<double>(i + 1) + static_cast<double>(end)) / 2;
    i = end;
  }
  return all;
}

Experiment share_and_cause_experiment() {
  return {"share-and-cause",
          "What shares say about causes",
          "Does cutting a ribbon of the living map change the output the more, the larger its share is?",
          true,
          run_share_and_cause,
          "--limit"};
}

}  // namespace headlight
