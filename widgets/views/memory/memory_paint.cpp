// Painting the memory view.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/views/memory/memory_canvas.h"

namespace headlight {

void MemoryCanvas::paint(QPainter& painter, const QRectF&, bool) const {
  if (!run_ || layout_.steps == 0) return;
  paint_tape(painter);
  paint_time(painter, true);
  paint_time(painter, false);
  paint_memory(painter);
  const MemoryAddressing addressing = run_->addressing(head(), cursor_.step);
  paint_caption(painter, layout_.stages_caption,
                tr("how the %1 finds its place, slot 0 to %2")
                    .arg(memory_head_name(head(), run_->pairs()))
                    .arg(run_->slot_count() - 1),
                false);
  for (int stage = 0; stage < MemoryLayout::kStages; ++stage) paint_stage(painter, stage, addressing);
}

void MemoryCanvas::paint_caption(QPainter& painter, const QRectF& rect, const QString& text, bool chosen) const {
  const QFont font = Theme::instance().ui_font(0.9);
  write_line(painter, rect, kTopLeft, text, font, chosen ? Theme::instance().accent() : Theme::instance().text());
}

void MemoryCanvas::paint_tape(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  for (const auto& [rect, text] : {std::pair(layout_.tape_in, tr("reads")), std::pair(layout_.tape_out, tr("writes"))})
    write(painter, QRectF(layout_.tape_names.left(), rect.top(), layout_.tape_names.width(), rect.height()), kTopLeft,
          text, theme.ui_font(0.82), theme.muted_text());
  const auto marked = [&](const std::vector<AxisLabel>& labels) {
    return labels[static_cast<std::size_t>(cursor_.step)].text.isEmpty() ? -1 : cursor_.step;
  };
  draw_tokens(painter, layout_.tape_in, reads_, marked(reads_));
  draw_tokens(painter, layout_.tape_out, writes_, marked(writes_));
}

double MemoryCanvas::row_value(const Tensor& values, Index stride, Index column, int row, const QRectF& rect) const {
  const int shared = layout_.slots_of_row(rect);
  double most = 0;
  for (int slot = row * shared; slot < std::min(layout_.slot_count, (row + 1) * shared); ++slot)
    if (const auto value = static_cast<double>(values[slot * stride + column]); std::abs(value) > std::abs(most))
      most = value;
  return most;
}

const QImage& MemoryCanvas::weightings(bool writes) const {
  QImage& image = writes ? writing_ : reading_;
  if (!image.isNull()) return image;
  const QRectF& rect = writes ? layout_.writing : layout_.reading;
  std::vector<Tensor> steps;
  for (int step = 0; step < run_->step_count(); ++step)
    steps.push_back(run_->weighting({head().pair, writes}, step).value);
  image = cell_picture(run_->step_count(), layout_.rows(rect), CellScale(), [&](int step, int row) {
    return row_value(steps[static_cast<std::size_t>(step)], 1, 0, row, rect);
  });
  return image;
}

void MemoryCanvas::paint_time(QPainter& painter, bool writes) const {
  const Theme& theme = Theme::instance();
  const QRectF& rect = writes ? layout_.writing : layout_.reading;
  const MemoryHeadName each{head().pair, writes};
  paint_caption(painter, writes ? layout_.writing_caption : layout_.reading_caption,
                tr("%1: where it is at each step").arg(memory_head_name(each, run_->pairs())), head() == each);
  draw_cells(painter, rect, weightings(writes));
  const QRectF names(layout_.metrics.margin, rect.top() - 1, layout_.metrics.side - 4, rect.height() + 2);
  write(painter, names, kTopRight, QStringLiteral("0"), theme.ui_font(0.78), theme.muted_text());
  painter.drawText(names, Qt::AlignRight | Qt::AlignBottom, QString::number(run_->slot_count() - 1));
  const double across = rect.width() / std::max(1, layout_.steps);
  painter.setRenderHint(QPainter::Antialiasing);
  // Where reading ends and writing begins.
  for (int step = 0; step < layout_.steps; ++step)
    if (run_->steps()[static_cast<std::size_t>(step)].kind == MemoryStep::Kind::delimiter) {
      const double x = rect.left() + (step + 1) * across;
      draw_line(painter, QPointF(x, rect.top()), QPointF(x, rect.bottom()), QPen(theme.muted_text(), 1, Qt::DotLine));
    }
  const auto column = [&](int step) { return QRectF(rect.left() + step * across, rect.top(), across, rect.height()); };
  if (hover_step_ >= 0 && hover_step_ != cursor_.step)
    draw_box(painter, column(hover_step_), 0, QPen(theme.hover(), 1.2));
  draw_box(painter, column(cursor_.step), 0, theme.accent());
  if (head() != each) return;
  const QRectF slot = layout_.slot_row(rect, cursor_.slot);
  draw_outline(
      painter,
      QRectF(column(cursor_.step).left(), slot.top(), across, std::max(2.0, slot.height())).adjusted(-1, -1, 1, 1),
      hasFocus() ? 2.2 : 1.6);
}

void MemoryCanvas::paint_vector(QPainter& painter, const QRectF& rect, const MemoryValue& vector,
                                bool is_signed) const {
  if (!vector.value.defined()) return;
  const CellScale scale =
      is_signed ? CellScale::around_zero(std::max(1e-9, static_cast<double>(vector.value.array().abs().maxCoeff())))
                : CellScale::up_to(1);
  draw_cells(painter, rect, cell_picture(layout_.columns, 1, scale, [&](int column, int) {
               return static_cast<double>(vector.value[column]);
             }));
}

void MemoryCanvas::paint_bars(QPainter& painter, const QRectF& rect, const MemoryValue& weighting, bool chosen) const {
  const Theme& theme = Theme::instance();
  painter.setRenderHint(QPainter::Antialiasing, false);
  draw_box(painter, rect.adjusted(-1, -1, 0, 0), 0, QPen(theme.grid(), 1));
  painter.setPen(Qt::NoPen);
  painter.setBrush(chosen ? theme.accent() : theme.weight(0.72));
  for (int row = 0; row < layout_.rows(rect); ++row) {
    const QRectF all = layout_.slot_row(rect, row * layout_.slots_of_row(rect));
    const double width = row_value(weighting.value, 1, 0, row, rect) * rect.width();
    if (width >= 0.5) painter.drawRect(QRectF(all.left(), all.top(), width, std::max(1.0, all.height() - 0.5)));
  }
}

void MemoryCanvas::paint_memory(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const Tensor values = run_->memory(cursor_.step).value;
  const auto scale = CellScale::around_zero(std::max(1e-9, static_cast<double>(values.array().abs().maxCoeff())));
  const QRectF& rect = layout_.memory;
  paint_caption(
      painter, layout_.memory_caption,
      tr("memory after %1 (%2)")
          .arg(memory_step_name(run_->steps()[static_cast<std::size_t>(cursor_.step)], cursor_.step), scale.text()),
      cursor_.part == MemoryCursor::Part::memory);
  draw_cells(painter, rect, cell_picture(layout_.columns, layout_.rows(rect), scale, [&](int column, int row) {
               return row_value(values, run_->width(), column, row, rect);
             }));
  paint_vector(painter, layout_.erase, run_->erase(head().pair, cursor_.step), false);
  paint_vector(painter, layout_.add, run_->add(head().pair, cursor_.step), true);
  const QFont small = theme.ui_font(0.78);
  const auto name = [&](const QRectF& beside, const QString& text) {
    const QRectF place(layout_.vector_names.left(), beside.center().y() - 20, layout_.vector_names.width(), 40);
    write_line(painter, place, kLeft, text, small, theme.muted_text());
  };
  name(layout_.erase, tr("erase"));
  name(layout_.add, tr("add"));
  const MemoryHeadName write{head().pair, true}, read{head().pair, false};
  paint_bars(painter, layout_.write_bars, run_->weighting(write, cursor_.step), head().writes);
  paint_bars(painter, layout_.read_bars, run_->weighting(read, cursor_.step), !head().writes);
  for (const auto& [bars, text] :
       {std::pair(layout_.write_bars, tr("writes")), std::pair(layout_.read_bars, tr("reads"))})
    write_line(painter, {bars.left(), layout_.bars_caption.top(), bars.width() + 4, layout_.bars_caption.height()},
               kTopLeft, text, small, theme.muted_text());
  painter.setRenderHint(QPainter::Antialiasing);
  for (const QRectF& part : {rect, layout_.write_bars, layout_.read_bars}) {
    const QRectF row = layout_.slot_row(part, cursor_.slot);
    draw_box(painter, {row.left(), row.top(), row.width(), std::max(2.0, row.height())}, 0, theme.accent());
  }
  const double across = rect.width() / std::max(1, layout_.columns);
  const QRectF row = layout_.slot_row(rect, cursor_.slot);
  const auto cell = [&](const QRectF& of) {
    return QRectF(rect.left() + cursor_.column * across, of.top(), across, std::max(2.0, of.height()));
  };
  using Chosen = MemoryCursor::Part;
  if (cursor_.part == Chosen::memory) draw_outline(painter, cell(row).adjusted(-1, -1, 1, 1), 1.8);
  if (cursor_.part == Chosen::erase) draw_outline(painter, cell(layout_.erase), 1.8);
  if (cursor_.part == Chosen::add) draw_outline(painter, cell(layout_.add), 1.8);
}

void MemoryCanvas::paint_stage(QPainter& painter, int index, const MemoryAddressing& addressing) const {
  const Theme& theme = Theme::instance();
  const MemoryLayout::Stage& place = layout_.stages[static_cast<std::size_t>(index)];
  const MemoryStage stage = memory_stage(addressing, index);
  const bool chosen = cursor_.part == MemoryCursor::Part::stage && cursor_.stage == index;
  const QFont words = theme.ui_font(0.9), small = theme.ui_font(0.82);
  QRectF title = place.words, sentence = place.words;
  const double wide = QFontMetricsF(words).horizontalAdvance(stage.name) + 10;
  if (place.words.height() > 1.6 * layout_.metrics.line) {
    title.setHeight(place.words.height() / 2);
    sentence.setTop(title.bottom());
  } else {
    sentence.setLeft(std::min(sentence.left() + wide, sentence.right()));
  }
  write_line(painter, title, kLeft, stage.name, words, chosen ? theme.accent() : theme.text());
  painter.setFont(small);
  painter.setPen(theme.muted_text());
  if (sentence.width() > 40) write_line(painter, sentence, kLeft, stage.sentence);
  const QRectF& rect = place.picture;
  painter.setRenderHint(QPainter::Antialiasing, false);
  draw_box(painter, rect.adjusted(-1, -1, 0, 0), 0, QPen(theme.grid(), 1));
  const double zero = stage.is_signed ? rect.center().y() : rect.bottom();
  const double tall = stage.is_signed ? rect.height() / 2 : rect.height();
  if (stage.is_signed) painter.drawLine(QPointF(rect.left(), zero), QPointF(rect.right(), zero));
  const QRectF mark = layout_.slot_column(rect, cursor_.slot);
  QColor band = theme.accent();
  band.setAlphaF(0.25f);
  painter.fillRect(QRectF(mark.left(), rect.top(), std::max(2.0, mark.width()), rect.height()), band);
  painter.setPen(Qt::NoPen);
  for (int slot = 0; slot < layout_.slot_count; ++slot) {
    const double value = std::clamp(static_cast<double>(stage.value.value[slot]), -1.0, 1.0);
    const QRectF column = layout_.slot_column(rect, slot);
    const double top = zero - std::max(0.0, value) * tall, size = std::abs(value) * tall;
    if (size < 0.4) continue;
    painter.setBrush(stage.is_signed ? theme.signed_value(value > 0 ? 0.75 : -0.75) : theme.weight(0.72));
    painter.drawRect(QRectF(column.left(), top, std::max(1.0, column.width() - 0.6), size));
  }
}

}  // namespace headlight
