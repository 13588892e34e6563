#include "model/experiments/rotations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/core/errors.h"

namespace headlight {

namespace {

constexpr Index kSize = 16, kLearned = 64, kStretch = 4;
constexpr Index kShownPairs[] = {1, 4, 6};  // a quick one, one between, a slow one

// How often a pair has turned at the last position of a text that ends there.
double turns_at(const Rotary& rotary, Index position, Index pair) {
  return static_cast<double>(position) * rotary.frequencies(position + 1)[static_cast<std::size_t>(pair)] /
         (2 * std::numbers::pi);
}

ExperimentChart turns_chart(Index pair, Index last) {
  const std::string number = std::to_string(pair + 1);
  ExperimentChart chart{"rotations-pair-" + number, "Turns of pair " + number + " of 8", "position", "turns"};
  double most = 0;
  for (const StretchedRotary& each : stretched_rotaries()) {
    ExperimentSeries& series = chart.series.emplace_back();
    series.name = each.name;
    const Index step = std::max<Index>(1, last / 128);
    for (Index position = 0; position <= last; position += step) {
      series.add(static_cast<double>(position), turns_at(each.rotary, position, pair));
      most = std::max(most, series.y.back());
    }
  }
  chart.series.push_back({"learned from", {double{kLearned}, double{kLearned}}, {0, most}});
  return chart;
}

ExperimentResult run_rotations(const ExperimentOptions& options) {
  constexpr int kMost = 65'536;
  const Index last = options.limit_or(kStretch * kLearned);
  if (last > kMost)
    throw UsageError("--limit: expected at most " + std::to_string(kMost) + " positions, found " +
                     std::to_string(last));
  ExperimentResult result;
  result.tables = {{"rotations", {"scaling", "pair", "turns_learned", "frequency", "of_plain", "attention"}, {}}};
  ExperimentChart slower{"rotations-frequencies", "What is left of each frequency, " + std::to_string(last) + " tokens",
                         "pair", "of the plain frequency"};
  const std::vector<StretchedRotary> all = stretched_rotaries();
  const std::vector<double> plain = all.front().rotary.frequencies(last);
  for (const StretchedRotary& each : all) {
    options.tell(each.name);
    const std::vector<double> frequencies = each.rotary.frequencies(last);
    ExperimentSeries& series = slower.series.emplace_back();
    series.name = each.name;
    for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
      const double number = static_cast<double>(pair + 1), share = frequencies[pair] / plain[pair];
      series.add(number, share);
      result.tables[0].rows.push_back({std::string(each.name), number,
                                       plain[pair] * double{kLearned} / (2 * std::numbers::pi), frequencies[pair],
                                       share, each.rotary.scaling.factor_for(last)});
    }
  }
  for (const Index pair : kShownPairs) result.charts.push_back(turns_chart(pair, last));
  result.charts.push_back(std::move(slower));
  result.notes = {
      "Pairs that turned many times while the model learned say how far apart neighbours are: llama3 and yarn leave "
      "them as they are.",
      "Pairs that never came round have angles in longer texts that the model never saw: all ways press them "
      "together."};
  return result;
}

}  // namespace

std::vector<StretchedRotary> stretched_rotaries() {
  using Kind = RotaryScaling::Kind;
  Rotary plain;
  plain.size = kSize;
  plain.scaling.original = kLearned;
  std::vector<StretchedRotary> all = {{"none", plain}};
  const auto add = [&](const char* name, Kind kind, double factor) -> RotaryScaling& {
    all.push_back({name, plain});
    RotaryScaling& scaling = all.back().rotary.scaling;
    scaling.kind = kind;
    scaling.factor = factor;
    return scaling;
  };
  add("linear", Kind::linear, kStretch);
  add("dynamic", Kind::dynamic, 2);
  add("yarn", Kind::yarn, kStretch).attention = 0.1 * std::log(double{kStretch}) + 1;
  add("llama3", Kind::llama3, kStretch);
  RotaryScaling& longrope = add("longrope", Kind::longrope, 0);
  longrope.attention = std::sqrt(1 + std::log(double{kStretch}) / std::log(double{kLearned}));
  longrope.short_factors = {1, 1.05, 1.1, 1.2, 1.3, 1.5, 1.8, 2};
  longrope.long_factors = {1, 1.5, 2, 4, 8, 16, 24, 32};
  return all;
}

Experiment rotations_experiment() {
  return {
      "rotations",
      "Positions beyond those that were learned",
      "What do linear, dynamic, yarn, llama3 and longrope do to the angles of each pair of numbers, in texts longer "
      "than those that the model learned from?",
      false,
      run_rotations,
      "--limit"};
}

}  // namespace headlight
