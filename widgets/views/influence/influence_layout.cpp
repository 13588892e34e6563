#include "widgets/views/influence/influence_layout.h"

#include <algorithm>

namespace headlight {

namespace {

using Part = InfluenceHit::Part;

constexpr double kNarrowText = 300;  // columns narrower than this: no means at the right

}  // namespace

InfluenceLayout InfluenceLayout::of(const Metrics& m) {
  InfluenceLayout at;
  at.metrics = m;
  at.beside = m.means && m.view.width() >= m.name + kNarrowText + m.side + m.margin;
  const double to = m.view.width() - m.margin - (at.beside ? m.side : 0);
  at.columns = TextColumns::of(m.shares, m.name, to, m.least_column, m.most_column);
  const double free = m.view.height() - m.head - (m.plot ? m.axis : 0) - 4;
  at.row = m.plot ? std::max(free, m.least_plot) : std::clamp(free / std::max(1, m.rows), m.least_row, m.most_row);
  at.width = at.columns.right() + (at.beside ? m.side : 4);
  at.height = m.head + (m.plot ? at.row + m.axis : m.rows * at.row) + 4;
  return at;
}

QRectF InfluenceLayout::cell(int at, int lane) const { return columns.cell(lane, metrics.head + at * row, row); }

QRectF InfluenceLayout::mean(int at) const {
  return {columns.right() + metrics.margin, metrics.head + at * row, metrics.side - metrics.margin, row};
}

QRectF InfluenceLayout::plot() const { return {columns.left(), metrics.head, columns.right() - columns.left(), row}; }

InfluenceHit InfluenceLayout::place_at(QPointF point, double held) const {
  const int lane = point.x() >= metrics.name + held ? columns.at(point.x()) : -1;
  if (point.y() >= 0 && point.y() < metrics.head)
    return lane < 0 ? InfluenceHit{} : InfluenceHit{Part::token, -1, lane};
  if (metrics.plot) return lane >= 0 && plot().contains(point) ? InfluenceHit{Part::cell, -1, lane} : InfluenceHit{};
  const int at = point.y() < metrics.head ? -1 : static_cast<int>((point.y() - metrics.head) / row);
  if (at < 0 || at >= metrics.rows) return {};
  if (lane >= 0) return {Part::cell, at, lane};
  return beside && mean(at).contains(point) ? InfluenceHit{Part::mean, at, -1} : InfluenceHit{};
}

}  // namespace headlight
