#include "widgets/views/query_key/query_key_layout.h"

#include <algorithm>

namespace headlight {

namespace {

using Part = QueryKeyHit::Part;

constexpr double kNarrowText = 330;  // columns narrower than this: nothing stands at the right
constexpr double kMostStretch = 2.2;
constexpr double kRule = 10;

}  // namespace

QueryKeyLayout QueryKeyLayout::of(const Metrics& m) {
  QueryKeyLayout at;
  at.metrics = m;
  const double left = m.name + m.tile + 20;  // × stands between
  at.beside = m.view.width() >= left + kNarrowText + m.side + m.margin;
  const double to = m.view.width() - m.margin - (at.beside ? m.side + m.margin : 0);
  at.columns = TextColumns::of(m.shares, left, to, m.least_column, m.most_column);
  const bool open = m.opened >= 0 && m.opened < m.units;
  const double count = m.units + (open ? m.parts - 1 : 0) + (m.rest ? 1 : 0) + m.totals;
  const double fixed = m.head + 4 + 12 + kRule;
  const double row =
      m.row * (count > 0 ? std::clamp((m.view.height() - fixed) / (count * m.row), 1.0, kMostStretch) : 1);
  const double wide = at.columns.right() - m.margin;
  double y = m.head + 4;
  for (int unit = 0; unit < m.units; ++unit) {
    const double top = y;
    if (unit == m.opened)
      for (int part = 0; part < m.parts; ++part, y += row) at.opened.emplace_back(m.margin, y, wide, row);
    else
      y += row;
    at.units.emplace_back(m.margin, top, wide, y - top);
    if (unit == m.opened) y += 6;
  }
  if (m.rest) {
    at.rest = QRectF(m.margin, y, wide, row);
    y += row;
  }
  at.rule = QRectF(m.margin, y + kRule / 2 - 1, wide, 2);
  y += kRule;
  for (int total = 0; total < m.totals; ++total, y += row) at.totals.emplace_back(m.margin, y, wide, row);
  at.width = at.columns.right() + (at.beside ? m.margin + m.side : 0);
  at.height = y + 4;
  return at;
}

QRectF QueryKeyLayout::query(int unit) const {
  const QRectF& row = unit == metrics.opened ? opened.front() : nth(units, unit);
  return {metrics.name, row.top(), metrics.tile, row.height()};
}

QRectF QueryKeyLayout::side(const QRectF& row) const {
  return {columns.right() + metrics.margin, row.top(), metrics.side, row.height()};
}

QueryKeyHit QueryKeyLayout::place_at(QPointF point, double held) const {
  const int column = point.x() >= columns.left() + held ? columns.at(point.x()) : -1;
  if (point.y() >= 0 && point.y() < metrics.head)
    return column >= 0 ? QueryKeyHit{Part::tokens, column, -1} : QueryKeyHit{};
  if (point.x() < metrics.margin || point.x() > width) return {};
  const auto within = [&](const QRectF& row) { return point.y() >= row.top() && point.y() < row.bottom(); };
  for (int unit = 0; unit < static_cast<int>(units.size()); ++unit) {
    if (!within(nth(units, unit))) continue;
    if (query(unit).translated(held, 0).contains(point)) return {Part::query, -1, unit};
    if (unit != metrics.opened) return {Part::unit, column, unit};
    for (int part = 0; part < static_cast<int>(opened.size()); ++part)
      if (within(nth(opened, part))) return {Part::opened, column, part};
  }
  if (metrics.rest && within(rest)) return {Part::rest, column, -1};
  for (int total = 0; total < static_cast<int>(totals.size()); ++total)
    if (within(nth(totals, total))) return {Part::total, column, total};
  return {};
}

}  // namespace headlight
