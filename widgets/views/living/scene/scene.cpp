#include "widgets/views/living/scene/scene.h"

#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "model/core/slices.h"

namespace headlight {

namespace {

using Part = LivingPart::Kind;

constexpr double kFade = 0.45;           // what is brought shows its source, what is carried its new darkness
constexpr double kLeastWritten = 0.012;  // of the output: what is written stays seen beside its lane
constexpr double kLeastBetween = 2;      // pixels between two beds that have room for a bank

}  // namespace

double LivingScene::at(int station, int lane) const {
  if (!flow || station < 0) return 0;
  const LivingStation& state = nth(map->stations, station);
  const auto& through = nth(flow->at, station);
  const int row = lane - state.first;
  return row >= 0 && row < static_cast<int>(through.size()) ? nth(through, row) : 0;
}

double LivingScene::flow_of(const LivingShare& share) const { return flow ? headlight::flow_of(*flow, share) : 0; }

double LivingScene::lane_depth(double through) const { return flow ? ink.depth(through) : ink.faint; }

double LivingScene::ribbon_depth(double through) const {
  return through >= LivingInk::kSeen ? std::max(ink.faint, ink.depth(through)) : ink.faint;
}

double LivingScene::written_depth(double through) const { return ink.depth(std::max(through, kLeastWritten)); }

bool LivingScene::crosses(int station, const LivingPart& part) const {
  return headlight::crosses(*map, nth(map->stations, station), part);
}

double LivingScene::pairs(int station) const {
  double sum = 0;
  const LivingStation& state = nth(map->stations, station);
  for (const LivingPart& part : state.parts)
    if (crosses(station, part)) sum += static_cast<double>(part.dense() ? part.columns : 1) * state.count;
  return sum;
}

std::vector<LaneBand> LivingScene::lane_bands(int wanted) const {
  std::vector<LaneBand> bands;
  std::vector<RiverStep> steps;
  if (plan->rivers(*this, wanted, &steps, &bands)) return bands;
  const auto flat = [&](int lane, int station, double x0, double x1, double through) {
    const LivingRow& row = nth(layout.rows, lane);
    if (x1 - x0 < 0.05) return;
    bands.push_back({{x0, row.y, row.bed, x1, row.y, row.bed}, through, through, 1, station, lane});
  };
  // Where the lanes of the source are left over the decoder.
  struct Leaving {
    double x = 0;
    int station = -1, part = -1;
  };
  std::vector<Leaving> leaving;
  for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
    const LivingStation& station = nth(map->stations, s);
    if (station.side != LivingLane::Side::target || !nth(layout.stops, s).shown) continue;
    for (int i = 0; i < static_cast<int>(station.parts.size()); ++i) {
      const LivingPart& part = nth(station.parts, i);
      if (part.dense() && nth(map->lanes, part.first_column).side == LivingLane::Side::source)
        leaving.push_back({nth(layout.stops, s).x0, s, i});
    }
  }
  std::vector<int> before(map->lanes.size(), -1);
  std::vector<double> x(map->lanes.size());
  for (std::size_t lane = 0; lane < x.size(); ++lane) x[lane] = layout.rows[lane].x0;
  for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
    const LivingStation& station = nth(map->stations, s);
    const LivingStop& stop = nth(layout.stops, s);
    for (int row = 0; row < station.count; ++row) {
      const int lane = station.first + row;
      if (wanted >= 0 && lane != wanted) continue;
      if (nth(layout.rows, lane).bed <= 0) continue;
      if (!stop.shown) {
        nth(before, lane) = s;
        continue;
      }
      flat(lane, nth(before, lane), nth(x, lane), stop.x0, at(nth(before, lane), lane));
      const bool fades = std::ranges::any_of(station.parts, [&](const LivingPart& part) { return crosses(s, part); });
      stack->each(s, row, [&](const StackPiece& piece) {
        const LivingPart& part = nth(station.parts, piece.part);
        if (crosses(s, part) || part.kind == Part::written) return;
        bands.push_back({plan->band(*map, layout, s, row, piece), at(part.station(row), lane), at(s, lane),
                         fades ? kFade : 1, s, lane});
      });
      nth(before, lane) = s;
      nth(x, lane) = stop.x1;
    }
  }
  for (int lane = 0; lane < static_cast<int>(map->lanes.size()); ++lane) {
    const LivingRow& row = nth(layout.rows, lane);
    if ((wanted >= 0 && lane != wanted) || row.bed <= 0) continue;
    const int last = nth(before, lane);
    double from = nth(x, lane), through = at(last, lane);
    if (nth(map->lanes, lane).side == LivingLane::Side::source)
      for (const Leaving& each : leaving) {
        const LivingStation& station = nth(map->stations, each.station);
        const LivingPart& part = nth(station.parts, each.part);
        double gone = 0;
        const Index column = lane - part.first_column;
        if (column < 0 || column >= part.columns) continue;
        for (Index to = 0; flow && to < station.count; ++to) gone += flow_of({each.station, each.part, to, column, -1});
        flat(lane, last, from, each.x, through);
        const double left = std::max(0.0, through - gone), wide = std::min(24.0, row.x1 - each.x);
        if (wide > 0)
          bands.push_back({{each.x, row.y, row.bed, each.x + wide, row.y, row.bed}, through, left, 1, last, lane});
        from = each.x + std::max(0.0, wide);
        through = left;
      }
    flat(lane, last, from, row.x1, through);
  }
  return bands;
}

