#include "widgets/views/living/scene/stack.h"

#include <algorithm>

namespace headlight {

namespace {

using Part = LivingPart::Kind;

int rank(Part kind) {
  switch (kind) {
    case Part::attention:
    case Part::tap:
    case Part::context:
    case Part::token:
    case Part::position:
      return 0;
    case Part::written:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

LivingStack::LivingStack(std::shared_ptr<const LivingMap> map, bool plain) : map_(std::move(map)), plain_(plain) {
  for (std::size_t s = 0; s < map_->stations.size(); ++s) {
    const LivingStation& station = map_->stations[s];
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(station.parts.size()); ++i)
      if (flows(nth(station.parts, i))) order.push_back(i);
    std::ranges::stable_sort(
        order, [&](int a, int b) { return rank(nth(station.parts, a).kind) < rank(nth(station.parts, b).kind); });
    order_.push_back(std::move(order));
    weights_.emplace_back(station.parts.size());
    const bool has_heads =
        std::ranges::any_of(station.parts, [](const LivingPart& part) { return part.dense() && part.heads > 0; });
    if (plain && has_heads)
      for (std::size_t i = 0; i < station.parts.size(); ++i) {
        const LivingPart& part = station.parts[i];
        if (!part.dense() || part.heads <= 0) continue;
        const Tensor heads = head_weights(*map_, static_cast<int>(s), static_cast<int>(i));
        const Index pairs = static_cast<Index>(station.count) * part.columns;
        Tensor mean({static_cast<Index>(station.count), part.columns});
        mean.array() = 0;
        for (Index h = 0; h < part.heads; ++h)
          for (Index k = 0; k < pairs; ++k) mean.data()[k] += heads[h * pairs + k] / static_cast<Scalar>(part.heads);
        weights_.back()[i] = mean;
      }
    weighed_.push_back(std::ranges::any_of(weights_.back(), [](const Tensor& weights) { return weights.defined(); }));
    std::vector<double> scale(static_cast<std::size_t>(station.count));
    for (Index row = 0; row < station.count; ++row) {
      double sum = 0;
      for (const int part : order_.back()) {
        const LivingPart& each = nth(station.parts, part);
        const Scalar* values = row_of(static_cast<int>(s), part, row);
        for (Index k = 0; values && k < (each.dense() ? each.columns : 1); ++k)
          sum += std::max(0.0, static_cast<double>(values[k]));
      }
      nth(scale, row) = sum > 0 ? 1 / sum : 0;
    }
    scale_.push_back(std::move(scale));
  }
}

bool LivingStack::flows(const LivingPart& part) const { return part.kind != Part::bias && part.kind != Part::other; }

const Scalar* LivingStack::row_of(int station, int part, Index row) const {
  const LivingPart& each = nth(nth(map_->stations, station).parts, part);
  const Tensor& values = nth(weighed_, station) ? nth(nth(weights_, station), part) : each.share;
  return values.defined() ? values.data() + row * (each.dense() ? each.columns : 1) : nullptr;
}

StackPiece LivingStack::piece(int station, Index row, int part, Index column) const {
  // What is left out has its ends too: it can be asked for by another run, where it is not nothing.
  StackPiece found{part, column, ribbon_ends(*map_, {station, part, row, column, -1}).from, 0, 0};
  each(station, row, [&](const StackPiece& piece) {
    if (piece.part == part && piece.column == column) found = piece;
  });
  return found;
}

double flow_of(const LivingFlow& flow, const LivingShare& share) {
  const Tensor& part = nth(nth(flow.parts, share.station), share.part);
  if (!part.defined()) return 0;
  if (share.column < 0) return static_cast<double>(part[share.row]);
  return static_cast<double>(part[share.row * part.columns() + share.column]);
}

RibbonEnds ribbon_ends(const LivingMap& map, const LivingShare& share) {
  const LivingStation& station = nth(map.stations, share.station);
  const LivingPart& part = nth(station.parts, share.part);
  const int to = station.first + static_cast<int>(share.row);
  if (part.dense()) return {share.column < 0 ? -1 : part.first_column + static_cast<int>(share.column), to};
  return {part.from_lane.empty() ? to : nth(part.from_lane, share.row), to};
}

bool crosses(const LivingMap& map, const LivingStation& station, const LivingPart& part) {
  if (part.kind == Part::attention || part.kind == Part::tap) return true;
  if (part.kind == Part::carried || part.kind == Part::recurrent || part.kind == Part::written) return false;
  // What a decoder starts from, or is given at each step.
  return std::ranges::any_of(part.from_lane,
                             [&](int lane) { return lane >= 0 && nth(map.lanes, lane).side != station.side; });
}

std::vector<LivingShare> strongest_ribbons(const LivingMap& map, const LivingFlow& flow, std::size_t most,
                                           double least) {
  struct Found {
    double flow;
    LivingShare share;
  };
  std::vector<Found> found;
  for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
    const LivingStation& station = nth(map.stations, s);
    for (int i = 0; i < static_cast<int>(station.parts.size()); ++i) {
      const LivingPart& part = nth(station.parts, i);
      const Tensor& parts = nth(nth(flow.parts, s), i);
      if (!parts.defined()) continue;
      if (part.dense()) {
        for (Index k = 0; k < parts.size(); ++k)
          if (static_cast<double>(parts[k]) >= least)
            found.push_back({static_cast<double>(parts[k]), {s, i, k / part.columns, k % part.columns, -1}});
      } else if (crosses(map, station, part)) {
        for (Index row = 0; row < parts.size(); ++row)
          if (static_cast<double>(parts[row]) >= least)
            found.push_back({static_cast<double>(parts[row]), {s, i, row, -1, -1}});
      }
    }
  }
  const auto stronger = [](const Found& a, const Found& b) { return a.flow > b.flow; };
  if (found.size() > most) {
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end(), stronger);
    found.resize(most);
  }
  std::ranges::stable_sort(found, stronger);
  std::vector<LivingShare> shares;
  for (const Found& each : found) shares.push_back(each.share);
  return shares;
}

}  // namespace headlight
