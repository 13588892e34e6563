#include "model/analysis/living/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/analysis/living/rule.h"
#include "model/models/variant.h"

namespace headlight {

namespace {

using Side = LivingLane::Side;
using Part = LivingPart::Kind;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool are_alike(const LivingMap& a, const LivingMap& b) {
  if (a.family != b.family || a.stations.size() != b.stations.size()) return false;
  for (std::size_t s = 0; s < a.stations.size(); ++s) {
    const LivingStation &x = a.stations[s], &y = b.stations[s];
    if (x.kind != y.kind || x.side != y.side || x.layer != y.layer || x.units != y.units ||
        x.parts.size() != y.parts.size())
      return false;
  }
  return true;
}

// Of each side the lanes of the common beginning, and those of the common end.
std::vector<int> same_lanes(const LivingMap& now, const LivingMap& before) {
  std::vector<int> same(now.lanes.size(), -1);
  for (const Side side : {Side::source, Side::target, Side::memory}) {
    const auto [first, count] = now.range(side);
    const auto [other, others] = before.range(side);
    const auto alike = [&](int i, int j) {
      return now.lanes[at_place(first + i)].text == before.lanes[at_place(other + j)].text;
    };
    const int most = std::min(count, others);
    int begin = 0, end = 0;
    while (begin < most && alike(begin, begin)) same[at_place(first + begin)] = other + begin, ++begin;
    // What is written stands in the order of its steps: another word in the middle moves nothing.
    if (count == others)
      for (int i = begin; i < count; ++i) same[at_place(first + i)] = other + i;
    while (end < most - begin && alike(count - 1 - end, others - 1 - end))
      same[at_place(first + count - 1 - end)] = other + others - 1 - end, ++end;
  }
  return same;
}

const Scalar* state_of(const LivingMap& map, const LivingStation& station, Index row) {
  const auto i = static_cast<std::size_t>(row);
  if (i < station.places.size() && station.places[i].entry >= 0) {
    const LivingPlace& place = station.places[i];
    const Tensor& value = (*map.result->trace)[place.entry].value;
    return place.first + station.units <= value.size() ? value.data() + place.first : nullptr;
  }
  return station.own.defined() ? station.own.data() + row * station.units : nullptr;
}

double distance(const Scalar* a, const Scalar* b, Index count) {
  double apart = 0, of_a = 0, of_b = 0;
  for (Index i = 0; i < count; ++i) {
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    apart += (x - y) * (x - y);
    of_a += x * x;
    of_b += y * y;
  }
  const double longer = std::sqrt(std::max(of_a, of_b));
  return longer > 0 ? std::sqrt(apart) / longer : 0;
}

void add_outputs(LivingDifference& difference, const LivingMap& now, const LivingMap& before) {
  for (std::size_t i = 0; i < now.lanes.size(); ++i) {
    LivingDifference::Output& output = difference.outputs.emplace_back();
    output.probability = kNone;
    const int step = now.lanes[i].step, other = difference.lane_before[i];
    const int was = other >= 0 ? before.lanes[at_place(other)].step : -1;
    if (step < 0 || was < 0) continue;
    const OutputStep &is = now.result->steps[at_place(step)], &then = before.result->steps[at_place(was)];
    output.text = then.text;
    output.probability = then.probability;
    output.other = is.id != then.id || std::abs(is.probability - then.probability) >= 0.01;
  }
}

void add_shares(LivingDifference& difference, const LivingMap& now, const LivingMap& before, int s) {
  const LivingStation &station = now.stations[at_place(s)], &was = before.stations[at_place(s)];
  for (int p = 0; p < static_cast<int>(station.parts.size()); ++p) {
    const LivingPart &part = station.parts[at_place(p)], &then = was.parts[at_place(p)];
    if (!part.share.defined() || !then.share.defined() || part.kind != then.kind || part.dense() != then.dense() ||
        part.kind == Part::bias || part.kind == Part::other)
      continue;
    for (Index row = 0; row < station.count; ++row) {
      const int other = difference.lane_before[at_place(station.first + static_cast<int>(row))];
      if (other < 0 || !was.has(other)) continue;
      const Index old_row = other - was.first;
      if (!part.dense()) {
        if (part.kind != Part::written) continue;
        difference.shares.push_back(
            {{s, p, row, -1, -1}, static_cast<double>(then.share[old_row]), static_cast<double>(part.share[row])});
        continue;
      }
      for (Index column = 0; column < part.columns; ++column) {
        const int from = difference.lane_before[at_place(part.first_column + static_cast<int>(column))];
        const Index old_column = from - then.first_column;
        if (from < 0 || old_column < 0 || old_column >= then.columns) continue;
        const double is = part.at(row, column), had = then.at(old_row, old_column);
        if (std::abs(is - had) >= LivingDifference::kPoints)
          difference.shares.push_back({{s, p, row, column, -1}, had, is});
      }
    }
  }
}

}  // namespace

bool LivingDifference::empty() const {
  if (std::any_of(outputs.begin(), outputs.end(), [](const Output& each) { return each.other; })) return false;
  for (const auto& rows : states)
    if (std::any_of(rows.begin(), rows.end(), [](double each) { return each > kSame; })) return false;
  return shares.empty();
}

LivingDifference living_difference(const LivingMap& now, const LivingMap& before) {
  LivingDifference difference;
  if (!are_alike(now, before)) return difference;
  difference.lane_before = same_lanes(now, before);
  add_outputs(difference, now, before);
  const bool same_model = &as_trained(*now.result->model) == &as_trained(*before.result->model);
  for (int s = 0; s < static_cast<int>(now.stations.size()); ++s) {
    const LivingStation &station = now.stations[at_place(s)], &was = before.stations[at_place(s)];
    add_shares(difference, now, before, s);
    if (!same_model) continue;
    std::vector<double>& rows = difference.states.emplace_back(at_place(station.count), kNone);
    const bool memory = station.kind == LivingStation::Kind::memory;
    for (Index row = 0; row < station.count; ++row) {
      const int other = difference.lane_before[at_place(station.first + static_cast<int>(row))];
      const Scalar* is = state_of(now, station, row);
      if (other < 0 || !was.has(other) || !is || (memory && station.moment != was.moment)) continue;
      if (const Scalar* had = state_of(before, was, other - was.first))
        rows[static_cast<std::size_t>(row)] = distance(is, had, station.units);
    }
  }
  std::erase_if(difference.shares, [](const LivingDifference::Share& each) {
    return std::abs(each.now - each.before) < LivingDifference::kPoints;
  });
  std::stable_sort(difference.shares.begin(), difference.shares.end(),
                   [](const LivingDifference::Share& a, const LivingDifference::Share& b) {
                     return std::abs(a.now - a.before) > std::abs(b.now - b.before);
                   });
  if (difference.shares.size() > LivingDifference::kMost) difference.shares.resize(LivingDifference::kMost);
  return difference;
}

}  // namespace headlight
