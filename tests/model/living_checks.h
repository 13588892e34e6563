// What must hold of every living map: shares of each state add up to 1, the vectors behind them to the state itself,
// and the flow to 1 wherever the model is cut.
#pragma once

#include "model/analysis/living/map.h"
#include "tests/model/helpers.h"

namespace headlight::testing {

inline QString where(const LivingMap& map, std::size_t s, Index row) {
  return QString("station %1 (kind %2, layer %3), row %4")
      .arg(s)
      .arg(static_cast<int>(map.stations[s].kind))
      .arg(map.stations[s].layer)
      .arg(row);
}

inline QString shares_add_up(const LivingMap& map, double tolerance = 1e-4) {
  for (std::size_t s = 0; s < map.stations.size(); ++s) {
    const LivingStation& station = map.stations[s];
    for (const auto* parts : {&station.parts, &station.candidate}) {
      if (parts->empty()) continue;
      for (Index row = 0; row < station.count; ++row) {
        double sum = 0;
        for (const LivingPart& part : *parts) {
          if (part.kind == LivingPart::Kind::other) return "something is missing: " + where(map, s, row);
          sum += part.total(row);
        }
        if (!(std::abs(sum - 1) <= tolerance))
          return QString("%1: shares add up to %2").arg(where(map, s, row)).arg(sum);
      }
    }
  }
  return {};
}

// The vectors of the parts, from values and weights, add up to the state that the run published.
inline QString vectors_add_up(const LivingMap& map) {
  for (std::size_t s = 0; s < map.stations.size(); ++s) {
    const LivingStation& station = map.stations[s];
    if (station.parts.empty()) continue;
    for (const Index row : {Index{0}, static_cast<Index>(station.count / 2), static_cast<Index>(station.count - 1)}) {
      const Tensor state = state_vector(map, static_cast<int>(s), row);
      std::vector<double> sum(static_cast<std::size_t>(state.size()), 0);
      double size = 0;
      for (std::size_t p = 0; p < station.parts.size(); ++p) {
        const Tensor q = part_vector(map, {static_cast<int>(s), static_cast<int>(p), row});
        if (q.size() != state.size()) return where(map, s, row) + ": a part has another size";
        double of_part = 0;
        for (Index i = 0; i < q.size(); ++i) {
          sum[static_cast<std::size_t>(i)] += static_cast<double>(q[i]);
          of_part += static_cast<double>(q[i]) * static_cast<double>(state[i]);
        }
        // The share that was stored is the one of this vector.
        double whole = 0;
        for (Index i = 0; i < q.size(); ++i) whole += static_cast<double>(state[i]) * static_cast<double>(state[i]);
        if (whole > 0 &&
            std::abs(of_part / whole - station.parts[p].total(row)) > 1e-3 * (1 + std::abs(of_part / whole)))
          return QString("%1, part %2: share %3, by its vector %4")
              .arg(where(map, s, row))
              .arg(p)
              .arg(station.parts[p].total(row))
              .arg(of_part / whole);
      }
      for (Index i = 0; i < state.size(); ++i) size = std::max(size, std::abs(static_cast<double>(state[i])));
      for (Index i = 0; i < state.size(); ++i)
        if (std::abs(sum[static_cast<std::size_t>(i)] - static_cast<double>(state[i])) > 1e-3 * size + 1e-5)
          return QString("%1: unit %2 is %3, its parts %4")
              .arg(where(map, s, row))
              .arg(i)
              .arg(static_cast<double>(state[i]))
              .arg(sum[static_cast<std::size_t>(i)]);
    }
  }
  return {};
}

// The parts of a readout are those of the score of the written token above the mean score, which the run published.
inline QString scores_are_the_logits(const LivingMap& map) {
  const LivingStation& last = map.stations.back();
  if (last.kind != LivingStation::Kind::readout) return {};
  for (Index row = 0; row < last.count; ++row) {
    const LivingPlace& place = last.places[static_cast<std::size_t>(row)];
    const Tensor& logits = (*map.result->trace)[place.entry].value;
    const double mean = logits.array().cast<double>().mean(), most = logits.array().abs().maxCoeff();
    const double expected = static_cast<double>(logits[place.first]) - mean;
    const double found = static_cast<double>(state_vector(map, map.output_station(), row)[0]);
    if (!(std::abs(found - expected) <= 1e-4 * (1 + most)))
      return QString("step %1: score %2, by the logits %3").arg(row).arg(found).arg(expected);
  }
  return {};
}

inline QString flow_adds_up(const LivingMap& map, const LivingFlow& flow) {
  double sum = flow.rest;
  for (const double origin : flow.origin) {
    if (!(origin >= 0)) return "a word brought less than nothing";
    sum += origin;
  }
  if (!(std::abs(sum - 1) <= 1e-5)) return QString("words brought %1 in all").arg(sum);
  for (std::size_t s = 0; s < map.stations.size(); ++s)
    if (!(std::abs(flow.totals[s] - 1) <= 1e-5)) return QString("at station %1 runs %2").arg(s).arg(flow.totals[s]);
  // What enters a lane leaves it: by its parts.
  for (std::size_t s = 0; s < map.stations.size(); ++s) {
    const LivingStation& station = map.stations[s];
    if (station.parts.empty()) continue;
    for (Index row = 0; row < station.count; ++row) {
      double out = 0;
      for (std::size_t p = 0; p < station.parts.size(); ++p) {
        const Index width = station.parts[p].dense() ? station.parts[p].columns : 1;
        for (Index k = 0; k < width; ++k) out += static_cast<double>(flow.parts[s][p][row * width + k]);
      }
      if (!(std::abs(out - flow.at[s][static_cast<std::size_t>(row)]) <= 1e-5) && flow.rest == 0)
        return QString("%1: %2 comes, %3 goes")
            .arg(where(map, s, row))
            .arg(flow.at[s][static_cast<std::size_t>(row)])
            .arg(out);
    }
  }
  return {};
}

inline QString everything_adds_up(const LivingMap& map) {
  if (const QString said = shares_add_up(map); !said.isEmpty()) return said;
  if (const QString said = vectors_add_up(map); !said.isEmpty()) return said;
  if (const QString said = scores_are_the_logits(map); !said.isEmpty()) return said;
  const LivingStation& last = map.stations.back();
  for (const int row : {0, last.count / 2, last.count - 1}) {
    const LivingFlow flow = living_flow(map, {last.first + row, -1});
    if (const QString said = flow_adds_up(map, flow); !said.isEmpty()) return QString("output %1: ").arg(row) + said;
    int percent = 0;
    for (const LivingOrigin& origin : living_origins(map, flow)) percent += origin.percent;
    if (percent != 100) return QString("output %1: %2 % in all").arg(row).arg(percent);
  }
  return {};
}

}  // namespace headlight::testing
