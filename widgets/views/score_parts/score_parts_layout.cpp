#include "widgets/views/score_parts/score_parts_layout.h"

#include <algorithm>

namespace headlight {

namespace {

double cell_for(const ScorePartsLayout::Metrics& m, int beside) {
  const int below = ScorePartsLayout::kMaps / beside;
  const double wide = m.view.width() - m.name - 2 * m.margin - (beside - 1) * m.gap,
               high = m.view.height() - below * m.title - (below - 1) * m.gap - 4;
  const double fits = std::min(wide / (beside * std::max(1, m.columns)), high / (below * std::max(1, m.rows)));
  return std::clamp(fits, m.least_cell, m.most_cell);
}

}  // namespace

ScorePartsLayout ScorePartsLayout::of(const Metrics& m) {
  ScorePartsLayout at;
  at.metrics = m;
  at.beside = cell_for(m, 2) > cell_for(m, 3) ? 2 : 3;
  at.cell = cell_for(m, at.beside);
  const QRectF last = at.map(kMaps - 1);
  at.width = last.right() + m.margin;
  at.height = last.bottom() + 4;
  return at;
}

QRectF ScorePartsLayout::map(int part) const {
  const double wide = metrics.columns * cell, high = metrics.rows * cell;
  return {metrics.margin + metrics.name + part % beside * (wide + metrics.gap),
          metrics.title + part / beside * (high + metrics.title + metrics.gap), wide, high};
}

QRectF ScorePartsLayout::title(int part) const {
  const QRectF at = map(part);
  const double over = part % beside + 1 < beside ? metrics.gap - 4 : 0;  // into the gap
  return {at.left(), at.top() - metrics.title, at.width() + over, metrics.title};
}

QRectF ScorePartsLayout::cell_rect(int part, int row, int column) const {
  const QRectF at = map(part);
  return {at.left() + column * cell, at.top() + row * cell, cell, cell};
}

QRectF ScorePartsLayout::row_name(int part, int row) const {
  return {metrics.margin, map(part).top() + row * cell, metrics.name - 4, cell};
}

ScorePartsHit ScorePartsLayout::place_at(QPointF point) const {
  for (int part = 0; part < kMaps; ++part) {
    const QRectF at = map(part);
    if (!at.contains(point)) continue;
    return {part, std::min(metrics.rows - 1, static_cast<int>((point.y() - at.top()) / cell)),
            std::min(metrics.columns - 1, static_cast<int>((point.x() - at.left()) / cell))};
  }
  return {};
}

}  // namespace headlight
