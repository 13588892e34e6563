#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <optional>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/views/influence/influence_canvas.h"
#include "widgets/views/influence/influence_words.h"

namespace headlight {

void InfluenceCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!picture_ || rows() == 0) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const double left = std::max(0.0, sight.left());
  const int over = hovered().lane >= 0 ? hovered().lane : hovered_lane_;
  const int chosen = mode_ == InfluenceMode::layers ? picture_->of.lane : lane_;
  head_.paint(painter, layout_.columns, picture_->lanes, 0, chosen, marks ? over : -1);
  if (mode_ == InfluenceMode::layers) paint_tiles(painter, marks);
  if (mode_ == InfluenceMode::cone) paint_cone(painter, marks);
  if (mode_ == InfluenceMode::lags) paint_curves(painter, marks);
  // Names stay where they are seen, on paper.
  if (left > 0) painter.fillRect(QRectF(left, 0, layout_.metrics.name, layout_.height), tokens().paper);
  if (mode_ != InfluenceMode::lags) paint_names(painter, left, marks);
  if (layout_.beside) paint_means(painter);
}

void InfluenceCanvas::paint_names(QPainter& painter, double left, bool marks) const {
  const InfluenceLayout::Metrics& m = layout_.metrics;
  for (int row = 0; row < rows(); ++row) {
    const bool here = marks && row == row_;
    write_line(painter, QRectF(left + m.margin, layout_.cell(row, 0).top(), m.name - m.margin - 6, layout_.row), kLeft,
               layer_of_states(picture_->station(row)), theme().ui_font(type::kSource),
               here ? tokens().accent : tokens().ink2);
  }
}

void InfluenceCanvas::paint_tiles(QPainter& painter, bool marks) const {
  for (int row = 0; row < rows(); ++row) {
    const LivingStation& station = picture_->station(row);
    for (int lane = station.first; lane < station.first + station.count; ++lane) {
      const double found = picture_->number(row, lane);
      const QRectF cell = layout_.cell(row, lane);
      draw_tile(painter, cell, theme().weight(shade(found)),
                std::isnan(found) ? QString() : fitting_signed(found, cell.width()));
      if (marks && row == row_ && lane == lane_) draw_ring(painter, cell, tokens().accent);
    }
  }
}

// From 0 to the largest mean.
void InfluenceCanvas::paint_means(QPainter& painter) const {
  double largest = 0;
  for (const int s : picture_->rows)
    if (!picture_->means.empty()) largest = std::max(largest, nth(picture_->means, s));
  if (!(largest > 0)) return;
  const double number = text_width(QStringLiteral("0.0000"), theme().ui_font(type::kSource));
  write(painter, QRectF(layout_.mean(0).left(), 0, layout_.mean(0).width(), layout_.metrics.head - space::kSmall),
        Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, tr("mean of the layer"), theme().ui_font(type::kSource),
        tokens().ink2);
  for (int row = 0; row < rows(); ++row) {
    const QRectF place = layout_.mean(row);
    const double mean = nth(picture_->means, nth(picture_->rows, row));
    draw_share_bar(painter, QRectF(place.left(), place.center().y() - 3, place.width() - number - 12, 6),
                   mean / largest, theme().weight(0.68));
    write(painter, QRectF(place.right() - number, place.top(), number, place.height()), kRight, short_number(mean, 2),
          theme().ui_font(type::kSource), tokens().ink);
  }
}

void InfluenceCanvas::paint_cone(QPainter& painter, bool marks) const {
  const Tokens& t = tokens();
  paint_ways(painter);
  for (int row = 0; row < rows(); ++row) {
    const LivingStation& station = picture_->station(row);
    for (int lane = station.first; lane < station.first + station.count; ++lane) {
      const QRectF cell = layout_.cell(row, lane);
      const double radius = std::clamp(0.28 * std::min(cell.width(), cell.height()), 2.0, 12.0);
      const bool asked = picture_->of == StateAt{nth(picture_->rows, row), lane};
      if (picture_->steps(row, lane) < 0) {
        draw_dot(painter, cell.center(), std::max(1.5, radius / 2), t.line);
      } else {
        draw_dot(painter, cell.center(), radius + theme().line(1), t.paper);
        draw_dot(painter, cell.center(), radius,
                 asked ? t.accent : theme().weight(std::max(0.25, shade(picture_->number(row, lane)))));
      }
      if (marks && row == row_ && lane == lane_) draw_ring(painter, cell, t.accent);
    }
  }
}

