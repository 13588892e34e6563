// Machines with a memory: time runs down. The controller is a river, each slot of the memory a canal beside it, as wide
// as what it holds is large: the one place where width is a size. What is written comes from the left, what is read
// leaves to the right.
#include <algorithm>
#include <cmath>

#include "widgets/views/living/scene/scene.h"

namespace headlight {

namespace {

using Kind = LivingStation::Kind;
using Side = LivingLane::Side;
using Part = LivingPart::Kind;

constexpr double kSlotLetters = 40, kSlotRiver = 34, kGap = 30;
constexpr double kMostLine = 8;       // pixels: of the lines of what is written and read
constexpr double kLeastShare = 0.03;  // of what is written to a slot, or read from it, to have a line

int controller(const LivingMap& map) {
  for (int s = 0; s < static_cast<int>(map.stations.size()); ++s)
    if (nth(map.stations, s).kind == Kind::cell) return s;
  return -1;
}

double rms(const LivingMap& map, const LivingStation& station, int slot) {
  const auto row = static_cast<std::size_t>(slot);
  const Scalar* values = nullptr;
  if (row < station.places.size() && station.places[row].entry >= 0)
    values = (*map.result->trace)[station.places[row].entry].value.data() + station.places[row].first;
  else if (station.own.defined())
    values = station.own.data() + static_cast<Index>(slot) * station.units;
  double sum = 0;
  for (Index k = 0; values && k < station.units; ++k)
    sum += static_cast<double>(values[k]) * static_cast<double>(values[k]);
  return std::sqrt(sum / static_cast<double>(std::max<Index>(1, station.units)));
}

class Memory : public LivingPlan {
 public:
  LivingLayout arrange(const LivingMap& map, const LivingMetrics& m) const override {
    LivingLayout layout;
    layout.metrics = m;
    layout.beds = false;
    layout.rows.resize(map.lanes.size());
    layout.stops.resize(map.stations.size());
    put_footer(layout);
    layout.next_x = m.view.width() - next_width(m);
    const double left = std::round(kMargin + m.names + std::max(kPercent, 3.6 * m.small) + 6),
                 right = layout.next_x - 14;
    const double next = below_corner(m, 2 + m.line);
    const double top = std::ceil(std::max(m.line + m.small + 10, next + m.small + 3)),
                 width = std::round(std::max(160.0, right - left));
    layout.body = {left, top, width, m.view.height() - top - footer_height(m) - 2};
    const double depth = m.camera.depth;
    const int moments = map.range(Side::source).second + map.range(Side::target).second;
    const double pitch = layout.body.height() * m.camera.lanes / std::max(1, moments);
    int moment = 0;
    for (std::size_t i = 0; i < map.lanes.size(); ++i) {
      if (map.lanes[i].side == Side::memory) continue;
      LivingRow& row = layout.rows[i];
      row.pitch = pitch;
      row.y = top + pitch * (moment++ + 0.5);
      row.bed = std::max(0.8, 0.62 * pitch);
      row.x0 = left;
      row.x1 = left + width * depth;
      row.name_right = kMargin + m.names;
      row.has_next = map.lanes[i].side == Side::target;
      row.named = map.lanes[i].side == Side::source;
    }
    const int cell = controller(map);
    if (cell >= 0)
      nth(layout.stops, cell) = {std::round(left + kSlotLetters * depth),
                                 std::round(left + (kSlotLetters + kSlotRiver) * depth),
                                 std::round(left + width * depth), true, true};
    layout.states = {std::round(left + (kSlotLetters + kSlotRiver + kGap) * depth),
                     std::round(left + (width - kGap / 2) * depth)};
    layout.titles.push_back(
        {LivingTitle::What::text, -1, -1, {kMargin, 2, left - kMargin - 8, m.line + m.small + 2}, true});
    int memory = -1;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s)
      if (nth(map.stations, s).kind == Kind::memory) memory = s;
    const double river = left + (kSlotLetters - 26) * depth,
                 beside = std::max(layout.states.first + 24, river + 5.6 * m.line);
    layout.titles.push_back(
        {LivingTitle::What::controller, -1, cell, {river, 2, beside - river - 8, m.line + m.small + 2}});
    layout.titles.push_back(
        {LivingTitle::What::memory, -1, memory, {beside, 2, layout.states.second - beside, m.line + m.small + 2}});
    layout.titles.push_back(
        {LivingTitle::What::next, -1, -1, {layout.next_x, next, m.view.width() - layout.next_x, m.small}, true});
    return layout;
  }

