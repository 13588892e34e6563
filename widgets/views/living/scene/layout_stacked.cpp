// Transformers and convolutions: lanes from left to right, layer by layer. Where a text is read and another one
// written, the lanes of the source stand on top and run on over the decoder, whose lanes stand below at the right.
#include <algorithm>
#include <cmath>

#include "widgets/views/living/scene/layout.h"

namespace headlight {

namespace {

using Kind = LivingStation::Kind;
using Side = LivingLane::Side;

constexpr double kLead = 24, kAttentionWide = 225, kSelf = 100, kCross = 130, kMlp = 78, kFlat = 12, kAfter = 14;
constexpr double kSlotGap = 4, kWritten = 12;
constexpr double kBed = 0.66;
constexpr double kThumb = 54, kLeastThumb = 20;
constexpr double kLeastExperts = 3, kMostExperts = 12;  // heights of a strip

bool mixes(Kind kind) { return kind == Kind::attention || kind == Kind::cross || kind == Kind::convolution; }

// Units of depth of a station.
double length(const LivingStation& station, bool two) {
  if (station.kind == Kind::cross) return kCross;
  if (mixes(station.kind)) return two ? kSelf : kAttentionWide;
  if (station.kind == Kind::mlp) return kMlp + kFlat + kAfter;
  return 0;
}

// Lanes of a side below each other from `top`.
void put_rows(LivingLayout& layout, std::pair<int, int> range, double top, double pitch, double x0, double x1,
              double right, const LivingMap& map) {
  for (int i = 0; i < range.second; ++i) {
    const int lane = range.first + i;
    LivingRow& row = nth(layout.rows, lane);
    row.pitch = pitch;
    row.bed = std::max(std::min(pitch, 0.8), pitch >= 8 ? std::round(pitch * kBed) : pitch * kBed);
    row.y = top + pitch * (i + 0.5);
    if (layout.metrics.chosen >= range.first && lane > layout.metrics.chosen) row.y += layout.slot;
    if (layout.divider >= 0 && !nth(map.lanes, lane).prompt) row.y += kWritten;
    row.x0 = x0;
    row.x1 = x1;
    row.name_right = right;
  }
}

// Stations of a side from `x` on; `unit`: pixels for a unit of depth.
double put_stops(const LivingMap& map, LivingLayout& layout, Side side, double x, double unit, bool two) {
  for (std::size_t s = 0; s < map.stations.size(); ++s) {
    const LivingStation& station = map.stations[s];
    if (station.side != side) continue;
    LivingStop& stop = layout.stops[s];
    const double all = length(station, two) * unit;
    stop.shown = all > 0;
    // On whole pixels: what is drawn in one way and in another has no seam.
    stop.x0 = std::round(station.kind == Kind::mlp ? x + kFlat * unit : x);
    stop.x1 = std::max(stop.x0 + 1, std::round(station.kind == Kind::mlp ? x + (kFlat + kMlp) * unit : x + all));
    stop.after = std::round(x + all);
    x += all;
  }
  return x;
}

double units(const LivingMap& map, Side side, bool two) {
  double sum = 0;
  for (const LivingStation& station : map.stations)
    if (station.side == side) sum += length(station, two);
  return sum;
}

int attention_part(const LivingStation& station) {
  for (std::size_t i = 0; i < station.parts.size(); ++i)
    if (station.parts[i].dense() && station.parts[i].kind == LivingPart::Kind::attention) return static_cast<int>(i);
  return -1;
}

// Small pictures of the heads of a station in a row of this width: whole points for each number where that fits, the
// largest of all heads where they do not stand beside each other. False: they have no room.
bool put_heads(LivingLayout& layout, const LivingMap& map, int s, double x, double y, double width, double most,
               bool fixed) {
  const LivingStation& station = nth(map.stations, s);
  const int part = attention_part(station);
  if (part < 0) return false;
  const LivingPart& attention = nth(station.parts, part);
  const auto columns = static_cast<double>(attention.columns), rows = static_cast<double>(station.count);
  const auto size = [&](double room) {
    const double cell = std::min(room / columns, most / rows);
    return cell >= 1 ? std::floor(std::min(cell, fixed ? 20.0 : 9.0)) : cell;
  };
  const Index own = std::max<Index>(1, attention.heads);
  Index heads = own;
  double cell = size((width - 3 * static_cast<double>(heads - 1)) / static_cast<double>(heads));
  if (heads > 1 && cell * std::min(columns, rows) < kLeastThumb) {
    heads = 1;
    cell = size(width);
  }
  if (cell * std::min(columns, rows) < kLeastThumb * 0.7) return false;
  for (Index h = 0; h < heads; ++h) {
    LivingPicture picture;
    picture.rect = {x + static_cast<double>(h) * (cell * columns + 3), y, cell * columns, cell * rows};
    picture.station = s;
    picture.part = part;
    picture.head = heads == own ? h : -1;
    picture.numbered = own > 1 && heads == own;
    picture.fixed = fixed;
    layout.pictures.push_back(picture);
  }
  return true;
}

// Under each lane, as far as an MLP is wide, the experts that the token went to, where there is room between lanes.
void put_experts(LivingLayout& layout, const LivingMap& map, int s) {
  const LivingStation& station = nth(map.stations, s);
  const LivingStop& stop = nth(layout.stops, s);
  for (int lane = station.first; station.experts.defined() && lane < station.first + station.count; ++lane) {
    const LivingRow& row = nth(layout.rows, lane);
    const double most = lane == layout.metrics.chosen ? kLeastExperts + 1 : kMostExperts;  // its words stand below
    const double high = std::min(std::floor(row.pitch - row.bed - 2), most);
    if (high >= kLeastExperts)
      layout.strips.push_back({{stop.x0, row.y + row.bed / 2 + 1, stop.x1 - stop.x0, high}, s, lane});
  }
}

class Stacked : public LivingPlan {
 public:
  LivingLayout arrange(const LivingMap& map, const LivingMetrics& metrics) const override {
    LivingLayout layout;
    layout.metrics = metrics;
    layout.rows.resize(map.lanes.size());
    layout.stops.resize(map.stations.size());
    const auto source = map.range(Side::source), target = map.range(Side::target);
    const bool two = source.second > 0 && target.second > 0;
    const double foot = footer_height(metrics) + 2;
    put_footer(layout);
    layout.next_x = metrics.view.width() - next_width(metrics);
    layout.slot = metrics.chosen >= 0 ? metrics.small + 6 : 0;
    two ? arrange_two(map, layout, source, target, foot)
        : arrange_one(map, layout, source.second ? source : target, foot);
    return layout;
  }

