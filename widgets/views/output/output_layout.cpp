// Geometry of the output view.
#include "widgets/views/output/output_layout.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/core/scalar.h"

namespace headlight {

namespace {

// The level up to which `room` fills the columns: the sum of max(need, level) is the room, if that can be.
double level_of(std::vector<double> needs, double room) {
  std::ranges::sort(needs, std::greater<>());
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const double level = room / static_cast<double>(needs.size() - i);
    if (needs[i] <= level) return level;
    room -= needs[i];  // too wide to be widened: the others share the rest
  }
  return 0;
}

// What stands above the candidates.
double height_above(const OutputLayout::Metrics& m) {
  return m.margin + m.number_line + m.chip_height + 2 * m.gap + (m.draw_height > 0 ? m.draw_height + m.gap : 0);
}

}  // namespace

int OutputLayout::fitting(int all, int fewest, const Metrics& m) {
  const double room = m.height - height_above(m) - m.margin + m.gap;
  return std::min(all, std::max(fewest, static_cast<int>(room / (m.candidate_height + m.gap))));
}

OutputLayout OutputLayout::of(std::vector<double> needs, int candidates, const Metrics& m) {
  for (double& need : needs) need = std::max(std::ceil(need), m.smallest_column);
  OutputLayout layout;
  layout.metrics = m;
  layout.steps = static_cast<int>(needs.size());
  layout.candidates = std::max(0, candidates);
  const double gaps = std::max(0, layout.steps - 1) * m.gap;
  const double level = std::min(m.largest_column, level_of(needs, m.width - 2 * m.side - gaps));
  double left = m.side;
  for (const double need : needs) {
    layout.lefts.push_back(left);
    layout.widths.push_back(std::max(need, std::floor(level)));
    left += layout.widths.back() + m.gap;
  }
  const double rows = std::max(1, layout.candidates);
  const double above = height_above(m);
  const double down = (m.height - above - m.margin - (rows - 1) * m.gap) / rows;
  layout.candidate_height = std::floor(std::clamp(down, m.candidate_height, m.largest_candidate));
  layout.width = (needs.empty() ? m.side : left - m.gap) + m.side;
  layout.height = above + rows * layout.candidate_height + (rows - 1) * m.gap + m.margin;
  return layout;
}

QRectF OutputLayout::number_rect(int step) const {
  return {nth(lefts, step), metrics.margin, nth(widths, step), metrics.number_line};
}

QRectF OutputLayout::chip_rect(int step) const {
  const QRectF number = number_rect(step);
  return {number.left(), number.bottom(), number.width(), metrics.chip_height};
}

QRectF OutputLayout::draw_rect(int step) const {
  const QRectF chip = chip_rect(step);
  return {chip.left(), chip.bottom() + metrics.gap, chip.width(), metrics.draw_height};
}

QRectF OutputLayout::candidate_rect(int step, int rank) const {
  const QRectF chip = chip_rect(step);
  return {chip.left(), height_above(metrics) + rank * (candidate_height + metrics.gap), chip.width(), candidate_height};
}

QRectF OutputLayout::column_rect(int step) const {
  const QRectF top = number_rect(step);
  const QRectF bottom = candidates > 0 ? candidate_rect(step, candidates - 1) : chip_rect(step);
  return {top.left(), top.top(), top.width(), bottom.bottom() - top.top()};
}

OutputHit OutputLayout::place_at(QPointF point) const {
  const int step = static_cast<int>(std::ranges::upper_bound(lefts, point.x()) - lefts.begin()) - 1;
  if (step < 0 || !column_rect(step).adjusted(-0.5, 0, 0.5, 0.5).contains(point)) return {};
  for (int rank = 0; rank < candidates; ++rank)
    if (candidate_rect(step, rank).contains(point)) return {step, rank};
  return {step, -1};
}

}  // namespace headlight