  // What is written goes from the controller to its canal, what is read from the canal to the right.
  Band band(const LivingMap& map, const LivingLayout& layout, int s, Index row,
            const StackPiece& piece) const override {
    const LivingStation& station = nth(map.stations, s);
    if (station.kind == Kind::memory) {
      const LivingRow& at = nth(layout.rows, station.moment);
      const double size = std::min(kMostLine, 0.3 * at.pitch) * piece.size, y = at.y - 0.2 * at.pitch;
      return {stop_of_controller(map, layout), y, size, slot_x(map, layout, static_cast<int>(row)), y, size};
    }
    const LivingRow& at = nth(layout.rows, station.first + static_cast<int>(row));
    if (station.kind == Kind::read && piece.column >= 0) {
      const double size = std::min(kMostLine, 0.3 * at.pitch) * piece.size, y = at.y + 0.2 * at.pitch;
      return {slot_x(map, layout, static_cast<int>(piece.column)), y, size, at.x1, y, size};
    }
    return {at.x0, at.y, at.bed, at.x1, at.y, at.bed};
  }

  // Of the controller in its step of the river; of the memory below what is written, each slot under its canal.
  QRectF inside(const LivingMap& map, const LivingLayout& layout, int s, Index row) const override {
    const LivingStation& station = nth(map.stations, s);
    const LivingStop& stop = nth(layout.stops, s);
    const bool memory = station.kind == Kind::memory;
    const int lane = memory ? static_cast<int>(station.moment) : station.first + static_cast<int>(row);
    if ((!memory && station.kind != Kind::cell) || lane < 0 || lane >= static_cast<int>(layout.rows.size())) return {};
    const LivingRow& at = nth(layout.rows, lane);
    if (at.bed <= 0) return {};
    if (!memory) {
      const double wide = stop.x1 - stop.x0;
      return {stop.x0 + 0.05 * wide, at.y - 0.42 * at.pitch, 0.9 * wide, 0.84 * at.pitch};
    }
    if (station.layer > 0) return {};  // all heads stand in the card of the first one
    const double before = 0.8 * (layout.states.first - stop_of_controller(map, layout));
    return {layout.states.first - before, at.y - 0.1 * at.pitch, layout.states.second - layout.states.first + before,
            0.58 * at.pitch};
  }

  bool rivers(const LivingScene& scene, int wanted, std::vector<RiverStep>* steps,
              std::vector<LaneBand>* bands) const override {
    add_controller(scene, wanted, steps, bands);
    add_canals(scene, wanted, steps, bands);
    add_reads(scene, wanted, bands);
    return true;
  }

 private:
  static double stop_of_controller(const LivingMap& map, const LivingLayout& layout) {
    const int cell = controller(map);
    return cell >= 0 ? nth(layout.stops, cell).x1 : layout.body.left();
  }

  static double slot_width(const LivingMap& map, const LivingLayout& layout) {
    return (layout.states.second - layout.states.first) / std::max(1, map.range(Side::memory).second);
  }
  static double slot_x(const LivingMap& map, const LivingLayout& layout, int slot) {
    return layout.states.first + slot_width(map, layout) * (slot + 0.5);
  }

