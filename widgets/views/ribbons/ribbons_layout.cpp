#include "widgets/views/ribbons/ribbons_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

RibbonsLayout RibbonsLayout::of(int looks, int seen, const Metrics& m) {
  RibbonsLayout layout;
  layout.metrics = m;
  layout.looks = looks;
  layout.seen = seen;
  const double most = std::max(24.0, m.width * m.largest_share);
  layout.looks_width = std::ceil(std::min(m.looks + 2 * m.padding, most));
  layout.seen_width = std::ceil(std::min(m.seen + 2 * m.padding, most));
  const double room = m.width - 2 * m.margin - layout.looks_width - layout.seen_width;
  layout.gap = std::clamp(room, m.smallest_gap, m.largest_gap);
  layout.left = m.margin + std::max(0.0, std::floor((room - layout.gap) / 2));
  layout.width = std::max(m.width, layout.looks_width + layout.gap + layout.seen_width + 2 * m.margin);
  layout.height = 2 * m.margin + m.header + std::max(looks, seen) * m.line;
  return layout;
}

QRectF RibbonsLayout::token(const RibbonsPlace& place) const {
  const double top = metrics.margin + metrics.header + place.index * metrics.line;
  return place.side == RibbonsPlace::Side::looks ? QRectF(left, top, looks_width, metrics.line)
                                                 : QRectF(left + looks_width + gap, top, seen_width, metrics.line);
}

QRectF RibbonsLayout::header(RibbonsPlace::Side side) const {
  const double middle = left + looks_width + gap / 2;
  return side == RibbonsPlace::Side::looks
             ? QRectF(metrics.margin, metrics.margin, middle - metrics.margin - 4, metrics.header)
             : QRectF(middle + 4, metrics.margin, width - metrics.margin - middle - 4, metrics.header);
}

QRectF RibbonsLayout::lines() const {
  return {left + looks_width, metrics.margin + metrics.header, gap, std::max(looks, seen) * metrics.line};
}

QPointF RibbonsLayout::start(int index) const {
  const QRectF rect = token({RibbonsPlace::Side::looks, index});
  return {rect.right() + 2, rect.center().y()};
}

QPointF RibbonsLayout::end(int index) const {
  const QRectF rect = token({RibbonsPlace::Side::seen, index});
  return {rect.left() - 2, rect.center().y()};
}

QPainterPath RibbonsLayout::ribbon(int from, int to) const {
  const QPointF a = start(from), b = end(to);
  const double bend = (b.x() - a.x()) * 0.45;
  QPainterPath path(a);
  path.cubicTo(a + QPointF(bend, 0), b - QPointF(bend, 0), b);
  return path;
}

RibbonsPlace RibbonsLayout::place_at(QPointF point) const {
  const auto index = static_cast<int>(std::floor((point.y() - metrics.margin - metrics.header) / metrics.line));
  for (const auto& [side, count] : {std::pair{RibbonsPlace::Side::looks, looks}, {RibbonsPlace::Side::seen, seen}})
    if (index >= 0 && index < count && token({side, index}).contains(point)) return {side, index};
  return {};
}

double ribbon_opacity(double weight, int heads) {
  if (!(weight >= kFaintestRibbon)) return 0;  // also what is not a number
  // Lines of several heads lie on each other: each is a little fainter, so that one cannot hide the rest.
  return std::min(1.0, weight) * (heads > 1 ? 0.75 : 1.0);
}

}  // namespace headlight
