// Recurrent models: the text stands at the left, its cells run along it as rivers in the direction of reading, with
// their states beside them as real numbers; from these ribbons lead to what decides each output, beside the river of
// the decoder, which runs down.
#include <algorithm>
#include <cmath>

#include "widgets/views/living/scene/scene.h"

namespace headlight {

namespace {

using Kind = LivingStation::Kind;
using Side = LivingLane::Side;
using Part = LivingPart::Kind;

constexpr double kLetters = 41, kRiver = 34, kBetween = 22, kToStates = 29, kStates = 188, kAttention = 224, kBar = 12,
                 kToStrips = 13, kStrips = 82;
constexpr double kMostBar = 34;

bool flows(const LivingStation& station) { return station.kind == Kind::cell; }

int carried_part(const LivingStation& station) {
  for (const Part kind : {Part::carried, Part::recurrent})
    if (const int part = station.part(kind); part >= 0) return part;
  return -1;
}

// The states that are shown and looked at: the last of the source.
int last_states(const LivingMap& map) {
  int found = -1;
  for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
    const LivingStation& station = nth(map.stations, s);
    if (station.side == Side::source && station.kind != Kind::embedding && station.kind != Kind::start &&
        station.count == map.range(Side::source).second)
      found = s;
  }
  return found;
}

class Recurrent : public LivingPlan {
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
                 right = layout.next_x - 16;
    const double next = below_corner(m, 2 + m.line);
    const double top = std::ceil(std::max(m.line + m.small + 30, next + m.small + 3));
    const double width = std::round(std::max(200.0, right - left));
    layout.body = {left, top, width, m.view.height() - top - footer_height(m) - 2};
    layout.titles.push_back(
        {LivingTitle::What::text, -1, -1, {kMargin, 2, left - kMargin - 8, m.line + m.small + 2}, true});
    put_columns(map, layout, left, width * m.camera.depth);
    put_rows(map, layout);
    layout.titles.push_back(
        {LivingTitle::What::next, -1, -1, {layout.next_x, next, m.view.width() - layout.next_x, m.small}, true});
    return layout;
  }

  Band band(const LivingMap& map, const LivingLayout& layout, int s, Index row,
            const StackPiece& piece) const override {
    const LivingStation& station = nth(map.stations, s);
    const LivingStop& stop = nth(layout.stops, s);
    const LivingRow& to = nth(layout.rows, station.first + static_cast<int>(row));
    double high = to.bed, top = to.y - to.bed / 2;
    if (station.kind == Kind::start) {  // into the beginning of the river
      high = 8;
      top = to.y - to.pitch / 2;
    } else if (station.kind == Kind::context && has_readout_ribbons(map)) {
      high = to.bed / 3;
      top = to.y - to.bed / 2 - high - 1;
    }
    const double wide = high * piece.size, middle = top + high * piece.top + wide / 2;
    if (piece.from < 0) return {stop.x0, middle, wide, stop.x1, middle, wide};
    const LivingRow& from = nth(layout.rows, piece.from);
    const double most = from.bed > 0 ? from.bed : wide;
    return {stop.x0, from.y, std::min(wide, most), stop.x1, middle, wide};
  }