// Between states that reach the chosen one; those that move it least are below, and left out where there are too many.
void InfluenceCanvas::paint_ways(QPainter& painter) const {
  struct Way {
    QPointF from, to;
    double shade;
  };
  std::vector<Way> ways;
  std::vector<int> row_of(picture_->map->stations.size(), -1);
  for (int row = 0; row < rows(); ++row) row_of[static_cast<std::size_t>(nth(picture_->rows, row))] = row;
  for (int row = 0; row < rows(); ++row) {
    const LivingStation& station = picture_->station(row);
    for (int lane = station.first; lane < station.first + station.count; ++lane) {
      if (picture_->steps(row, lane) < 0) continue;
      for (const StateAt& from : picture_->links->of({nth(picture_->rows, row), lane}))
        if (const int below = nth(row_of, from.station); below >= 0)
          ways.push_back({layout_.cell(below, from.lane).center(), layout_.cell(row, lane).center(),
                          shade(picture_->number(below, from.lane)) * (row == row_ && lane == lane_ ? 1 : 0.8)});
    }
  }
  const auto weaker = [](const Way& a, const Way& b) { return a.shade < b.shade; };
  std::ranges::stable_sort(ways, weaker);
  for (std::size_t i = ways.size() > kMostWays ? ways.size() - kMostWays : 0; i < ways.size(); ++i)
    draw_line(painter, ways[i].from, ways[i].to,
              QPen(theme().weight(std::max(0.15, ways[i].shade)), theme().line(0.6 + 1.8 * ways[i].shade)));
}

void InfluenceCanvas::paint_curves(QPainter& painter, bool marks) const {
  const Tokens& t = tokens();
  const QRectF plot = layout_.plot();
  constexpr double kMostDecades = 12;
  double least = 0, most = 0;
  for (const InfluencePicture::Curve& curve : picture_->curves)
    for (const double value : curve.values)
      if (value > 0) least = least > 0 ? std::min(least, value) : value, most = std::max(most, value);
  if (!(most > 0)) return;
  const double top = std::ceil(std::log10(most)),
               bottom = std::max(top - kMostDecades, std::min(std::floor(std::log10(least)), top - 1));
  const auto at = [&](double value) {
    return plot.bottom() - (std::log10(value) - bottom) / (top - bottom) * plot.height();
  };
  if (marks) painter.fillRect(layout_.columns.cell(lane_, plot.top(), plot.height()), t.wash);
  paint_scale(painter, top, bottom);
  double y = plot.top() + space::kTight;
  for (std::size_t i = 0; i < picture_->curves.size(); ++i) {
    const InfluencePicture::Curve& curve = picture_->curves[i];
    QPen pen(i == 0 ? theme().weight(0.85) : t.ink2, theme().line(i == 0 ? 2.2 : 1.6));
    if (i > 0) pen.setStyle(Qt::DashLine);
    std::optional<QPointF> before;
    for (int lane = 0; lane < lanes(); ++lane) {
      const double value = nth(curve.values, lane);
      if (!(value >= std::pow(10, bottom))) {
        before.reset();
        continue;
      }
      const QPointF point(layout_.columns.centre(lane), at(value));
      if (before) draw_line(painter, *before, point, pen);
      draw_dot(painter, point, 3, pen.color());
      before = point;
    }
    if (picture_->curves.size() < 2) break;
    const double line = QFontMetricsF(theme().ui_font(type::kSource)).height();
    write(painter, QRectF(plot.right() - 150, y, 142, line), kRight,
          layer_of_states(nth(picture_->map->stations, curve.station)), theme().ui_font(type::kSource), pen.color());
    y += line;
  }
  paint_distances(painter);
}

// How far each token is from the chosen one.
void InfluenceCanvas::paint_distances(QPainter& painter) const {
  const Tokens& t = tokens();
  const InfluenceLayout::Metrics& m = layout_.metrics;
  const QRectF plot = layout_.plot();
  double free_from = 0;
  write(painter, QRectF(m.margin, plot.bottom(), m.name - m.margin - 6, m.axis), kRight, tr("distance"),
        theme().ui_font(type::kHead), t.ink2);
  for (int lane = 0; lane < lanes(); ++lane) {
    if (nth(picture_->map->lanes, lane).side != nth(picture_->map->lanes, lane_).side) continue;
    const QString text = QString::number(std::abs(lane - lane_));
    const double half = text_width(text, theme().ui_font(type::kHead)) / 2, centre = layout_.columns.centre(lane);
    if (centre - half < free_from) continue;
    free_from = centre + half + space::kTight;
    write(painter, QRectF(centre - half - 1, plot.bottom(), 2 * half + 2, m.axis), kCentre, text,
          theme().ui_font(type::kHead), t.ink2);
  }
}

void InfluenceCanvas::paint_scale(QPainter& painter, double top, double bottom) const {
  const Tokens& t = tokens();
  const InfluenceLayout::Metrics& m = layout_.metrics;
  const QRectF plot = layout_.plot();
  const QFont font = theme().ui_font(type::kHead);
  const double line = QFontMetricsF(font).height(), decade = plot.height() / (top - bottom);
  const int every = std::max(1, static_cast<int>(std::ceil(1.4 * line / decade)));
  for (int power = static_cast<int>(bottom); power <= static_cast<int>(top); power += every) {
    const double y = plot.bottom() - (power - bottom) * decade;
    draw_line(painter, {plot.left(), y}, {plot.right(), y}, QPen(t.line, theme().line(1)));
    write(painter, QRectF(m.margin, y - line / 2, m.name - m.margin - 6, line), kRight,
          short_number(std::pow(10, power), 1), font, t.ink2);
  }
}

}  // namespace headlight
