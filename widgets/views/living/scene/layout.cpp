#include "widgets/views/living/scene/layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

struct FamilyRow {
  LivingMap::Family family;
  const LivingPlan* layout;
};

}  // namespace

const LivingPlan* living_plan(LivingMap::Family family) {
  using F = LivingMap::Family;
  static const FamilyRow kFamilies[] = {
      {F::decoder_only, &kStackedPlan}, {F::encoder_only, &kStackedPlan}, {F::encoder_decoder, &kStackedPlan},
      {F::convolution, &kStackedPlan},  {F::recurrent, &kRecurrentPlan},  {F::memory, &kMemoryPlan},
  };
  for (const FamilyRow& row : kFamilies)
    if (row.family == family) return row.layout;
  return nullptr;
}

double footer_height(const LivingMetrics& metrics) { return std::max(26.0, metrics.small + 10); }

void put_footer(LivingLayout& layout) {
  const LivingMetrics& m = layout.metrics;
  const double high = footer_height(m), key = std::max(16.0, m.small + 1), wide = std::max(156.0, 9.5 * m.small);
  layout.key = {m.view.width() - wide - kMargin, m.view.height() - high + (high - key) / 2, wide, key};
  layout.words = {kMargin, m.view.height() - high + 2, layout.key.left() - 2 * kMargin, high - 4};
}

double next_width(const LivingMetrics& metrics) {
  const double words = metrics.next + std::max(96.0, 6.4 * metrics.small) + kMargin / 2;
  return std::max(metrics.corner.width(), std::min(0.3 * metrics.view.width(), words));
}

double below_corner(const LivingMetrics& metrics, double y) {
  return metrics.corner.isEmpty() ? y : std::max(y, metrics.corner.height() + 2);
}

LivingSizes LivingLayout::sizes() const {
  LivingSizes sizes;
  for (const LivingRow& row : rows)
    if (row.bed > 0) sizes.lane = sizes.lane == 0 ? row.pitch : std::min(sizes.lane, row.pitch);
  for (const LivingStop& stop : stops)
    if (stop.shown && stop.after > stop.x0) sizes.layer = std::max(sizes.layer, stop.after - stop.x0);
  return sizes;
}

int LivingLayout::lane_at(QPointF page) const {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LivingRow& row = rows[i];
    const double left = row.named ? row.name_right - metrics.names - 16 : row.x0 - 6;
    if (row.bed > 0 && std::abs(page.y() - row.y) <= row.pitch / 2 && page.x() >= left && page.x() <= row.x1 + 8)
      return static_cast<int>(i);
  }
  return -1;
}

}  // namespace headlight