  Band band(const LivingMap& map, const LivingLayout& layout, int station, Index row,
            const StackPiece& piece) const override {
    const LivingStation& state = nth(map.stations, station);
    const LivingPart& part = nth(state.parts, piece.part);
    const LivingStop& stop = nth(layout.stops, station);
    const int lane = state.first + static_cast<int>(row);
    const LivingRow& to = nth(layout.rows, lane);
    const double top = to.y - to.bed / 2, wide = to.bed * piece.size, middle = top + to.bed * piece.top + wide / 2;
    using P = LivingPart::Kind;
    if (part.kind == P::written) return {stop.x0, to.y + to.bed / 2, 0, stop.x1, middle, wide};
    if (part.kind == P::attention || part.kind == P::tap) {
      if (piece.from == lane || piece.from < 0) return {stop.x0, middle, wide, stop.x1, middle, wide};
      const LivingRow& from = nth(layout.rows, piece.from);
      const double leave = from.y + (from.y < to.y ? 0.18 : -0.18) * from.bed;
      return {stop.x0, leave, std::min(wide, from.bed), stop.x1, middle, wide};
    }
    return {stop.x0, to.y, to.bed, stop.x1, middle, wide};
  }

  // In the bed, in front of what arrives from other lanes, or of the wedge.
  QRectF inside(const LivingMap& map, const LivingLayout& layout, int station, Index row) const override {
    const LivingStop& stop = nth(layout.stops, station);
    const LivingStation& state = nth(map.stations, station);
    const LivingRow& at = nth(layout.rows, state.first + static_cast<int>(row));
    if (!stop.shown || at.bed <= 0) return {};
    const double wide = stop.x1 - stop.x0, part = state.kind == Kind::mlp ? 0.7 : 0.56;
    return {stop.x0 + 0.04 * wide, at.y - 0.42 * at.bed, part * wide, 0.84 * at.bed};
  }