  bool rivers(const LivingScene& scene, int wanted, std::vector<RiverStep>* steps,
              std::vector<LaneBand>* bands) const override {
    const LivingMap& map = *scene.map;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = nth(map.stations, s);
      if (!flows(station)) continue;
      for (int row = 0; row < station.count; ++row)
        if (wanted < 0 || station.first + row == wanted) add_step(scene, s, row, steps);
      add_inflow(scene, s, wanted, bands);
    }
    add_bars(scene, wanted, bands);
    add_taps(scene, wanted, bands);
    return true;
  }

  // In its step of the river; what was looked up stands in front of the bar.
  QRectF inside(const LivingMap& map, const LivingLayout& layout, int s, Index row) const override {
    const LivingStation& station = nth(map.stations, s);
    const LivingStop& stop = nth(layout.stops, s);
    const LivingRow& at = nth(layout.rows, station.first + static_cast<int>(row));
    if (at.bed <= 0) return {};
    if (flows(station) && stop.shown) {
      const double wide = stop.x1 - stop.x0;
      return {stop.x0 + 0.05 * wide, at.y - 0.42 * at.pitch, 0.9 * wide, 0.84 * at.pitch};
    }
    if (station.kind != Kind::context || station.side != Side::target) return {};
    const double wide = layout.bars - layout.states.second;
    return {layout.bars - 0.5 * wide, at.y - 0.42 * at.pitch, 0.46 * wide, 0.84 * at.pitch};
  }

 private:
  static bool has_readout_ribbons(const LivingMap& map) {
    const auto& parts = map.stations.back().parts;
    return std::ranges::any_of(parts, [](const LivingPart& part) { return part.dense(); });
  }

  static void put_columns(const LivingMap& map, LivingLayout& layout, double left, double width) {
    const LivingMetrics& m = layout.metrics;
    int reads = 0, writes = 0;
    for (const LivingStation& station : map.stations)
      if (flows(station)) ++(station.side == Side::source ? reads : writes);
    const double all = kLetters + kRiver * reads + kBetween * std::max(0, reads - 1) + kToStates + kStates +
                       kAttention + kBar + kRiver * writes + kBetween * std::max(0, writes - 1) + kToStrips + kStrips;
    const double unit = width / all;
    const auto at = [&](double units) { return std::round(left + units * unit); };
    double x = kLetters, first_writer = -1;
    const double states = kLetters + kRiver * reads + kBetween * std::max(0, reads - 1) + kToStates;
    const double bars = states + kStates + kAttention;
    bool titled[2] = {false, false};
    for (int pass = 0; pass < 2; ++pass) {
      if (pass == 1) x = bars + kBar;
      for (std::size_t s = 0; s < map.stations.size(); ++s) {
        const LivingStation& station = map.stations[s];
        if (!flows(station) || (station.side == Side::source) != (pass == 0)) continue;
        layout.stops[s] = {at(x), at(x + kRiver), at(x + kRiver + kBetween), true, true};
        if (pass == 1 && first_writer < 0) first_writer = x;
        if (!titled[pass]) {
          titled[pass] = true;
          layout.titles.push_back({pass == 0 ? LivingTitle::What::encoder : LivingTitle::What::decoder,
                                   -1,
                                   static_cast<int>(s),
                                   {at(x) - (pass == 0 ? 18 : 0), 2, 110 * unit + 30, m.line + m.small + 2}});
        }
        x += kRiver + kBetween;
      }
    }
    for (std::size_t s = 0; s < map.stations.size(); ++s) {
      const LivingStation& station = map.stations[s];
      const bool ribbons =
          std::ranges::any_of(station.parts, [&](const LivingPart& part) { return crosses(map, station, part); });
      if (!ribbons || flows(station)) continue;
      const double end = station.kind == Kind::start && first_writer >= 0 ? first_writer : bars;
      layout.stops[s] = {at(states + kStates), at(end), at(end), true, false};
    }
    layout.titles.push_back(
        {LivingTitle::What::states, -1, last_states(map), {at(states), 2, kStates * unit, m.line + m.small + 2}});
    layout.titles.push_back({LivingTitle::What::attention,
                             -1,
                             -1,
                             {at(states + kStates + 12), 2, (kAttention - 12) * unit, m.line + m.small + 2}});
    layout.states = {at(states), at(states + kStates)};
    layout.beside = {at(x - kBetween + kToStrips), at(x - kBetween + kToStrips + kStrips)};
    layout.titles.push_back(
        {LivingTitle::What::beside,
         -1,
         -1,
         {layout.beside.first, 2 + m.line, layout.beside.second - layout.beside.first + 8, m.small}});
    layout.bars = at(bars);
  }

  static void put_rows(const LivingMap& map, LivingLayout& layout) {
    const LivingMetrics& m = layout.metrics;
    const auto source = map.range(Side::source), target = map.range(Side::target);
    const double high = layout.body.height() * m.camera.lanes, top = layout.body.top();
    // Blanks behind the text are one lane.
    int blanks = 0, first_blank = -1;
    for (int i = 0; i < source.second; ++i)
      if (nth(map.lanes, source.first + i).padding && first_blank < 0) first_blank = i;
    if (first_blank >= 0) blanks = source.second - first_blank;
    const int shown = source.second - std::max(0, blanks - 1);
    const double pitch = high / std::max(1, shown), step = high / std::max(1, target.second);
    const int states = last_states(map);
    for (int i = 0; i < source.second; ++i) {
      LivingRow& row = nth(layout.rows, source.first + i);
      const int at = std::min(i, shown - 1);
      row.pitch = pitch;
      row.y = top + pitch * (at + 0.5);
      row.bed = i == at ? std::max(0.8, pitch > 16 ? pitch - 8 : pitch * 0.7) : 0;
      row.x0 = layout.body.left();
      row.x1 = layout.states.second;
      row.name_right = kMargin + m.names;
      row.folded = i == at && i == first_blank ? std::max(1, blanks) : 1;
      if (row.bed > 0 && states >= 0)
        layout.strips.push_back(
            {{layout.states.first, row.y - row.bed / 2, layout.states.second - layout.states.first, row.bed},
             states,
             source.first + i});
    }
    int context = -1, cell = -1;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = nth(map.stations, s);
      if (station.side != Side::target || station.count != target.second) continue;
      if (station.kind == Kind::context) context = s;
      if (station.kind == Kind::cell) cell = s;
    }
    for (int i = 0; i < target.second; ++i) {
      const int lane = target.first + i;
      LivingRow& row = nth(layout.rows, lane);
      row.pitch = step;
      row.y = top + step * (i + 0.5);
      row.bed = std::min(kMostBar * std::max(1.0, m.camera.lanes), 0.62 * step);
      row.x0 = layout.bars;
      row.x1 = layout.next_x + layout.metrics.camera.scroll.x() - 16;
      row.named = false;
      row.has_next = true;
      const double half = (context >= 0 && cell >= 0) ? row.bed / 2 - 1 : row.bed;
      const double wide = layout.beside.second - layout.beside.first;
      if (half < 2) continue;
      if (context >= 0)
        layout.strips.push_back({{layout.beside.first, row.y - row.bed / 2, wide, half}, context, lane});
      if (cell >= 0)
        layout.strips.push_back({{layout.beside.first, row.y + row.bed / 2 - half, wide, half}, cell, lane});
    }
  }

  static void add_step(const LivingScene& scene, int s, int row, std::vector<RiverStep>* steps) {
    const LivingStation& station = nth(scene.map->stations, s);
    const LivingStop& stop = nth(scene.layout.stops, s);
    const int lane = station.first + row;
    const LivingRow& at = nth(scene.layout.rows, lane);
    if (at.bed <= 0) return;
    RiverStep step;
    // Whole pixels: no seams between steps.
    const double top = std::round(at.y - at.pitch / 2), bottom = std::round(at.y + at.pitch / 2);
    step.rect = {stop.x0, top, stop.x1 - stop.x0, bottom - top};
    step.up = runs_up(station);
    step.station = s;
    step.lane = lane;
    step.after = scene.at(s, lane);
    const int carried = carried_part(station);
    for (int i = 0; i < static_cast<int>(station.parts.size()); ++i) {
      const LivingPart& part = nth(station.parts, i);
      if (i == carried) {
        const int from = part.from_lane.empty() ? -1 : nth(part.from_lane, row);
        if (from >= 0) step.before = std::max(step.before, scene.at(part.station(row), from));
      } else if (part.kind == Part::start) {
        step.before = std::max(step.before, scene.flow_of({s, i, row, -1, -1}));
      } else if (part.kind != Part::bias && part.kind != Part::other && !part.dense()) {
        step.wrote += scene.flow_of({s, i, row, -1, -1});
      }
    }
    scene.stack->each(s, row, [&](const StackPiece& piece) {
      const Part kind = nth(station.parts, piece.part).kind;
      if (piece.part != carried && kind != Part::start) step.written += piece.size;
    });
    if (at.folded > 1) {  // all of them together
      step.written = 1;
      step.before = 0;
    }
    steps->push_back(step);
  }

  // From the letters, or the river before, into a river.
  static void add_inflow(const LivingScene& scene, int s, int wanted, std::vector<LaneBand>* bands) {
    const LivingStation& station = nth(scene.map->stations, s);
    const LivingLayout& layout = scene.layout;
    const LivingStop& stop = nth(layout.stops, s);
    // Both directions of a layer are given the same: it passes below the river of the other one.
    double from = -1;
    std::vector<std::pair<double, double>> passed;
    for (std::size_t o = 0; o < scene.map->stations.size(); ++o) {
      const LivingStation& other = scene.map->stations[o];
      if (!layout.stops[o].upright || other.side != station.side || layout.stops[o].x1 >= stop.x0) continue;
      if (other.layer == station.layer && other.direction != station.direction)
        passed.emplace_back(layout.stops[o].x0, layout.stops[o].x1);
      else
        from = std::max(from, layout.stops[o].x1);
    }
    if (from < 0 && station.side == Side::source) from = layout.body.left();
    if (from < 0) return;
    const double lower = passed.empty() ? 0 : 0.25;  // of its row: beside what the other one is given
    for (int row = 0; row < station.count; ++row) {
      const int lane = station.first + row;
      const LivingRow& at = nth(layout.rows, lane);
      if (at.bed <= 0 || (wanted >= 0 && lane != wanted)) continue;
      double share = 0, through = 0;
      for (std::size_t i = 0; i < station.candidate.size(); ++i) {
        const Part kind = station.candidate[i].kind;
        if (kind == Part::recurrent || kind == Part::bias || kind == Part::other ||
            !station.candidate[i].share.defined())
          continue;
        share += std::max(0.0, static_cast<double>(station.candidate[i].share[row]));
        if (!scene.flow) continue;
        const Tensor& flow = nth(scene.flow->candidate, s)[i];
        for (int other = 0; other < at.folded && flow.defined(); ++other)
          through += static_cast<double>(flow[row + other]);
      }
      const double wide = std::max(1.2, std::min(0.5 * at.bed, 16.0) * std::min(1.0, share));
      double x = from;
      const double y = at.y + lower * at.bed;
      for (const auto& [left, right] : passed) {
        if (left > x) bands->push_back({{x, y, wide, left, y, wide}, through, through, 1, s, lane, true});
        x = std::max(x, right);
      }
      bands->push_back({{x, y, wide, stop.x0, y, wide}, through, through, 1, s, lane, true});
    }
  }

  // What decides an output: ribbons end in a bar, with the state of the decoder below them.
  static void add_bars(const LivingScene& scene, int wanted, std::vector<LaneBand>* bands) {
    const LivingMap& map = *scene.map;
    const int last = map.output_station();
    const LivingStation& station = nth(map.stations, last);
    const double bar = scene.layout.bars;
    double river = bar + kBar;
    for (std::size_t s = 0; s < map.stations.size(); ++s)
      if (scene.layout.stops[s].upright && map.stations[s].side == Side::target) {
        river = scene.layout.stops[s].x0;
        break;
      }
    for (int row = 0; row < station.count; ++row) {
      const int lane = station.first + row;
      const LivingRow& at = nth(scene.layout.rows, lane);
      if ((wanted >= 0 && lane != wanted) || at.bed <= 0) continue;
      scene.stack->each(last, row, [&](const StackPiece& piece) {
        const double wide = at.bed * piece.size, y = at.y - at.bed / 2 + at.bed * piece.top + wide / 2;
        if (wide < 0.2) return;
        const double through = scene.flow_of({last, piece.part, row, piece.column, -1});
        const bool own = piece.column < 0;
        bands->push_back(
            {{bar, y, wide, own ? river : bar + kBar * 0.8, y, wide}, through, through, 1, last, lane, true});
      });
    }
  }

  // From the rivers to the states that are looked at: of two directions each to its half.
  static void add_taps(const LivingScene& scene, int wanted, std::vector<LaneBand>* bands) {
    const LivingMap& map = *scene.map;
    const auto source = map.range(Side::source);
    const int states = last_states(map);
    if (states < 0) return;
    std::vector<int> rivers;  // of the last layer
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      if (!nth(scene.layout.stops, s).upright || nth(map.stations, s).side != Side::source) continue;
      if (!rivers.empty() && nth(map.stations, rivers.front()).layer != nth(map.stations, s).layer) rivers.clear();
      rivers.push_back(s);
    }
    if (rivers.empty()) return;
    const std::vector<double> taken = taken_from(scene, source);
    const auto halves = static_cast<double>(rivers.size());
    for (int i = 0; i < source.second; ++i) {
      const int lane = source.first + i;
      const LivingRow& at = nth(scene.layout.rows, lane);
      if (at.bed <= 0 || (wanted >= 0 && lane != wanted)) continue;
      double through = 0;
      for (int other = 0; other < at.folded; ++other) through += nth(taken, i + other);
      for (std::size_t r = 0; r < rivers.size(); ++r) {
        // How much of it was that direction's.
        double own = through;
        if (rivers.size() > 1 && scene.flow) {
          double all = 0, mine = 0;
          const LivingStation& station = nth(map.stations, states);
          for (int p = 0; p < static_cast<int>(station.parts.size()); ++p) {
            if (nth(station.parts, p).kind != Part::state) continue;
            const double part = scene.flow_of({states, p, i, -1, -1});
            all += part;
            if (nth(station.parts, p).from == rivers[r]) mine += part;
          }
          own = all > 0 ? through * mine / all : 0;
        }
        const double high = at.bed / halves, middle = at.y - at.bed / 2 + high * (static_cast<double>(r) + 0.5);
        const bool strong = own >= 0.01;
        const double wide = strong ? high * std::max(std::min(1.0, own), 0.1) : std::min(4.0, high);
        const double to = strong ? high : wide;
        const double begin = nth(scene.layout.stops, rivers[r]).x1;
        const double end = scene.layout.states.first;
        double x = begin;
        for (std::size_t o = r + 1; o < rivers.size(); ++o) {  // below the rivers in between
          const LivingStop& other = nth(scene.layout.stops, rivers[o]);
          bands->push_back({{x, middle, wide, other.x0, middle, wide}, own, own, 1, states, lane, false});
          x = other.x1;
        }
        bands->push_back({{x, middle, wide, end, middle, to}, own, own, 1, states, lane, false});
      }
    }
  }

  // What decoder and attention take of each state of the source, of the output.
  static std::vector<double> taken_from(const LivingScene& scene, std::pair<int, int> source) {
    const LivingMap& map = *scene.map;
    std::vector<double> taken(static_cast<std::size_t>(source.second));
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = nth(map.stations, s);
      if (station.side != Side::target) continue;
      for (int i = 0; i < static_cast<int>(station.parts.size()); ++i) {
        const LivingPart& part = nth(station.parts, i);
        if (!scene.flow || !crosses(map, station, part)) continue;
        for (Index row = 0; row < station.count; ++row)
          for (Index k = 0; k < (part.dense() ? part.columns : 1); ++k) {
            const LivingShare share{s, i, row, part.dense() ? k : -1, -1};
            const int lane = ribbon_ends(map, share).from;
            if (lane >= source.first && lane < source.first + source.second)
              nth(taken, lane - source.first) += scene.flow_of(share);
          }
      }
    }
    return taken;
  }
};

const Recurrent kRecurrent;

}  // namespace

const LivingPlan& kRecurrentPlan = kRecurrent;

bool runs_up(const LivingStation& station) {
  const int part = carried_part(station);
  if (part < 0 || station.count < 2) return false;
  const std::vector<int>& from = nth(station.parts, part).from_lane;
  return !from.empty() && from.front() == station.first + 1;
}

}  // namespace headlight
