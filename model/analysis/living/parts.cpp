// What families build their stations and flows of.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/analysis/living/rule.h"

namespace headlight::living {

namespace {

using Kind = LivingPart::Kind;

bool takes_flow(const LivingPart& part) { return part.kind != Kind::bias && part.kind != Kind::other; }

}  // namespace

Tensor copied(const Vec& v) {
  Tensor out({v.size()});
  std::copy_n(v.data(), v.size(), out.data());
  return out;
}

bool has_all(const Result& result, const std::string& place, std::initializer_list<const char*> leaves) {
  return std::ranges::all_of(leaves, [&](const char* leaf) { return result.trace->find(place + leaf) >= 0; });
}

LivingStation& add_station(LivingMap& map, LivingStation::Kind kind, LivingLane::Side side, Index layer) {
  LivingStation& station = map.stations.emplace_back();
  station.kind = kind;
  station.side = side;
  station.layer = layer;
  std::tie(station.first, station.count) = map.range(side);
  return station;
}

double dot(const Scalar* a, const Scalar* b, Index n) {
  using Row = Eigen::Map<const Eigen::Matrix<Scalar, 1, Eigen::Dynamic>>;
  return Row(a, n).cast<double>().dot(Row(b, n).cast<double>());
}

Tensor shares_of(const Tensor& q, const Tensor& s) {
  Tensor share({s.rows()});
  const Index n = s.columns();
  for (Index t = 0; t < s.rows(); ++t) {
    const double whole = dot(s.data() + t * n, s.data() + t * n, n);
    share[t] = whole > 0 ? static_cast<Scalar>(dot(q.data() + t * n, s.data() + t * n, n) / whole) : Scalar(0);
  }
  return share;
}

std::vector<int> own_lanes(const LivingStation& station) {
  std::vector<int> lanes(at_place(station.count));
  std::iota(lanes.begin(), lanes.end(), station.first);
  return lanes;
}

LivingPart lane_by_lane(LivingPart::Kind kind, int from, std::vector<int> from_lane, Tensor share) {
  LivingPart part;
  part.kind = kind;
  part.from = from;
  part.from_lane = std::move(from_lane);
  part.share = std::move(share);
  return part;
}

LivingPart dense(LivingPart::Kind kind, int from, std::pair<int, int> columns, Tensor share) {
  LivingPart part;
  part.kind = kind;
  part.from = from;
  part.first_column = columns.first;
  part.columns = columns.second;
  part.share = std::move(share);
  return part;
}

LivingPart bias(Tensor share) {
  const auto rows = static_cast<std::size_t>(share.size());
  return lane_by_lane(Kind::bias, -1, std::vector<int>(rows, -1), std::move(share));
}

void add_other(LivingStation& station) {
  if (station.parts.empty()) return;
  Tensor rest({station.count});
  double most = 0;
  for (Index row = 0; row < station.count; ++row) {
    double sum = 0;
    for (const LivingPart& part : station.parts) sum += part.total(row);
    rest[row] = static_cast<Scalar>(1 - sum);
    most = std::max(most, std::abs(1 - sum));
  }
  constexpr double kRounding = 1e-4;
  if (most <= kRounding) return;
  station.parts.push_back(bias(std::move(rest)));
  station.parts.back().kind = Kind::other;
}

Intervention zeroed(const LivingSites::At& at, Index cell) {
  Intervention edit;
  edit.site = at.site;
  edit.kind = Intervention::Kind::zero;
  edit.row = at.step ? Intervention::kEveryRow : at.row;
  edit.cell = cell;
  return edit;
}

LivingFlow empty_flow(const LivingMap& map, LivingChoice choice) {
  LivingFlow flow;
  flow.choice = choice;
  flow.origin.assign(map.lanes.size(), 0);
  flow.totals.assign(map.stations.size(), 0);
  const auto zeros = [](const std::vector<LivingPart>& parts) {
    std::vector<Tensor> all;
    for (const LivingPart& part : parts) all.push_back(Tensor::zeros(part.share.shape()));
    return all;
  };
  for (const LivingStation& station : map.stations) {
    flow.at.emplace_back(at_place(station.count), 0.0);
    flow.parts.push_back(zeros(station.parts));
    flow.candidate.push_back(zeros(station.candidate));
  }
  return flow;
}

double total_before(const LivingFlow& flow, int station) {
  double sum = flow.rest;
  for (const double origin : flow.origin) sum += origin;
  for (int s = 0; s <= station; ++s)
    for (const double amount : flow.at[at_place(s)]) sum += amount;
  return sum;
}

void hand_back(const LivingMap& map, int number, const std::vector<Tensor>& shares, LivingFlow& flow) {
  const LivingStation& station = map.stations[at_place(number)];
  std::vector<double>& amounts = flow.at[at_place(number)];
  for (Index row = 0; row < station.count; ++row) {
    const double amount = amounts[static_cast<std::size_t>(row)];
    if (amount == 0) continue;
    if (station.parts.empty()) {
      flow.origin[at_place(station.first + static_cast<int>(row))] += amount;
      continue;
    }
    double positive = 0, negative = 0;
    for (std::size_t p = 0; p < station.parts.size(); ++p) {
      const Index width = station.parts[p].dense() ? station.parts[p].columns : 1;
      for (Index k = 0; k < width; ++k) {
        const auto share = static_cast<double>(shares[p][row * width + k]);
        if (share < 0) negative += share;
        if (share > 0 && takes_flow(station.parts[p])) positive += share;
      }
    }
    flow.against += amount * negative;
    if (!(positive > 0)) {
      flow.rest += amount;
      continue;
    }
    for (std::size_t p = 0; p < station.parts.size(); ++p) {
      const LivingPart& part = station.parts[p];
      if (!takes_flow(part)) continue;
      const Index width = part.dense() ? part.columns : 1;
      for (Index k = 0; k < width; ++k) {
        const auto share = static_cast<double>(shares[p][row * width + k]);
        if (!(share > 0)) continue;
        const double handed = amount * share / positive;
        flow.parts[at_place(number)][p][row * width + k] = static_cast<Scalar>(handed);
        const int from = part.station(row);
        const int lane =
            part.dense() ? part.first_column + static_cast<int>(k) : part.from_lane[static_cast<std::size_t>(row)];
        if (from < 0 || lane < 0)
          flow.rest += handed;
        else
          flow.at[at_place(from)][at_place(lane - map.stations[at_place(from)].first)] += handed;
      }
    }
  }
}

}  // namespace headlight::living