std::vector<RiverStep> LivingScene::river_steps(int lane) const {
  std::vector<LaneBand> bands;
  std::vector<RiverStep> steps;
  plan->rivers(*this, lane, &steps, &bands);
  return steps;
}

std::vector<WrittenBand> LivingScene::written_bands(int wanted) const {
  std::vector<WrittenBand> bands;
  if (!layout.beds) return bands;  // rivers have their own
  for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
    const LivingStation& station = nth(map->stations, s);
    const int part = station.part(Part::written);
    if (part < 0 || !nth(layout.stops, s).shown) continue;
    for (int row = 0; row < station.count; ++row) {
      if (wanted >= 0 && station.first + row != wanted) continue;
      if (nth(layout.rows, station.first + row).bed <= 0) continue;
      const StackPiece piece = stack->piece(s, row, part, -1);
      if (piece.size <= 0) continue;
      const LivingShare share{s, part, row, -1, -1};
      bands.push_back({plan->band(*map, layout, s, row, piece), flow_of(share), share});
    }
  }
  return bands;
}

Band LivingScene::band(const LivingShare& share) const {
  return plan->band(*map, layout, share.station, share.row,
                    stack->piece(share.station, share.row, share.part, share.column));
}

std::vector<FieldBand> LivingScene::ribbons(int s, QPointF corner, double ratio) const {
  std::vector<FieldBand> bands;
  const LivingStation& station = nth(map->stations, s);
  for (int row = 0; row < station.count; ++row)
    stack->each(s, row, [&](const StackPiece& piece) {
      const LivingPart& part = nth(station.parts, piece.part);
      if (!crosses(s, part) || piece.from < 0) return;
      const Band band = plan->band(*map, layout, s, row, piece);
      const auto depth = static_cast<float>(ribbon_depth(flow_of({s, piece.part, row, piece.column, -1})));
      const auto y = [&](double page) { return static_cast<float>((page - corner.y()) * ratio); };
      bands.push_back({y(band.y0 - band.w0 / 2), y(band.y0 + band.w0 / 2), y(band.y1 - band.w1 / 2),
                       y(band.y1 + band.w1 / 2), depth, depth});
    });
  return bands;
}

