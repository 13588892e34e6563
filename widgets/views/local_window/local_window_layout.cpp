#include "widgets/views/local_window/local_window_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Part = LocalWindowHit::Part;

constexpr double kNarrowText = 420;  // columns narrower than this: no shares at the right
constexpr double kMostHill = 60;
constexpr double kGap = 8;  // above a hill

}  // namespace

LocalWindowLayout LocalWindowLayout::of(const Metrics& m) {
  LocalWindowLayout at;
  at.metrics = m;
  at.beside = m.view.width() >= m.name + kNarrowText + m.side + m.margin;
  const double to = m.view.width() - m.margin - (at.beside ? m.side + m.margin : 0);
  at.columns = TextColumns::of(m.shares, m.name, to, m.least_column, m.most_column);
  const double least = m.tile + m.hill + kGap;
  at.row = std::clamp((m.view.height() - m.head - 4) / std::max(1, m.steps), least, m.tile + kMostHill + kGap);
  at.width = at.columns.right() + (at.beside ? m.margin + m.side : 0);
  at.height = m.head + m.steps * at.row + 4;
  return at;
}

QRectF LocalWindowLayout::step(int step) const {
  return {metrics.margin / 2, metrics.head + step * row, width - metrics.margin / 2, row};
}

QRectF LocalWindowLayout::hill(int at) const {
  const double top = metrics.head + at * row + kGap;
  return {columns.left(), top, columns.right() - columns.left(), row - kGap - metrics.tile - 4};
}

QRectF LocalWindowLayout::tile(int at, int column) const {
  return columns.cell(column, metrics.head + (at + 1) * row - metrics.tile - 3, metrics.tile);
}

QRectF LocalWindowLayout::share(int at) const {
  const QRectF first = tile(at, 0);
  return {columns.right() + metrics.margin, first.top(), metrics.side - metrics.margin, first.height()};
}

double LocalWindowLayout::x_of(double column) const {
  const int count = columns.count();
  if (count == 0) return columns.left();
  const double clamped = std::clamp(column, 0.0, static_cast<double>(count - 1));
  const int first = std::min(static_cast<int>(clamped), count - 1), next = std::min(first + 1, count - 1);
  const double inside = columns.centre(first) + (clamped - first) * (columns.centre(next) - columns.centre(first));
  return inside + (column - clamped) * columns.width(first);
}

double LocalWindowLayout::column_of(double x) const {
  const int count = columns.count();
  if (count == 0) return 0;
  if (x <= columns.centre(0)) return (x - columns.centre(0)) / columns.width(0);
  if (x >= columns.centre(count - 1)) return count - 1 + (x - columns.centre(count - 1)) / columns.width(count - 1);
  int first = columns.nearest(x);
  if (x < columns.centre(first)) --first;
  return first + (x - columns.centre(first)) / (columns.centre(first + 1) - columns.centre(first));
}

LocalWindowHit LocalWindowLayout::place_at(QPointF point, double held) const {
  const int column = point.x() >= columns.left() + held ? columns.at(point.x()) : -1;
  if (point.y() >= 0 && point.y() < metrics.head)
    return column >= 0 ? LocalWindowHit{Part::tokens, -1, column} : LocalWindowHit{};
  const int at = static_cast<int>(std::floor((point.y() - metrics.head) / row));
  if (at < 0 || at >= metrics.steps || point.x() < 0 || point.x() > width) return {};
  if (column < 0) return {point.x() > columns.right() ? Part::share : Part::name, at, -1};
  const QRectF tiles = tile(at, column);
  return {point.y() >= tiles.top() - 1 ? Part::tile : Part::hill, at, column};
}

}  // namespace headlight
