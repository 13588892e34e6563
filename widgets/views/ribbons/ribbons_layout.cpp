#include "widgets/views/ribbons/ribbons_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Part = RibbonsHit::Part;

constexpr double kNarrowText = 380;  // columns narrower than this: nothing stands at the right
constexpr double kThickest = 34, kThinnest = 1.5;

}  // namespace

RibbonsLayout RibbonsLayout::of(const Metrics& m) {
  RibbonsLayout at;
  at.metrics = m;
  at.beside = m.view.width() >= m.name + kNarrowText + m.side;
  const double to = m.view.width() - (at.beside ? m.side : m.margin);
  at.others = TextColumns::of(m.others, m.name, to, m.least_column, m.most_column);
  at.own = TextColumns::of(m.own, m.name, std::max(to, at.others.right()), m.least_column, m.most_column);
  int count = 0;
  for (const int group : m.groups) count += group;
  const double gaps = m.group_gap * static_cast<double>(m.groups.size());
  const double lines = m.title + (at.two_lines() ? m.own_line : 0) + m.line + 8;
  const double row =
      std::floor(std::clamp((m.view.height() - lines - gaps - m.arcs) / std::max(1, count), m.least_row, m.row));
  const double high = std::floor(std::clamp(m.view.height() - lines - gaps - count * row, m.arcs, m.most_arcs));
  const double top = m.title + (at.two_lines() ? m.own_line : 0);
  const double right = std::max(at.others.right(), at.own.right());
  at.arcs = QRectF(m.name, top, right - m.name, high);
  double y = at.arcs.bottom() + m.line + 8;
  for (const int group : m.groups) {
    for (int i = 0; i < group; ++i, y += row)
      at.rows.emplace_back(m.margin / 2, y, at.others.right() - m.margin / 2, row);
    y += m.group_gap;
  }
  at.width = right + (at.beside ? m.side : m.margin / 2);
  at.height = y;
  return at;
}

QRectF RibbonsLayout::own_token(int column) const {
  if (!two_lines()) return other_token(column);
  return own.cell(column, arcs.top() - metrics.own_line, metrics.own_line);
}
QRectF RibbonsLayout::other_token(int column) const { return others.cell(column, arcs.bottom(), metrics.line); }

QPainterPath RibbonsLayout::ribbon(double x, double end) const {
  if (two_lines()) {
    QPainterPath path(QPointF(x, arcs.top()));
    const double middle = arcs.center().y();
    path.cubicTo({x, middle}, {end, middle}, {end, arcs.bottom()});
    return path;
  }
  const double reach = std::max(1.0, std::max(x - others.left(), others.right() - x));
  const double most = arcs.height() - kThickest / 2 - 4;
  const double high = std::min(most, 0.3 * most + 0.7 * most * std::abs(end - x) / reach);
  QPainterPath path(QPointF(x, arcs.bottom()));
  const double over = arcs.bottom() - high * 4 / 3;  // a cubic reaches three quarters of the way to its controls
  path.cubicTo({x, over}, {end, over}, {end, arcs.bottom()});
  return path;
}

double RibbonsLayout::thickness(double weight) const {
  const double narrowest = others.count() > 0 ? others.width(0) : kThickest;
  return std::max(kThinnest, std::min(kThickest, std::max(8.0, 0.8 * narrowest)) * std::clamp(weight, 0.0, 1.0));
}

RibbonsHit RibbonsLayout::place_at(QPointF point, double held) const {
  const bool text = point.x() >= metrics.name + held;
  if (two_lines() && point.y() >= arcs.top() - metrics.own_line && point.y() < arcs.top()) {
    const int column = text ? own.at(point.x()) : -1;
    return column < 0 ? RibbonsHit{} : RibbonsHit{Part::own, column, -1};
  }
  const int column = text ? others.at(point.x()) : -1;
  if (point.y() >= arcs.bottom() && point.y() < arcs.bottom() + metrics.line)
    return column < 0 ? RibbonsHit{} : RibbonsHit{Part::other, column, -1};
  for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
    const QRectF& rect = nth(rows, row);
    if (point.y() < rect.top() || point.y() >= rect.bottom() || point.x() < 0 || point.x() > width) continue;
    return column < 0 ? RibbonsHit{Part::name, -1, row} : RibbonsHit{Part::cell, column, row};
  }
  return {};
}

}  // namespace headlight