 private:
  static void arrange_one(const LivingMap& map, LivingLayout& layout, std::pair<int, int> range, double foot) {
    const LivingMetrics& m = layout.metrics;
    const double left = std::round(kMargin + m.names + 10), right = layout.next_x - 18;
    const double all = kLead + units(map, nth(map.lanes, range.first).side, false);
    const double width = std::round(std::max(60.0, right - left)), unit = width / all * m.camera.depth;
    const double thumbs = m.pictures && m.view.height() > 300 ? kThumb : 0;
    const double heading = 2 + m.line + 4 + (thumbs > 0 ? thumbs + m.small + 1 : 1);
    const double top = below_corner(m, heading) + m.small + 3;
    layout.body = {left, top, width, m.view.height() - top - foot};
    bool written = false, given = false;
    for (int i = 0; i < range.second; ++i) (nth(map.lanes, range.first + i).prompt ? given : written) = true;
    layout.divider = written && given ? 0 : -1;
    layout.fixed = {0, layout.slot + (layout.divider >= 0 ? kWritten : 0)};
    const double pitch = (layout.body.height() - layout.fixed.height()) / range.second * m.camera.lanes;
    const double x1 = left + width * m.camera.depth;
    put_rows(layout, range, top, pitch, left, x1, left - 10, map);
    if (layout.divider >= 0)
      for (int i = 0; i + 1 < range.second; ++i) {
        const auto lane = static_cast<std::size_t>(range.first + i);
        if (map.lanes[lane].prompt && !map.lanes[lane + 1].prompt)
          layout.divider = layout.rows[lane + 1].y - pitch / 2 - kWritten / 2;
      }
    for (int i = 0; i < range.second; ++i) nth(layout.rows, range.first + i).has_next = true;
    put_stops(map, layout, nth(map.lanes, range.first).side, left + kLead * unit, unit, false);
    const double middle = 2 + m.line + 4;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = nth(map.stations, s);
      const LivingStop& stop = nth(layout.stops, s);
      if (!stop.shown) continue;
      const double wide = stop.after - stop.x0 - 8;
      if (mixes(station.kind)) {
        layout.titles.push_back({LivingTitle::What::layer, station.layer, s, {stop.x0, 2, wide, m.line}});
        if (thumbs > 0) put_heads(layout, map, s, stop.x0, middle, wide + kFlat * unit, thumbs, false);
      } else if (station.kind == Kind::mlp) {
        // Two lines where there are pictures of heads beside them; else one, above the lanes.
        const double high = std::min(m.line + m.small, top - middle);
        layout.titles.push_back({LivingTitle::What::mlp, station.layer, s, {stop.x0, middle, wide + 8, high}});
        put_experts(layout, map, s);
      }
    }
    layout.titles.push_back({LivingTitle::What::read, -1, -1, {0, top - m.small - 3, left - 10, m.small}, true});
    layout.titles.push_back({LivingTitle::What::next,
                             -1,
                             -1,
                             {layout.next_x, top - m.small - 3, m.view.width() - layout.next_x, m.small},
                             true});
  }

