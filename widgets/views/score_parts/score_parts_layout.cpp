#include "widgets/views/score_parts/score_parts_layout.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr double kLongest = 2;  // a side of a cell, by the other one
constexpr double kBelow = 8;    // the maps, before what stands there

QSizeF cell_for(const ScorePartsLayout::Metrics& m, int beside) {
  const int below = ScorePartsLayout::kMaps / beside;
  const double wide = m.view.width() - m.name - 2 * m.margin - (beside - 1) * m.gap,
               high = m.view.height() - m.head - below * m.title - (below - 1) * m.gap - kBelow;
  const double width = std::clamp(wide / (beside * std::max(1, m.columns)), m.least_cell, m.most_cell),
               height = std::clamp(high / (below * std::max(1, m.rows)), m.least_cell, m.most_cell);
  return {std::min(width, kLongest * height), std::min(height, kLongest * width)};
}

double area(QSizeF cell) { return cell.width() * cell.height(); }

}  // namespace

ScorePartsLayout ScorePartsLayout::of(const Metrics& m) {
  ScorePartsLayout at;
  at.metrics = m;
  at.beside = area(cell_for(m, 2)) > area(cell_for(m, 3)) ? 2 : 3;
  at.cell = cell_for(m, at.beside);
  const QRectF last = at.map(kMaps - 1);
  at.width = last.right() + m.margin;
  at.height = last.bottom() + kBelow;
  return at;
}

QRectF ScorePartsLayout::map(int part) const {
  const double wide = metrics.columns * cell.width(), high = metrics.rows * cell.height();
  return {metrics.margin + metrics.name + part % beside * (wide + metrics.gap),
          metrics.title + metrics.head + part / beside * (high + metrics.title + metrics.gap), wide, high};
}

QRectF ScorePartsLayout::title(int part) const {
  const QRectF at = map(part);
  const double over = part % beside + 1 < beside ? metrics.gap - 4 : 0;  // into the gap
  return {at.left(), (is_upper(part) ? head_top(part) : at.top()) - metrics.title, at.width() + over, metrics.title};
}

double ScorePartsLayout::head_top(int part) const { return map(part).top() - metrics.head; }

QRectF ScorePartsLayout::cell_rect(int part, int row, int column) const {
  const QRectF at = map(part);
  return {at.left() + column * cell.width(), at.top() + row * cell.height(), cell.width(), cell.height()};
}

QRectF ScorePartsLayout::row_name(int part, int row) const {
  return {metrics.margin, map(part).top() + row * cell.height(), metrics.name - 4, cell.height()};
}

ScorePartsHit ScorePartsLayout::place_at(QPointF point) const {
  for (int part = 0; part < kMaps; ++part) {
    const QRectF at = map(part);
    if (!at.contains(point)) continue;
    return {part, std::min(metrics.rows - 1, static_cast<int>((point.y() - at.top()) / cell.height())),
            std::min(metrics.columns - 1, static_cast<int>((point.x() - at.left()) / cell.width()))};
  }
  return {};
}

}  // namespace headlight