void LivingScene::paint_beds(QPainter& painter, const QRectF& sight) const {
  if (!layout.beds) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(flow ? ink.bed : ink.at(ink.faint / 2));
  for (const LivingRow& row : layout.rows)
    if (row.bed > 0 && row.y + row.bed > sight.top() && row.y - row.bed < sight.bottom())
      painter.drawRoundedRect(QRectF(row.x0, row.y - row.bed / 2, row.x1 - row.x0, row.bed), std::min(3.0, row.bed / 4),
                              std::min(3.0, row.bed / 4));
}

// A bed that nothing of the output passes is hardly darker than the paper.
void LivingScene::paint_banks(QPainter& painter, const QRectF& sight) const {
  if (!layout.beds) return;
  for (int lane = 0; lane < static_cast<int>(layout.rows.size()); ++lane) {
    const LivingRow& row = nth(layout.rows, lane);
    if (lane == chosen || row.bed <= 0 || row.pitch - row.bed < kLeastBetween) continue;
    const double corner = std::min(3.0, row.bed / 4);
    const QRectF bank(row.x0 + corner, std::round(row.y + row.bed / 2), row.x1 - row.x0 - 2 * corner, 1);
    if (bank.intersects(sight)) painter.fillRect(bank, ink.bank);
  }
}

void LivingScene::paint_band(QPainter& painter, const LaneBand& lane) const {
  const Band& band = lane.band;
  const auto depth = [&](double through) { return lane.ribbon ? ribbon_depth(through) : lane_depth(through); };
  const QColor from = ink.at(depth(lane.flow0)), to = ink.at(depth(lane.flow1));
  QBrush brush(from);
  if (from != to) {
    QLinearGradient along(band.x0, 0, band.x1, 0);
    along.setColorAt(0, from);
    along.setColorAt(lane.fade, to);
    brush = along;
  }
  if (band.y0 == band.y1 && band.w0 == band.w1)
    painter.fillRect(QRectF(band.x0, band.y0 - band.w0 / 2, band.x1 - band.x0, band.w0), brush);
  else
    painter.fillPath(band.path(), brush);
}

// From the left, growing with the direction of reading: what is written.
void LivingScene::paint_river(QPainter& painter, const RiverStep& step) const {
  const QRectF& r = step.rect;
  QLinearGradient along(0, step.up ? r.bottom() : r.top(), 0, step.up ? r.top() : r.bottom());
  along.setColorAt(0, ink.at(lane_depth(step.before)));
  along.setColorAt(1, ink.at(lane_depth(step.after)));
  painter.fillRect(r, along);
  const double wide = r.width() * step.written;
  if (wide < 0.5) return;
  painter.save();
  painter.setTransform(QTransform(0, 1, 1, 0, 0, 0), true);  // across is down
  const double middle = r.left() + wide / 2;
  const Band wedge = step.up ? Band{r.top(), middle, wide, r.bottom(), r.left(), 0}
                             : Band{r.top(), r.left(), 0, r.bottom(), middle, wide};
  ink.draw_wedge(painter, wedge, ink.at(written_depth(step.wrote)), true);
  painter.restore();
}

void LivingScene::paint_written(QPainter& painter, const WrittenBand& band) const {
  ink.draw_wedge(painter, band.band, ink.at(written_depth(band.flow)));
}

void LivingScene::paint_ribbon(QPainter& painter, const LivingShare& share) const {
  Band shape = band(share);
  const double thin = 0.8 - std::max(shape.w0, shape.w1);  // what is meant to be seen has a line at least
  if (thin > 0) shape.w0 += thin, shape.w1 += thin;
  painter.fillPath(shape.path(), ink.at(ribbon_depth(flow_of(share))));
}

void LivingScene::paint_lane(QPainter& painter, int lane) const {
  for (const RiverStep& step : river_steps(lane)) paint_river(painter, step);
  for (const LaneBand& band : lane_bands(lane)) paint_band(painter, band);
  for (const WrittenBand& band : written_bands(lane)) paint_written(painter, band);
}

