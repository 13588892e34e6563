#include "widgets/views/states/states_layout.h"

#include <algorithm>

namespace headlight {

namespace {

using Part = StatesHit::Part;

constexpr double kNarrowText = 300;              // columns narrower than this: the map goes below
constexpr double kLeastMap = 90, kMostLine = 5;  // its height, and that of a unit
constexpr double kMostStretch = 2.2;

}  // namespace

StatesLayout StatesLayout::of(const Metrics& m) {
  StatesLayout at;
  at.metrics = m;
  at.beside = m.view.width() >= m.name + kNarrowText + m.side + m.margin;
  const double to = m.view.width() - m.margin - (at.beside ? m.side + m.margin : 0);
  at.columns = TextColumns::of(m.shares, m.name, to, m.least_column, m.most_column);
  const double right = at.columns.right();

  int count = 0;
  for (const int group : m.groups) count += group;
  const bool open = m.opened >= 0 && m.opened < count;
  const double fixed = m.head + static_cast<double>(m.groups.size()) * (m.title + 5) + m.gap +
                       (open ? m.sentence + m.story * m.strip + m.levels * m.level + 10 : 0);
  const double rows = (count - (open ? 1 : 0)) * m.row + (open ? m.bars : 0);
  const double stretch = rows > 0 ? std::clamp((m.view.height() - fixed) / rows, 1.0, kMostStretch) : 1;

  double y = m.head + 4;
  int unit = 0;
  for (const int group : m.groups) {
    at.titles.emplace_back(m.margin, y, right - m.margin, m.title);
    y += m.title;
    for (int i = 0; i < group; ++i, ++unit) {
      if (unit != m.opened) {
        at.units.emplace_back(m.margin, y, right - m.margin, m.row * stretch);
        y += m.row * stretch;
        continue;
      }
      const double top = y;
      at.bars = QRectF(m.margin, y, right - m.margin, m.bars * stretch);
      y = at.bars.bottom();
      at.sentence = QRectF(m.name, y, right - m.name, m.sentence);
      y += m.sentence;
      for (int row = 0; row < m.story; ++row, y += m.strip)
        at.story.emplace_back(m.margin, y, right - m.margin, m.strip);
      if (m.levels > 0) at.cone = QRectF(m.margin, y + 4, right - m.margin, m.levels * m.level);
      y += m.levels > 0 ? at.cone.height() + 8 : 0;
      at.opened = QRectF(m.margin, top, right - m.margin, y - top);
      at.units.push_back(at.opened);
      y += 6;
    }
    y += 5;
  }

  const double about = m.about + m.lines * m.line;
  double left = at.columns.right() + m.margin, top = 0, wide = m.side;
  if (!at.beside) left = m.margin, top = y + m.gap, wide = std::max(m.view.width(), m.name) - 2 * m.margin;
  at.map_title = QRectF(left, top, wide, 2 * m.title);
  const double free = std::max(at.beside ? std::max(m.view.height(), y) : 0, y) - at.map_title.bottom() - m.gap - about;
  const double high = at.beside ? free : 1.5 * kLeastMap;
  at.map = QRectF(left, at.map_title.bottom(), wide - 12,
                  std::clamp(high, kLeastMap, std::max(kLeastMap, kMostLine * m.units)));
  at.about = QRectF(left, at.map.bottom() + m.gap, wide, m.about);
  for (int i = 0; i < m.lines; ++i) at.lines.emplace_back(left, at.about.bottom() + i * m.line, wide, m.line);
  at.width = std::max(std::max(right, left + wide) + (at.beside ? 0 : m.margin), m.name + 60);
  at.height = std::max(y, at.about.bottom() + m.lines * m.line) + 4;
  return at;
}

QRectF StatesLayout::map_line(int row) const {
  const double high = map.height() / std::max(1, metrics.units);
  return {map.left(), map.top() + row * high, map.width(), high};
}

StatesHit StatesLayout::place_at(QPointF point, double held) const {
  StatesHit hit;
  // Names that are held in sight stand over the columns.
  const int column = point.x() >= metrics.name + held ? columns.at(point.x()) : -1;
  if (point.y() >= 0 && point.y() < metrics.head && column >= 0) return {Part::tokens, column, -1, -1};
  if (map.contains(point)) {
    const double share = (point.x() - map.left()) / map.width();
    const int row = static_cast<int>((point.y() - map.top()) / map.height() * metrics.units);
    const double x = columns.left() + share * (columns.right() - columns.left());
    return {Part::map, columns.nearest(x), -1, std::clamp(row, 0, std::max(0, metrics.units - 1))};
  }
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].contains(point)) return {Part::line, -1, -1, static_cast<int>(i)};
  if (point.x() > columns.right()) return {};
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (point.y() < units[i].top() || point.y() >= units[i].bottom()) continue;
    const int unit = static_cast<int>(i);
    if (unit != metrics.opened) return {Part::bars, column, unit, -1};
    for (std::size_t row = 0; row < story.size(); ++row)
      if (point.y() >= story[row].top() && point.y() < story[row].bottom())
        return {Part::story, column, unit, static_cast<int>(row)};
    if (cone.isValid() && point.y() >= cone.top() && point.y() < cone.bottom())
      return {Part::cone, column, unit,
              metrics.levels - 1 - static_cast<int>((point.y() - cone.top()) / metrics.level)};
    return {Part::bars, column, unit, -1};
  }
  return {};
}

}  // namespace headlight
