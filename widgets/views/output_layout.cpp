// Geometry of the output view.
#include "widgets/views/output_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

OutputLayout OutputLayout::of(int steps, int candidates, const Metrics& m) {
  OutputLayout layout;
  layout.metrics = m;
  layout.steps = std::max(0, steps);
  layout.candidates = std::max(0, candidates);
  const double columns = std::max(1, layout.steps), rows = std::max(1, layout.candidates);
  const double across = (m.width - 2 * m.margin - (columns - 1) * m.gap) / columns;
  layout.column_width = std::floor(std::clamp(across, m.smallest_column, m.largest_column));
  const double above = m.margin + m.number_line + m.chip_height + 2 * m.gap;
  const double down = (m.height - above - m.margin - (rows - 1) * m.gap) / rows;
  layout.candidate_height = std::floor(std::clamp(down, m.candidate_height, m.largest_candidate));
  layout.width = 2 * m.margin + columns * layout.column_width + (columns - 1) * m.gap;
  layout.height = above + rows * layout.candidate_height + (rows - 1) * m.gap + m.margin;
  return layout;
}

QRectF OutputLayout::number_rect(int step) const {
  return {metrics.margin + step * (column_width + metrics.gap), metrics.margin, column_width, metrics.number_line};
}

QRectF OutputLayout::chip_rect(int step) const {
  const QRectF number = number_rect(step);
  return {number.left(), number.bottom(), column_width, metrics.chip_height};
}

QRectF OutputLayout::candidate_rect(int step, int rank) const {
  const QRectF chip = chip_rect(step);
  return {chip.left(), chip.bottom() + 2 * metrics.gap + rank * (candidate_height + metrics.gap), column_width,
          candidate_height};
}

QRectF OutputLayout::column_rect(int step) const {
  const QRectF top = number_rect(step);
  const QRectF bottom = candidates > 0 ? candidate_rect(step, candidates - 1) : chip_rect(step);
  return {top.left(), top.top(), column_width, bottom.bottom() - top.top()};
}

OutputPlace OutputLayout::place_at(QPointF point) const {
  const double x = point.x() - metrics.margin;
  if (steps == 0 || x < 0) return {};
  const int step = static_cast<int>(x / (column_width + metrics.gap));
  if (step >= steps || !column_rect(step).adjusted(-0.5, 0, 0.5, 0.5).contains(point)) return {};
  for (int rank = 0; rank < candidates; ++rank)
    if (candidate_rect(step, rank).contains(point)) return {step, rank};
  return {step, -1};
}

}  // namespace headlight