void LivingScene::paint_current(QPainter& painter, const QRectF& sight) const {
  for (std::size_t i = current.size(); i-- > 0;) {
    const LivingStop& stop = nth(layout.stops, current[i].station);
    if (!stop.shown || stop.x1 < sight.left() || stop.x0 > sight.right()) continue;
    const RibbonEnds ends = ribbon_ends(*map, current[i]);
    if (ends.from != ends.to) paint_ribbon(painter, current[i]);
  }
}

void LivingScene::paint_coarse(QPainter& painter, const QRectF& sight) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  paint_beds(painter, sight);
  paint_banks(painter, sight);
  paint_current(painter, sight);
  painter.restore();
}

void LivingScene::paint_ground(QPainter& painter, const QRectF& sight, double ratio, const CancelToken& cancel) const {
  painter.setRenderHint(QPainter::Antialiasing);
  paint_beds(painter, sight);
  // A field stands on the points of the picture.
  const auto paint_field = [&](std::span<const FieldBand> bands, double x0, double x1, double fade) {
    const double left = std::floor((std::max(x0, sight.left()) - sight.left()) * ratio);
    const double right = std::ceil((std::min(x1, sight.right()) - sight.left()) * ratio);
    const int width = static_cast<int>(right - left), height = static_cast<int>(std::ceil(sight.height() * ratio));
    if (bands.empty() || width <= 0 || height <= 0) return;
    cancel.check();
    slice_point();
    const auto at = [&](double x) { return (x - sight.left()) * ratio - left; };
    const QImage image = field_image(bands, at(x0), at(x1), {width, height}, ink.colours, fade);
    painter.drawImage(QRectF(sight.left() + left / ratio, sight.top(), width / ratio, height / ratio), image);
  };
  for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
    const LivingStop& stop = nth(layout.stops, s);
    if (stop.shown && stop.x1 > sight.left() && stop.x0 < sight.right() && pairs(s) > 0)
      paint_field(ribbons(s, sight.topLeft(), ratio), stop.x0, stop.x1, 1);
  }
  for (const RiverStep& step : river_steps())
    if (step.rect.intersects(sight)) paint_river(painter, step);
  // Lanes: those of a station together, as a field; flat ones as they are.
  std::vector<std::vector<FieldBand>> fields(map->stations.size());
  std::vector<double> fades(fields.size(), 1);
  for (const LaneBand& lane : lane_bands()) {
    const Band& band = lane.band;
    if (band.x1 < sight.left() || band.x0 > sight.right()) continue;
    if (std::max(band.y0 + band.w0, band.y1 + band.w1) < sight.top() ||
        std::min(band.y0 - band.w0, band.y1 - band.w1) > sight.bottom())
      continue;
    if ((band.y0 == band.y1 && band.w0 == band.w1) || !layout.beds) {
      paint_band(painter, lane);
      continue;
    }
    const auto y = [&](double page) { return static_cast<float>((page - sight.top()) * ratio); };
    nth(fields, lane.station)
        .push_back({y(band.y0 - band.w0 / 2), y(band.y0 + band.w0 / 2), y(band.y1 - band.w1 / 2),
                    y(band.y1 + band.w1 / 2), static_cast<float>(lane_depth(lane.flow0)),
                    static_cast<float>(lane_depth(lane.flow1))});
    nth(fades, lane.station) = lane.fade;
  }
  for (std::size_t s = 0; s < fields.size(); ++s)
    paint_field(fields[s], layout.stops[s].x0, layout.stops[s].x1, fades[s]);
  for (const WrittenBand& band : written_bands())
    if (band.band.x1 > sight.left() && band.band.x0 < sight.right() && band.band.y0 + band.band.w1 > sight.top() &&
        band.band.y0 - band.band.w1 < sight.bottom())
      paint_written(painter, band);
  paint_banks(painter, sight);
}

void LivingScene::paint_wash(QPainter& painter, const QRectF& sight) const {
  if (chosen < 0) return;
  const LivingRow& row = nth(layout.rows, chosen);
  // From its name on: what stands left of it is not of this lane.
  const double left = std::max(sight.left(), row.named ? row.name_right - layout.metrics.names - 14 : row.x0 - 12);
  painter.fillRect(QRectF(left, row.y - row.pitch / 2, sight.right() - left, row.pitch + layout.slot), ink.wash);
}

