#include "widgets/views/cost/cost_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

TimelineLayout TimelineLayout::of(const Metrics& m) {
  TimelineLayout layout;
  layout.metrics = m;
  layout.left = m.margin + m.name;
  layout.top = m.margin / 2 + m.head + m.axis;
  const bool both = m.source_rows > 0 && m.text_rows > 0;
  const double high = m.view.height() - layout.top - m.foot - m.margin / 2 - (both ? m.gap : 0);
  layout.row_height = std::floor(std::clamp(high / std::max(1, layout.rows()), m.least_row, m.most_row));
  const double wide = m.view.width() - layout.left - m.margin;
  layout.cell_width = std::clamp(wide / std::max(1, m.columns), m.least_cell, m.most_cell);
  layout.width = std::max(m.view.width(), layout.left + m.columns * layout.cell_width + m.margin);
  layout.height = std::max(m.view.height(), layout.bottom() + m.foot + m.margin / 2);
  return layout;
}

double TimelineLayout::row_top(int row) const {
  return top + row * row_height + (row >= metrics.source_rows && metrics.source_rows > 0 ? metrics.gap : 0);
}

double TimelineLayout::bottom() const { return rows() == 0 ? top : row_top(rows() - 1) + row_height; }

QRectF TimelineLayout::words() const {
  return {metrics.margin, metrics.margin / 2, metrics.view.width() - 2 * metrics.margin, metrics.head};
}

QRectF TimelineLayout::name(int row) const { return {metrics.margin, row_top(row), metrics.name, row_height}; }

QRectF TimelineLayout::cell(int row, int column) const {
  return {left + column * cell_width, row_top(row), cell_width, row_height};
}

QRectF TimelineLayout::number(int column) const {
  return {left + column * cell_width, top - metrics.axis, cell_width, metrics.axis};
}

QRectF TimelineLayout::key() const { return {metrics.margin, bottom(), width - 2 * metrics.margin, metrics.foot}; }

CostHit TimelineLayout::place_at(QPointF point) const {
  for (int row = 0; row < rows(); ++row) {
    const double above = row_top(row);
    if (point.y() < above || point.y() >= above + row_height) continue;
    if (name(row).contains(point)) return {CostHit::Part::name, row, -1};
    const int column = static_cast<int>(std::floor((point.x() - left) / cell_width));
    return column >= 0 && column < metrics.columns ? CostHit{CostHit::Part::box, row, column} : CostHit{};
  }
  return {};
}

CostLayout CostLayout::of(const Metrics& m) {
  CostLayout layout;
  layout.metrics = m;
  layout.width = m.view.width();
  const double words = m.margin + m.head + m.bars * m.bar + m.lines * m.line;
  layout.height = std::max(m.view.height(), words + m.least_chart);
  return layout;
}

QRectF CostLayout::words() const {
  return {metrics.margin, metrics.margin / 2, width - 2 * metrics.margin, metrics.head};
}

QRectF CostLayout::bar(int which) const {
  const QRectF above = words();
  return {above.left(), above.bottom() + which * metrics.bar, above.width(), metrics.bar};
}

QRectF CostLayout::line(int which) const {
  const QRectF first = bar(metrics.bars);
  return {first.left(), first.top() + which * metrics.line, first.width(), metrics.line};
}

QRectF CostLayout::chart() const {
  const double from = line(metrics.lines).top();
  return {metrics.margin, from, width - 2 * metrics.margin, height - from - metrics.margin / 2};
}

CostHit CostLayout::place_at(QPointF point) const {
  for (int which = 0; which < metrics.bars; ++which)
    if (bar(which).contains(point)) return {CostHit::Part::bar, which, -1};
  return {};
}

}  // namespace headlight