  static void add_controller(const LivingScene& scene, int wanted, std::vector<RiverStep>* steps,
                             std::vector<LaneBand>* bands) {
    const int s = controller(*scene.map);
    if (s < 0) return;
    const LivingStation& station = nth(scene.map->stations, s);
    const LivingStop& stop = nth(scene.layout.stops, s);
    for (int row = 0; row < station.count; ++row) {
      const int lane = station.first + row;
      const LivingRow& at = nth(scene.layout.rows, lane);
      if ((wanted >= 0 && lane != wanted) || at.bed <= 0) continue;
      RiverStep step;
      const double top = std::round(at.y - at.pitch / 2), bottom = std::round(at.y + at.pitch / 2);
      step.rect = {stop.x0, top, stop.x1 - stop.x0, bottom - top};
      step.station = s;
      step.lane = lane;
      step.before = row > 0 ? scene.at(s, lane - 1) : 0;
      step.after = scene.at(s, lane);
      const int written = station.part(Part::written);
      if (written >= 0) {
        step.wrote = scene.flow_of({s, written, row, -1, -1});
        step.written = scene.stack->piece(s, row, written, -1).size;
      }
      steps->push_back(step);
      if (at.named) {
        const double token = scene.at(scene.map->embedding(Side::source), lane);
        bands->push_back({{scene.layout.body.left(), at.y, 3, stop.x0, at.y, 3}, token, token, 1, s, lane, true});
      }
    }
  }

  static void add_canals(const LivingScene& scene, int wanted, std::vector<RiverStep>* steps,
                         std::vector<LaneBand>* bands) {
    const LivingMap& map = *scene.map;
    const double room = slot_width(map, scene.layout);
    double largest = 1e-9;
    for (const LivingStation& station : map.stations)
      if (station.kind == Kind::memory)
        for (int n = 0; n < station.count; ++n) largest = std::max(largest, rms(map, station, n));
    int before = -1;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = nth(map.stations, s);
      if (station.kind != Kind::memory) continue;
      const int last = before;
      before = s;
      const auto lane = static_cast<int>(station.moment);
      if (lane < 0 || lane >= static_cast<int>(map.lanes.size()) || (wanted >= 0 && lane != wanted)) continue;
      const LivingRow& at = nth(scene.layout.rows, lane);
      if (at.bed <= 0) continue;
      const int written = station.part(Part::written);
      for (int n = 0; n < station.count; ++n) {
        const double x = slot_x(map, scene.layout, n),
                     wide = std::max(0.8, (room - 2) * rms(map, station, n) / largest);
        RiverStep step;
        const double top = std::round(at.y - at.pitch / 2), bottom = std::round(at.y + at.pitch / 2);
        step.rect = {x - wide / 2, top, wide, bottom - top};
        step.station = s;
        step.lane = lane;
        step.before = last >= 0 ? scene.at(last, station.first + n) : 0;
        step.after = scene.at(s, station.first + n);
        // Its line says what is written.
        if (written >= 0) {
          const LivingShare share{s, written, n, -1, -1};
          const StackPiece piece = scene.stack->piece(s, n, written, -1);
          step.wrote = scene.flow_of(share);
          if (piece.size > kLeastShare && wide > 1.5)
            bands->push_back(
                {scene.plan->band(map, scene.layout, s, n, piece), step.wrote, step.wrote, 1, s, lane, true, share});
        }
        steps->push_back(step);
      }
    }
  }

  static void add_reads(const LivingScene& scene, int wanted, std::vector<LaneBand>* bands) {
    const LivingMap& map = *scene.map;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = nth(map.stations, s);
      if (station.kind != Kind::read) continue;
      for (int row = 0; row < station.count; ++row) {
        const int lane = station.first + row;
        const LivingRow& at = nth(scene.layout.rows, lane);
        if (!at.has_next || (wanted >= 0 && lane != wanted)) continue;
        scene.stack->each(s, row, [&](const StackPiece& piece) {
          if (piece.column < 0 || piece.size < kLeastShare) return;
          const LivingShare share{s, piece.part, row, piece.column, -1};
          const double through = scene.flow_of(share);
          bands->push_back(
              {scene.plan->band(map, scene.layout, s, row, piece), through, through, 1, s, lane, true, share});
        });
      }
    }
  }
};

const Memory kMemory;

}  // namespace

const LivingPlan& kMemoryPlan = kMemory;

}  // namespace headlight
