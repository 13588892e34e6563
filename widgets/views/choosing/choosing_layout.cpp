#include "widgets/views/choosing/choosing_layout.h"

#include <algorithm>

namespace headlight {

namespace {

// As many tokens around the chosen one as fit into the width.
std::vector<QRectF> steps_in(const ChoosingLayout::Metrics& m, double top, double height, double room) {
  std::vector<QRectF> places(m.steps.size());
  if (m.steps.empty()) return places;
  const auto width = [&](int step) { return m.steps[static_cast<std::size_t>(step)]; };
  const int count = static_cast<int>(m.steps.size()), at = std::clamp(m.step, 0, count - 1);
  int first = at, last = at;
  double used = width(at);
  for (bool grown = true; grown;) {
    grown = false;
    if (first > 0 && used + width(first - 1) <= room) used += width(--first), grown = true;
    if (last + 1 < count && used + width(last + 1) <= room) used += width(++last), grown = true;
  }
  double x = m.margin;
  for (int step = first; step <= last; ++step) {
    places[static_cast<std::size_t>(step)] = {x, top, std::min(width(step), room), height};
    x += width(step);
  }
  return places;
}

}  // namespace

ChoosingLayout ChoosingLayout::of(const Metrics& m) {
  ChoosingLayout made;
  made.metrics = m;
  const double room = std::max(0.0, m.width - 2 * m.margin);
  const int stages = std::max(1, m.stages);
  made.stage_width = std::clamp((room - m.name) / stages - m.gap, m.least_stage, m.most_stage);
  made.width = std::max(m.width, 2 * m.margin + m.name + stages * (made.stage_width + m.gap));
  made.strip = m.gap;
  made.steps = steps_in(m, made.strip, m.row, room);
  made.words = made.strip + m.row + m.gap / 2;
  made.heads = made.words + m.title + m.line + m.gap;
  made.top = made.heads + m.head;
  made.bottom = made.top + m.rows * m.row;
  made.height = made.bottom + (m.others ? m.row : 0) + m.row + m.gap;
  return made;
}

QRectF ChoosingLayout::head(int stage) const {
  return {metrics.margin + metrics.name + stage * (stage_width + metrics.gap), heads, stage_width, metrics.head};
}

QRectF ChoosingLayout::name(int row) const {
  return {metrics.margin, top + row * metrics.row, metrics.name - metrics.gap, metrics.row};
}

QRectF ChoosingLayout::cell(int row, int stage) const {
  const QRectF above = head(stage);
  return {above.left(), top + row * metrics.row, above.width(), metrics.row};
}

QRectF ChoosingLayout::line(int row) const {
  const QRectF last = cell(row, std::max(0, metrics.stages - 1));
  return QRectF(QPointF(metrics.margin - 8, last.top()), last.bottomRight()).adjusted(0, 0, 8, 0);
}

ChoosingHit ChoosingLayout::place_at(QPointF point) const {
  for (std::size_t step = 0; step < steps.size(); ++step)
    if (steps[step].contains(point)) return {ChoosingHit::Part::step, static_cast<int>(step), -1};
  int stage = -1;
  for (int at = 0; at < metrics.stages; ++at)
    if (point.x() >= head(at).left() && point.x() < head(at).right() + metrics.gap) stage = at;
  if (stage >= 0 && head(stage).contains(point)) return {ChoosingHit::Part::head, -1, stage};
  if (point.y() < top || point.y() >= bottom || metrics.row <= 0) return {};
  const int row = static_cast<int>((point.y() - top) / metrics.row);
  return line(row).contains(point) ? ChoosingHit{ChoosingHit::Part::cell, row, stage} : ChoosingHit{};
}

}  // namespace headlight
