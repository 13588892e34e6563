#include "widgets/views/ribbons/ribbons_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

RibbonsLayout RibbonsLayout::of(int queries, int keys, const Metrics& m) {
  RibbonsLayout layout;
  layout.metrics = m;
  layout.queries = queries;
  layout.keys = keys;
  const double most = std::max(24.0, m.width * m.largest_share);
  layout.query_width = std::ceil(std::min(m.query + 2 * m.padding, most));
  layout.key_width = std::ceil(std::min(m.key + 2 * m.padding, most));
  const double room = m.width - 2 * m.margin - layout.query_width - layout.key_width;
  layout.gap = std::clamp(room, m.smallest_gap, m.largest_gap);
  layout.left = m.margin + std::max(0.0, std::floor((room - layout.gap) / 2));
  layout.width = std::max(m.width, layout.query_width + layout.gap + layout.key_width + 2 * m.margin);
  layout.height = 2 * m.margin + m.header + std::max(queries, keys) * m.line;
  return layout;
}

QRectF RibbonsLayout::token(const RibbonsHit& place) const {
  const double top = metrics.margin + metrics.header + place.index * metrics.line;
  return place.side == RibbonsHit::Side::query ? QRectF(left, top, query_width, metrics.line)
                                               : QRectF(left + query_width + gap, top, key_width, metrics.line);
}

QRectF RibbonsLayout::header(RibbonsHit::Side side) const {
  const double middle = left + query_width + gap / 2;
  return side == RibbonsHit::Side::query
             ? QRectF(metrics.margin, metrics.margin, middle - metrics.margin - 4, metrics.header)
             : QRectF(middle + 4, metrics.margin, width - metrics.margin - middle - 4, metrics.header);
}

QRectF RibbonsLayout::lines() const {
  return {left + query_width, metrics.margin + metrics.header, gap, std::max(queries, keys) * metrics.line};
}

QPointF RibbonsLayout::start(int index) const {
  const QRectF rect = token({RibbonsHit::Side::query, index});
  return {rect.right() + 2, rect.center().y()};
}

QPointF RibbonsLayout::end(int index) const {
  const QRectF rect = token({RibbonsHit::Side::key, index});
  return {rect.left() - 2, rect.center().y()};
}

QPainterPath RibbonsLayout::ribbon(int from, int to) const {
  const QPointF a = start(from), b = end(to);
  const double bend = (b.x() - a.x()) * 0.45;
  QPainterPath path(a);
  path.cubicTo(a + QPointF(bend, 0), b - QPointF(bend, 0), b);
  return path;
}

RibbonsHit RibbonsLayout::place_at(QPointF point) const {
  const auto index = static_cast<int>(std::floor((point.y() - metrics.margin - metrics.header) / metrics.line));
  for (const auto& [side, count] : {std::pair{RibbonsHit::Side::query, queries}, {RibbonsHit::Side::key, keys}})
    if (index >= 0 && index < count && token({side, index}).contains(point)) return {side, index};
  return {};
}

double ribbon_opacity(double weight, int heads) {
  if (!(weight >= kFaintestRibbon)) return 0;  // also what is not a number
  // Lines of several heads lie on each other: each is a little fainter, so that one cannot hide the rest.
  return std::min(1.0, weight) * (heads > 1 ? 0.75 : 1.0);
}

}  // namespace headlight
