#include "widgets/views/experts/experts_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {
constexpr double kAround = 6;  // above and below the opened lines
}

ExpertsLayout ExpertsLayout::of(const Metrics& m) {
  ExpertsLayout at;
  at.metrics = m;
  at.left = m.margin + m.name;
  const double opened = m.opened >= 0 ? m.lines * m.line + 2 * kAround : 0;
  at.cell = std::clamp((m.view.width() - at.left - m.margin) / std::max(1, m.experts), m.least_cell, m.most_cell);
  at.row = std::clamp((m.view.height() - m.head - opened - kAround) / std::max(1, m.rows), m.least_row, m.most_row);
  at.width = at.left + m.experts * at.cell + m.margin;
  at.height = m.head + m.rows * at.row + opened + kAround;
  return at;
}

double ExpertsLayout::top_of(int at) const {
  const bool below = metrics.opened >= 0 && at > metrics.opened;
  return metrics.head + at * row + (below ? metrics.lines * metrics.line + 2 * kAround : 0);
}

QRectF ExpertsLayout::row_rect(int at) const { return {metrics.margin / 2, top_of(at), width - metrics.margin, row}; }

QRectF ExpertsLayout::cell_rect(int at, int expert) const { return {left + expert * cell, top_of(at), cell, row}; }

QRectF ExpertsLayout::line_rect(int line, int expert) const {
  return {left + expert * cell, top_of(metrics.opened) + row + kAround + line * metrics.line, cell, metrics.line};
}

QRectF ExpertsLayout::line_name(int line) const {
  const QRectF first = line_rect(line, 0);
  return {metrics.margin, first.top(), metrics.name - 8, first.height()};
}

QRectF ExpertsLayout::head_rect(int expert) const { return {left + expert * cell, 0, cell, metrics.head}; }

ExpertsHit ExpertsLayout::place_at(QPointF point) const {
  if (point.x() < 0 || point.x() > width) return {};
  const int expert = static_cast<int>(std::floor((point.x() - left) / std::max(1e-9, cell)));
  const bool over = expert >= 0 && expert < metrics.experts;
  for (int r = 0; r < metrics.rows; ++r) {
    const double top = top_of(r);
    if (point.y() >= top && point.y() < top + row) return {r, over ? expert : -1, -1};
  }
  for (int line = 0; metrics.opened >= 0 && line < metrics.lines; ++line)
    if (const QRectF at = line_rect(line, 0); over && point.y() >= at.top() && point.y() < at.bottom())
      return {metrics.opened, expert, line};
  return {};
}

}  // namespace headlight