  // The source on top, as wide as the picture; the decoder below right, the heads that look at the source below left.
  static void arrange_two(const LivingMap& map, LivingLayout& layout, std::pair<int, int> source,
                          std::pair<int, int> target, double foot) {
    const LivingMetrics& m = layout.metrics;
    const double left = std::round(kMargin + m.names + 10), right = layout.next_x - 14;
    const double reads = units(map, Side::source, true), writes = units(map, Side::target, true);
    const double width = std::round(std::max(120.0, right - left)), depth = m.camera.depth;
    const double names = m.names + 20;  // of the decoder's lanes, between both
    // The decoder gets at least half.
    const double part = std::clamp(reads / (reads + writes), 0.2, 0.45);
    const double unit = (width * part - kLead / 2) / reads * depth;
    const double small = m.small + 3;
    const double thumbs = m.pictures && m.view.height() > 380 ? 30 : 0;
    const double top = below_corner(m, 2 + m.line + (thumbs > 0 ? thumbs + small + 8 : small + 4));
    const double between = m.line + 2 * small + 6;
    layout.body = {left, top, width, m.view.height() - top - foot};
    layout.fixed = {0, between + layout.slot};
    const double room = (layout.body.height() - between - layout.slot) * m.camera.lanes;
    const double pitch = room / (0.82 * source.second + target.second);
    const double x1 = left + width * depth;
    const double decoder = std::round(left + width * part * depth + names);
    put_rows(layout, source, top, 0.82 * pitch, left, x1, left - 10, map);
    const double middle = top + 0.82 * pitch * source.second + between;
    put_rows(layout, target, middle, pitch, decoder, x1, decoder - 10, map);
    for (int i = 0; i < target.second; ++i) nth(layout.rows, target.first + i).has_next = true;
    const double beyond = put_stops(map, layout, Side::source, left + kLead / 2 * depth, unit, true);
    const double own = (x1 - decoder - kLead / 2) / writes;
    put_stops(map, layout, Side::target, decoder + kLead / 2, own, true);
    Index before = -1;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = nth(map.stations, s);
      const LivingStop& stop = nth(layout.stops, s);
      if (!stop.shown || !mixes(station.kind)) continue;
      double wide = 0;  // of the layer
      for (std::size_t o = 0; o < map.stations.size(); ++o)
        if (map.stations[o].side == station.side && map.stations[o].layer == station.layer)
          wide = std::max(wide, layout.stops[o].after - stop.x0);
      if (station.side == Side::source) {
        layout.titles.push_back({LivingTitle::What::encoder_layer, station.layer, s, {stop.x0, 2, wide - 6, m.line}});
        if (thumbs > 0) put_heads(layout, map, s, stop.x0, 4 + m.line, wide - 6, thumbs, false);
      } else if (station.layer != before) {
        before = station.layer;
        LivingTitle title{
            LivingTitle::What::decoder_layer, station.layer, s, {stop.x0, middle - small - 3, wide - 6, m.line}};
        title.scrolls = true;
        layout.titles.push_back(title);
      }
    }
    layout.titles.push_back({LivingTitle::What::canals, -1, -1, {beyond + 24, 2, x1 - beyond - 24, m.line + small}});
    layout.titles.push_back({LivingTitle::What::read, -1, -1, {0, top - small, left - 10, m.small}, true});
    LivingTitle next{LivingTitle::What::next,
                     -1,
                     -1,
                     {layout.next_x, middle - small - 3, m.view.width() - layout.next_x, m.small},
                     true};
    next.scrolls = true;
    layout.titles.push_back(next);
    put_cross_heads(map, layout, middle, decoder - names, foot);
  }

  static void put_cross_heads(const LivingMap& map, LivingLayout& layout, double top, double right, double foot) {
    const LivingMetrics& m = layout.metrics;
    if (!m.pictures || m.camera.lanes > 1.001 || m.camera.depth > 1.001) return;  // the page is larger than this corner
    std::vector<int> stations;
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = nth(map.stations, s);
      const int part = attention_part(station);
      if (station.side == Side::target && part >= 0 &&
          nth(map.lanes, nth(station.parts, part).first_column).side == Side::source)
        stations.push_back(s);
    }
    const double small = m.small + 3, head = m.line + small + 4;
    const double high = m.view.height() - foot - top - head;
    if (stations.empty() || right < 160 || high < 60) return;
    // Below each other; of more than two layers in two columns.
    const std::size_t columns = stations.size() > 2 ? 2 : 1, down = (stations.size() + columns - 1) / columns;
    const double each = high / static_cast<double>(down), room = (right - kMargin) / static_cast<double>(columns);
    for (std::size_t i = 0; i < stations.size(); ++i) {
      const double y = top + head - small + each * static_cast<double>(i / columns);
      const double x = kMargin + room * static_cast<double>(i % columns);
      const LivingStation& station = nth(map.stations, stations[i]);
      if (!put_heads(layout, map, stations[i], x, y + small + 2, room - (columns == 1 ? 30 : 12), each - 2 * small - 12,
                     true))
        return;  // nor has any other
      if (i == 0)
        layout.titles.push_back(
            {LivingTitle::What::cross_heads, -1, -1, {kMargin, top - small, right - kMargin, m.line + small}, true});
      layout.titles.push_back({LivingTitle::What::decoder_layer, station.layer, -1, {x, y, room - 8, small}, true});
    }
  }
};

const Stacked kStacked;

}  // namespace

const LivingPlan& kStackedPlan = kStacked;

}  // namespace headlight
