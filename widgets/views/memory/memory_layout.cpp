#include "widgets/views/memory/memory_layout.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Part = MemoryHit::Part;

constexpr double kPause = 16;     // between reading and writing
constexpr double kStageGap = 12;  // between stages

int part_of(double x, double from, double size, int count) {
  const int at = static_cast<int>(std::floor((x - from) / size));
  return at >= 0 && at < count ? at : -1;
}

}  // namespace

MemoryLayout MemoryLayout::of(const Metrics& m) {
  MemoryLayout at;
  at.metrics = m;
  const double least_stage = std::max(m.least_stage, m.stage_words);
  const double fixed = m.name + kPause + 2 * m.gap + kStages * kStageGap + m.letter + m.margin;
  const double room = m.view.width() - fixed;
  const auto sum = [&](double share) {
    const auto between = [share](double least, double most) { return least + share * std::max(0.0, most - least); };
    at.step_width = between(m.least_step, m.most_step);
    at.stage_width = between(least_stage, std::max(least_stage, m.most_stage));
    at.number_width = between(m.least_number, m.most_number);
    return m.steps * at.step_width + kStages * at.stage_width + m.columns * at.number_width;
  };
  const double least = sum(0), most = sum(1);
  sum(most > least ? std::clamp((room - least) / (most - least), 0.0, 1.0) : 0);
  at.top = m.title + m.token;
  const double vectors = 2 * m.vector + 8;
  at.row_height =
      std::clamp((m.view.height() - at.top - m.foot - vectors) / std::max(1, m.rows), m.least_row, m.most_row);
  at.heads_left = m.name;
  at.stages_left = at.heads_left + m.steps * at.step_width + kPause + m.gap;
  at.memory_left = at.stages_left + kStages * (at.stage_width + kStageGap) + m.gap - kStageGap;
  at.width = at.memory_left + m.columns * at.number_width + m.letter + m.margin;
  at.height = at.bottom() + vectors + m.foot;
  return at;
}

double MemoryLayout::step_left(int step) const {
  return heads_left + step * step_width + (step >= metrics.reads ? kPause : 0);
}
double MemoryLayout::border() const { return heads_left + metrics.reads * step_width + kPause / 2; }

QRectF MemoryLayout::row(int at) const {
  return {metrics.margin / 2, top + at * row_height, width - metrics.margin / 2, row_height};
}
QRectF MemoryLayout::token(int step) const { return {step_left(step), metrics.title, step_width, metrics.token}; }
QRectF MemoryLayout::heads(int step, int at) const { return {step_left(step), row(at).top(), step_width, row_height}; }
QRectF MemoryLayout::stage(int which, int at) const {
  return {stages_left + which * (stage_width + kStageGap), row(at).top(), stage_width, row_height};
}
QRectF MemoryLayout::stage_words(int which) const {
  return {stage(which, 0).left(), bottom() + 6, stage_width + kStageGap - 2, 2 * metrics.vector + metrics.foot - 6};
}
QRectF MemoryLayout::number(int column, int at) const {
  return {memory_left + column * number_width, row(at).top(), number_width, row_height};
}
QRectF MemoryLayout::erase(int column) const {
  return {memory_left + column * number_width, bottom() + 6, number_width, metrics.vector};
}
QRectF MemoryLayout::add(int column) const { return erase(column).translated(0, metrics.vector + 2); }
QRectF MemoryLayout::words() const {
  return {heads_left, bottom() + 8, stages_left - metrics.gap - heads_left, 2 * metrics.vector + metrics.foot - 8};
}

MemoryHit MemoryLayout::place_at(QPointF point) const {
  const auto step_at = [&] {
    const bool writes = point.x() >= border();
    const int step = part_of(point.x(), writes ? step_left(metrics.reads) : heads_left, step_width,
                             writes ? metrics.steps - metrics.reads : metrics.reads);
    return step < 0 ? -1 : step + (writes ? metrics.reads : 0);
  };
  const int at = part_of(point.y(), top, row_height, metrics.rows);
  const int column = part_of(point.x(), memory_left, number_width, metrics.columns);
  if (point.y() >= metrics.title && point.y() < top) {
    const int step = step_at();
    return step < 0 ? MemoryHit{} : MemoryHit{Part::token, step, -1, -1, -1};
  }
  if (at < 0) {
    if (column >= 0 && erase(0).top() <= point.y() && point.y() < erase(0).bottom())
      return {Part::erase, -1, -1, column, -1};
    if (column >= 0 && add(0).top() <= point.y() && point.y() < add(0).bottom()) return {Part::add, -1, -1, column, -1};
    return {};
  }
  if (point.x() < heads_left) return {Part::name, -1, at, -1, -1};
  if (const int step = point.x() < stages_left - metrics.gap ? step_at() : -1; step >= 0)
    return {Part::heads, step, at, -1, -1};
  for (int which = 0; which < kStages; ++which)
    if (const QRectF rect = stage(which, at); rect.contains(point)) return {Part::stage, -1, at, -1, which};
  if (column >= 0) return {Part::memory, -1, at, column, -1};
  return {};
}

}  // namespace headlight