QImage LivingScene::ground(const QRectF& sight, double ratio, const CancelToken& cancel) const {
  QImage image((sight.size() * ratio).toSize(), QImage::Format_RGB32);  // opaque: copied, not blended
  if (image.isNull()) return image;
  image.fill(ink.paper);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(ratio, ratio);
  painter.translate(-sight.topLeft());
  paint_wash(painter, sight);
  paint_ground(painter, sight, ratio, cancel);
  cancel.check();
  slice_point();
  paint_current(painter, sight);
  return image;
}

double LivingScene::cost(double ratio) const {
  double work = 0;
  for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
    const LivingStop& stop = nth(layout.stops, s);
    if (!stop.shown) continue;
    const double wide = std::min(stop.x1 - stop.x0, layout.body.width()) * ratio;
    work += pairs(s) * (80 + wide * 4) * 1e-6;  // ms
    work += nth(map->stations, s).count * 6e-3;
  }
  return work + layout.body.width() * layout.body.height() * ratio * ratio * 3e-6;
}

void LivingScene::paint_vectors(QPainter& painter, double ratio) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF sight = layout.body.translated(layout.metrics.camera.scroll);
  paint_beds(painter, sight);
  // Fields are pictures, opaque ones with what lies below them: some that show a PDF mix black into the edges of
  // others.
  struct Gap {
    double left, right;
    std::vector<int> stations;
  };
  std::vector<Gap> gaps;
  for (int s = 0; s < static_cast<int>(map->stations.size()); ++s) {
    const LivingStop& stop = nth(layout.stops, s);
    if (!stop.shown || pairs(s) == 0) continue;
    const double left = std::max(stop.x0, sight.left()), right = std::min(stop.x1, sight.right());
    if (left < right) gaps.push_back({left, right, {s}});
  }
  std::ranges::sort(gaps, [](const Gap& a, const Gap& b) { return a.left < b.left; });
  for (std::size_t i = 1; i < gaps.size();)  // those that lie on each other are one picture
    if (gaps[i].left < gaps[i - 1].right) {
      gaps[i - 1].right = std::max(gaps[i - 1].right, gaps[i].right);
      gaps[i - 1].stations.insert(gaps[i - 1].stations.end(), gaps[i].stations.begin(), gaps[i].stations.end());
      gaps.erase(gaps.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  for (Gap& gap : gaps) {
    const QRectF place(gap.left, sight.top(), gap.right - gap.left, sight.height());
    QImage image(static_cast<int>(std::ceil(place.width() * ratio)),
                 static_cast<int>(std::ceil(place.height() * ratio)), QImage::Format_RGB32);
    if (image.isNull()) continue;
    image.fill(ink.paper);
    QPainter part(&image);
    part.scale(ratio, ratio);
    part.translate(-place.topLeft());
    part.setRenderHint(QPainter::Antialiasing);
    paint_wash(part, place);
    paint_beds(part, place);
    part.resetTransform();
    std::ranges::sort(gap.stations);
    for (const int s : gap.stations) {
      const LivingStop& stop = nth(layout.stops, s);
      const QImage field = field_image(ribbons(s, place.topLeft(), ratio), (stop.x0 - place.left()) * ratio,
                                       (stop.x1 - place.left()) * ratio, image.size(), ink.colours);
      if (!field.isNull()) part.drawImage(0, 0, field);
    }
    part.end();
    painter.drawImage(QRectF(place.topLeft(), QSizeF(image.size()) / ratio), image);
  }
  for (const RiverStep& step : river_steps()) paint_river(painter, step);
  for (const LaneBand& band : lane_bands()) paint_band(painter, band);
  for (const WrittenBand& band : written_bands()) paint_written(painter, band);
  paint_banks(painter, sight);
}

}  // namespace headlight
