#include "widgets/views/kv_cache/kv_cache_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

KvCacheLayout KvCacheLayout::of(const Metrics& m) {
  KvCacheLayout layout;
  layout.metrics = m;
  layout.left = m.margin + m.name;
  layout.top = m.margin / 2 + m.summary + m.bars * m.bar + m.label;
  const double layers = std::max(1, m.layers);
  const double wide = (m.view.width() - layout.left - m.margin - (layers - 1) * m.layer_gap) / layers;
  layout.part_width = std::floor(std::clamp((wide - m.part_gap) / 2, m.least_part, m.most_part));
  const double high = m.view.height() - layout.top - m.margin / 2;
  layout.row_height = std::floor(std::clamp(high / std::max(1, m.rows), m.least_row, m.most_row));
  layout.width = std::max(m.view.width(), layout.right() + m.margin);
  layout.height = std::max(m.view.height(), layout.top + m.rows * layout.row_height + m.margin / 2);
  return layout;
}

QRectF KvCacheLayout::summary() const {
  return {metrics.margin, metrics.margin / 2, metrics.view.width() - 2 * metrics.margin, metrics.summary};
}

QRectF KvCacheLayout::bar(int which) const {
  const QRectF words = summary();
  return {words.left(), words.bottom() + which * metrics.bar, words.width(), metrics.bar};
}

QRectF KvCacheLayout::name(int row) const { return {metrics.margin, top + row * row_height, metrics.name, row_height}; }

QRectF KvCacheLayout::part(int layer, bool value, int row) const {
  const double x = left + layer * (2 * part_width + metrics.part_gap + metrics.layer_gap);
  return {x + (value ? part_width + metrics.part_gap : 0), top + row * row_height, part_width, row_height};
}

QRectF KvCacheLayout::group(int layer, bool value, int row, int group) const {
  const QRectF all = part(layer, value, row);
  const double wide = all.width() / std::max(1, metrics.groups);
  return {all.left() + group * wide, all.top(), wide, all.height()};
}

QRectF KvCacheLayout::label(int layer) const {
  return {part(layer, false, 0).left(), top - metrics.label, 2 * part_width + metrics.part_gap, metrics.label};
}

double KvCacheLayout::right() const { return part(std::max(0, metrics.layers - 1), true, 0).right(); }

QRectF KvCacheLayout::row(int row) const {
  const QRectF first = name(row);
  return {first.left(), first.top(), right() - first.left(), first.height()};
}

QRectF KvCacheLayout::layer(int layer) const {
  return {part(layer, false, 0).left(), top, 2 * part_width + metrics.part_gap, metrics.rows * row_height};
}

KvCacheHit KvCacheLayout::place_at(QPointF point) const {
  for (int which = 0; which < metrics.bars; ++which)
    if (bar(which).contains(point)) return {KvCacheHit::Part::bar, which, -1, -1};
  const int row = static_cast<int>(std::floor((point.y() - top) / row_height));
  if (row < 0 || row >= metrics.rows) return {};
  if (name(row).contains(point)) return {KvCacheHit::Part::name, row, -1, -1};
  for (int layer = 0; layer < metrics.layers; ++layer)
    for (const bool value : {false, true})
      for (int each = 0; each < metrics.groups && part(layer, value, row).contains(point); ++each)
        if (group(layer, value, row, each).contains(point))
          return {value ? KvCacheHit::Part::value : KvCacheHit::Part::key, row, layer, each};
  return {};
}

}  // namespace headlight
