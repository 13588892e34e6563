#include "widgets/views/kv_cache/kv_cache_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

KvCacheLayout KvCacheLayout::of(const Metrics& m) {
  KvCacheLayout layout;
  layout.metrics = m;
  layout.left = m.margin + m.name + m.share;
  layout.top = m.margin / 2 + m.summary + m.bars * m.bar + m.label;
  const int layers = std::max(1, m.layers);
  const double room = m.view.width() - layout.left - m.kept - m.margin - (layers - 1) * m.layer_gap;
  const double equal = (room / layers - m.part_gap) / 2;
  const double alone = (room - (layers - 1) * (2 * m.least_part + m.part_gap) - m.part_gap) / 2;
  const double chosen = equal >= m.wanted ? equal : std::min(m.wanted, std::max(equal, alone));
  const double other = layers > 1 ? ((room - 2 * chosen - m.part_gap) / (layers - 1) - m.part_gap) / 2 : chosen;
  layout.chosen_width = std::floor(std::clamp(chosen, m.least_part, m.most_part));
  layout.other_width = std::floor(std::clamp(other, m.least_part, m.most_part));
  const double gap = m.source_rows > 0 ? m.source_gap : 0;
  const double high = m.view.height() - layout.top - gap - m.margin / 2;
  layout.row_height = std::floor(std::clamp(high / std::max(1, layout.rows()), m.least_row, m.most_row));
  layout.width = std::max(m.view.width(), layout.right() + m.kept + m.margin);
  layout.height = std::max(m.view.height(), layout.top + gap + layout.rows() * layout.row_height + m.margin / 2);
  return layout;
}

QRectF KvCacheLayout::summary() const {
  return {metrics.margin, metrics.margin / 2, metrics.view.width() - 2 * metrics.margin, metrics.summary};
}

QRectF KvCacheLayout::bar(int which) const {
  const QRectF words = summary();
  return {words.left(), words.bottom() + which * metrics.bar, words.width(), metrics.bar};
}

QRectF KvCacheLayout::name(int row) const { return {metrics.margin, y(row), metrics.name, row_height}; }

QRectF KvCacheLayout::share(int row) const {
  return {metrics.margin + metrics.name, y(row), metrics.share, row_height};
}

QRectF KvCacheLayout::kept(int row) const { return {right(), y(row), metrics.kept, row_height}; }

QRectF KvCacheLayout::source_label() const {
  return {metrics.margin, y(metrics.rows) - metrics.source_gap, right() - metrics.margin, metrics.source_gap};
}

QRectF KvCacheLayout::part(int layer, bool value, int row) const {
  double x = left;
  for (int each = 0; each < layer; ++each) x += 2 * part_width(each) + metrics.part_gap + metrics.layer_gap;
  const double wide = part_width(layer);
  return {x + (value ? wide + metrics.part_gap : 0), y(row), wide, row_height};
}

QRectF KvCacheLayout::group(int layer, bool value, int row, int group) const {
  const QRectF all = part(layer, value, row);
  const double wide = all.width() / std::max(1, metrics.groups);
  return {all.left() + group * wide, all.top(), wide, all.height()};
}

QRectF KvCacheLayout::label(int layer) const {
  return {part(layer, false, 0).left(), top - metrics.label, 2 * part_width(layer) + metrics.part_gap, metrics.label};
}

double KvCacheLayout::right() const { return part(std::max(0, metrics.layers - 1), true, 0).right(); }

QRectF KvCacheLayout::row(int row) const {
  const QRectF first = name(row);
  return {first.left(), first.top(), right() - first.left(), first.height()};
}

QRectF KvCacheLayout::layer(int layer) const {
  return {part(layer, false, 0).left(), top, 2 * part_width(layer) + metrics.part_gap, name(rows() - 1).bottom() - top};
}

KvCacheHit KvCacheLayout::place_at(QPointF point) const {
  for (int which = 0; which < metrics.bars; ++which)
    if (bar(which).contains(point)) return {KvCacheHit::Part::bar, which, -1, -1};
  int row = static_cast<int>(std::floor((point.y() - top) / row_height));
  if (row >= metrics.rows && metrics.source_rows > 0)
    row = std::max(metrics.rows, static_cast<int>(std::floor((point.y() - top - metrics.source_gap) / row_height)));
  if (row < 0 || row >= rows() || point.y() < y(row)) return {};
  if (name(row).contains(point) || share(row).contains(point) || kept(row).contains(point))
    return {KvCacheHit::Part::name, row, -1, -1};
  for (int layer = 0; layer < metrics.layers; ++layer)
    for (const bool value : {false, true})
      for (int each = 0; each < metrics.groups && part(layer, value, row).contains(point); ++each)
        if (group(layer, value, row, each).contains(point))
          return {value ? KvCacheHit::Part::value : KvCacheHit::Part::key, row, layer, each};
  return {};
}

}  // namespace headlight
