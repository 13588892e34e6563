#include "widgets/views/memory/memory_layout.h"

#include <algorithm>
#include <cmath>

#include "widgets/matrix/cell_picture.h"

namespace headlight {

MemoryLayout MemoryLayout::of(int steps, int slot_count, int columns, const Metrics& m) {
  MemoryLayout layout;
  layout.metrics = m;
  layout.steps = steps;
  layout.slot_count = slot_count;
  layout.columns = columns;
  if (steps <= 0 || slot_count <= 0) return layout;
  const double time_least = m.side + std::max(m.smallest_width, steps * m.smallest_step);
  const double inside = std::max(m.view.width() - 2 * m.margin, time_least);
  const bool beside = inside >= time_least + m.gap + m.smallest_width + m.side;
  const double left = beside ? std::max(time_least, std::floor(inside * 0.52)) : inside;
  const double right = beside ? inside - left - m.gap : inside;
  const double tokens = tokens_height(m.widest, m.line, (left - m.side) / steps, m.most_tokens);
  const double picture_least = std::max(m.smallest_picture, std::min(160.0, slot_count * m.smallest_slot));
  const double time_needed = 2 * tokens + 4 + 2 * (m.caption + picture_least) + m.gap;
  const double memory_needed = m.caption + 2 * (m.vector + 2) + 4 + 2 * picture_least;
  const double upper_needed = beside ? std::max(time_needed, memory_needed) : time_needed + m.gap + memory_needed;
  const double others = 2 * m.margin + upper_needed + m.gap + m.caption;
  const double stage_row = m.line * (others + kStages * (m.line * 2 + 6) <= m.view.height() ? 2 : 1) + 6;
  const double needed = others + kStages * stage_row, stages = m.caption + kStages * stage_row;
  layout.width = inside + 2 * m.margin;
  layout.height = std::max(m.view.height(), needed);
  const double extra = layout.height - needed;
  const double time_height = beside ? upper_needed + extra : time_needed + extra / 2;

  // The tape and the heads along the time.
  const double picture = std::floor((time_height - 2 * tokens - 4 - 2 * m.caption - m.gap) / 2);
  const double x = m.margin + m.side, wide = left - m.side;
  double y = m.margin;
  layout.tape_in = QRectF(x, y, wide, tokens);
  layout.tape_out = QRectF(x, y + tokens + 2, wide, tokens);
  layout.tape_names = QRectF(m.margin, y, m.side - 4, 2 * tokens + 2);
  y += 2 * tokens + 4;
  for (const auto& [caption, rect] :
       {std::pair(&layout.writing_caption, &layout.writing), std::pair(&layout.reading_caption, &layout.reading)}) {
    *caption = QRectF(m.margin, y, left, m.caption);
    *rect = QRectF(x, y + m.caption, wide, picture);
    y += m.caption + picture + m.gap;
  }
  // The memory at one step.
  const double memory_left = beside ? m.margin + left + m.gap : m.margin;
  double top = beside ? m.margin : y;
  const double bottom = beside ? y - m.gap : layout.height - m.margin - stages - m.gap;
  const double bars = std::clamp(std::floor(right * 0.16), 34.0, 90.0), table = right - 2 * bars - 12;
  layout.memory_caption = QRectF(memory_left, top, right, m.caption);
  top += m.caption;
  layout.erase = QRectF(memory_left, top, table, m.vector);
  layout.add = QRectF(memory_left, top + m.vector + 2, table, m.vector);
  layout.vector_names = QRectF(memory_left + table + 6, top, 2 * bars + 6, 2 * m.vector + 2);
  top += 2 * (m.vector + 2) + 4;
  const double below = bottom - top - m.line;
  layout.memory = QRectF(memory_left, top, table, below);
  layout.write_bars = QRectF(memory_left + table + 6, top, bars, below);
  layout.read_bars = QRectF(layout.write_bars.right() + 6, top, bars, below);
  layout.bars_caption = QRectF(layout.write_bars.left(), top + below, 2 * bars + 6, m.line);
  // The stages of the addressing.
  y = bottom + m.gap;
  layout.stages_caption = QRectF(m.margin, y, inside, m.caption);
  y += m.caption;
  const double words = std::floor(std::min(m.words, inside * 0.5));
  for (Stage& stage : layout.stages) {
    stage.words = QRectF(m.margin, y, words - 8, stage_row - 3);
    stage.picture = QRectF(m.margin + words, y + 1, inside - words, stage_row - 5);
    y += stage_row;
  }
  return layout;
}

int MemoryLayout::slots_of_row(const QRectF& rect) const {
  return std::max(1, static_cast<int>(std::ceil(slot_count * metrics.smallest_slot / std::max(1.0, rect.height()))));
}

int MemoryLayout::rows(const QRectF& rect) const {
  const int shared = slots_of_row(rect);
  return (slot_count + shared - 1) / shared;
}

double MemoryLayout::step_x(const QRectF& rect, int step) const {
  return rect.left() + rect.width() * (step + 0.5) / std::max(1, steps);
}

QRectF MemoryLayout::slot_row(const QRectF& rect, int slot) const {
  const double down = rect.height() / std::max(1, rows(rect));
  return {rect.left(), rect.top() + slot / slots_of_row(rect) * down, rect.width(), down};
}

QRectF MemoryLayout::slot_column(const QRectF& rect, int slot) const {
  const double across = rect.width() / std::max(1, slot_count);
  return {rect.left() + slot * across, rect.top(), across, rect.height()};
}

MemoryHit MemoryLayout::place_at(QPointF point) const {
  using Part = MemoryHit::Part;
  const auto slot_in = [&](const QRectF& rect) {
    const int row = part_at(point.y(), rect.top(), rect.height(), rows(rect));
    return std::min(slot_count - 1, row * slots_of_row(rect));
  };
  const auto step_in = [&](const QRectF& rect) { return part_at(point.x(), rect.left(), rect.width(), steps); };
  const auto column_in = [&](const QRectF& rect) { return part_at(point.x(), rect.left(), rect.width(), columns); };
  for (const QRectF& rect : {tape_in, tape_out})
    if (rect.contains(point)) return {Part::tape, step_in(rect), -1, -1, -1};
  if (writing.contains(point)) return {Part::writing, step_in(writing), slot_in(writing), -1, -1};
  if (reading.contains(point)) return {Part::reading, step_in(reading), slot_in(reading), -1, -1};
  if (memory.contains(point)) return {Part::memory, -1, slot_in(memory), column_in(memory), -1};
  if (write_bars.contains(point)) return {Part::write_bars, -1, slot_in(write_bars), -1, -1};
  if (read_bars.contains(point)) return {Part::read_bars, -1, slot_in(read_bars), -1, -1};
  if (erase.contains(point)) return {Part::erase, -1, -1, column_in(erase), -1};
  if (add.contains(point)) return {Part::add, -1, -1, column_in(add), -1};
  for (int i = 0; i < kStages; ++i) {
    const Stage& stage = stages[static_cast<std::size_t>(i)];
    if (stage.picture.contains(point))
      return {Part::stage, -1, part_at(point.x(), stage.picture.left(), stage.picture.width(), slot_count), -1, i};
    if (stage.words.contains(point)) return {Part::stage, -1, -1, -1, i};
  }
  return {};
}

}  // namespace headlight
