#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/memory/memory_canvas.h"

namespace headlight {

void MemoryCanvas::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (!run_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  // The chosen slot and step run through all three parts: what is chosen is what the picture is about, in files too.
  if (const int chosen = row(); chosen >= 0) draw_box(painter, layout_.row(chosen), 5, Qt::NoPen, tokens().wash);
  const QRectF token = layout_.token(cursor_.step);
  painter.fillRect(QRectF(token.left(), token.top(), token.width(), layout_.bottom() - token.top()), tokens().wash);
  paint_titles(painter);
  paint_heads(painter, marks);
  paint_stages(painter, marks);
  paint_memory(painter, marks);
}

void MemoryCanvas::paint_titles(QPainter& painter) const {
  const Tokens& t = tokens();
  const QFont title = bold_font(type::kTitle), small = theme().ui_font(type::kSource);
  const double high = QFontMetricsF(title).height(), low = QFontMetricsF(small).height();
  const auto part = [&](double left, double right, const QString& text, const QString& below) {
    const double wide = right - left;
    write_line(painter, QRectF(left, 0, wide, high + 2), kLeft, text, title, t.ink);
    write_line(painter, QRectF(left, high + 2, wide, low + 2), kLeft, below, small, t.ink2);
  };
  const double middle = layout_.step_left(layout_.metrics.reads), end = layout_.stages_left - 12;
  // Two halves of one sentence, where both have room.
  const QString first = tr("First it writes down,"), then = tr("then it looks it up");
  const QFontMetricsF metrics(title);
  const bool both = metrics.horizontalAdvance(first) <= middle - layout_.heads_left - 6 &&
                    metrics.horizontalAdvance(then) <= end - middle;
  if (both) {
    part(layout_.heads_left, middle - 6, first, tr("the token it reads"));
    part(middle, end, then, tr("the token it writes"));
  } else {
    part(layout_.heads_left, end, tr("Where it writes and reads"), tr("at each token"));
  }
  const int slot = slot_of(cursor_);
  part(layout_.stages_left, layout_.memory_left - 8,
       head().writes ? tr("How it chose slot %1 to write").arg(counted(slot))
                     : tr("How it found slot %1").arg(counted(slot)),
       memory_step_name(nth(run_->steps(), cursor_.step), cursor_.step));
  const double room = layout_.width - layout_.memory_left;
  const auto fitting = [room](const QFont& font, const QString& text, const QString& shorter) {
    return text_width(text, font) <= room ? text : shorter;
  };
  part(layout_.memory_left, layout_.width, fitting(title, tr("What is in the memory"), tr("Contents")),
       fitting(small, tr("%1 numbers a slot, after this step").arg(run_->width()), tr("after this step")));
}

// Its token, and what its heads write and read in each slot.
void MemoryCanvas::paint_step(QPainter& painter, int step, bool marks) const {
  const Tokens& t = tokens();
  const AxisLabel& label = nth(labels_, step);
  const QRectF place = layout_.token(step);
  const bool here = step == cursor_.step;
  QFont font =
      label.special || label.muted ? special_font(theme().ui_font(type::kSource)) : theme().token_font(type::kQuestion);
  for (double size = type::kQuestion; size > type::kHead && text_width(label.text, font) > place.width(); size -= 0.15)
    font = theme().token_font(size);
  if (here)
    draw_box(painter,
             QRectF(place.center().x() - std::min(16.0, place.width() / 2), place.top() + 2,
                    std::min(32.0, place.width()), place.height() - 6),
             5, QPen(t.accent, 2), t.wash);
  write(painter, place.adjusted(-8, -2, 8, -2), kCentre, label.text, font,
        here                           ? t.accent
        : label.muted || label.special ? t.ink2
                                       : t.ink);
  const Tensor writes = run_->weighting({head().pair, true}, step).value,
               reads = run_->weighting({head().pair, false}, step).value;
  for (int r = 0; r < layout_.metrics.rows; ++r) {
    const Index slot = nth(slots_, r);
    const double written = static_cast<double>(writes[slot]), read = static_cast<double>(reads[slot]);
    const QRectF cell = layout_.heads(step, r);
    const QColor fill = theme().weight(written);
    const bool washed = (step == cursor_.step || slot == cursor_.slot) && written < 0.03;
    draw_tile(painter, cell, washed ? t.wash : fill);
    if (read >= 0.02) {  // a ring, by its area
      const double most = std::min(cell.width(), cell.height()) / 2 - 3;
      const double radius = std::max(2.0, most * std::sqrt(std::max(0.25, read)));
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(written > 0.4 ? Theme::readable_on(fill) : theme().weight(read > 0.75 ? 0.85 : 0.6),
                          theme().line(read > 0.75 ? 2.6 : 1.4)));
      painter.drawEllipse(cell.center(), radius, radius);
    }
    if (step == cursor_.step && slot == cursor_.slot && cursor_.part == MemoryCursor::Part::weighting)
      draw_ring(painter, cell, t.accent);
    else if (marks && hovered().step == step && hovered().row == r)
      draw_ring(painter, cell, t.ink, 1.4);
  }
}

// What tiles and rings are, and what is true of the whole run.
void MemoryCanvas::paint_key(QPainter& painter) const {
  const Tokens& t = tokens();
  const QFont small = theme().ui_font(type::kSource);
  const double line = QFontMetricsF(small).height();
  const QRectF words = layout_.words();
  double x = words.left();
  draw_box(painter, QRectF(x, words.top() + (line - 12) / 2, 16, 12), 3, Qt::NoPen, theme().weight(1));
  x += 22;
  write(painter, QRectF(x, words.top(), 300, line), kLeft, tr("writes there"), small, t.ink2);
  x += text_width(tr("writes there"), small) + 24;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().weight(0.85), theme().line(2.4)));
  painter.drawEllipse(QPointF(x, words.top() + line / 2), 6, 6);
  write(painter, QRectF(x + 12, words.top(), 300, line), kLeft, tr("reads there"), small, t.ink2);
  write_words(painter, words.adjusted(0, line + 6, 0, 0), sentences().join('\n'), small, t.ink2);
}

void MemoryCanvas::paint_heads(QPainter& painter, bool marks) const {
  const Tokens& t = tokens();
  const MemoryLayout::Metrics& m = layout_.metrics;
  for (int step = 0; step < m.steps; ++step) paint_step(painter, step, marks);
  if (marks && hover_step_ >= 0 && hover_step_ != cursor_.step) {
    const QRectF place = layout_.token(hover_step_);
    draw_line(painter, {place.left() + 3, place.bottom() - 2}, {place.right() - 3, place.bottom() - 2}, QPen(t.ink, 2));
  }
  for (int r = 0; r < m.rows; ++r) {
    const bool here = nth(slots_, r) == cursor_.slot;
    write(painter, QRectF(m.margin, layout_.row(r).top(), m.name - m.margin, layout_.row_height), kLeft,
          tr("slot %1").arg(counted(nth(slots_, r))), here ? bold_font() : theme().ui_font(), here ? t.accent : t.ink2);
  }
  if (m.reads > 0 && m.reads < m.steps)
    draw_line(painter, {layout_.border(), m.title}, {layout_.border(), layout_.bottom()},
              QPen(t.ink2, 1.3, Qt::DashLine));
  paint_key(painter);
}

void MemoryCanvas::paint_stages(QPainter& painter, bool marks) const {
  const Tokens& t = tokens();
  const QFont small = theme().ui_font(type::kSource);
  const MemoryAddressing addressing = run_->addressing(head(), cursor_.step);
  for (int which = 0; which < MemoryLayout::kStages; ++which) {
    const Tensor values = memory_stage(addressing, which + 1).value.value;
    for (int r = 0; r < layout_.metrics.rows; ++r) {
      const double value = static_cast<double>(values[nth(slots_, r)]);
      const QRectF cell = layout_.stage(which, r);
      const double high = std::max(6.0, cell.height() - 16);
      const QRectF bar(cell.left(), cell.center().y() - high / 2, cell.width(), high);
      draw_box(painter, bar, 3, Qt::NoPen, t.well);
      const double wide = std::clamp(value, 0.0, 1.0) * bar.width();
      const QColor fill = theme().weight(0.35 + 0.55 * std::clamp(value, 0.0, 1.0));
      if (value >= 0.02)
        draw_box(painter, QRectF(bar.left(), bar.top(), std::max(3.0, wide), high), 3, Qt::NoPen, fill);
      if (value >= 0.1) {
        const QString text = short_share(value);
        const double room = text_width(text, small) + 8;
        const bool inside = wide >= room;
        const bool fits = QFontMetricsF(small).height() <= high + 4 || !inside;
        if (fits)
          write(painter,
                inside ? QRectF(bar.left(), cell.top(), wide - 4, cell.height())
                       : QRectF(bar.left() + wide + 3, cell.top(), room, cell.height()),
                inside ? kRight : kLeft, text, small, inside ? Theme::readable_on(fill) : t.ink);
      }
      const bool here =
          cursor_.part == MemoryCursor::Part::stage && cursor_.stage == which && cursor_.slot == nth(slots_, r);
      if (here)
        draw_ring(painter, bar.adjusted(-3, -3, 3, 3), t.accent);
      else if (marks && hovered().stage == which && hovered().row == r)
        draw_ring(painter, bar.adjusted(-3, -3, 3, 3), t.ink, 1.4);
    }
    const QRectF words = layout_.stage_words(which);
    const QFont title = bold_font(type::kSource);
    const double line = QFontMetricsF(title).height();
    write(painter, QRectF(words.left(), words.top(), words.width(), line), kLeft, memory_stage_title(which), title,
          t.ink);
    write_words(painter, words.adjusted(0, line + 2, 0, 0), memory_stage_words(addressing, which), small, t.ink2);
  }
}

void MemoryCanvas::paint_memory(QPainter& painter, bool marks) const {
  const Tokens& t = tokens();
  const Tensor memory = run_->memory(cursor_.step).value;
  const auto width = run_->width();
  const double largest = std::max(1e-9, static_cast<double>(memory.array().abs().maxCoeff()));
  const std::vector<int> looked_up = looked_up_at(*run_, head().pair);
  painter.setRenderHint(QPainter::Antialiasing, false);
  const double gap = layout_.number_width >= 7 ? 0.6 : 0;
  for (int r = 0; r < layout_.metrics.rows; ++r)
    for (Index i = 0; i < width; ++i) {
      const double value = static_cast<double>(memory[nth(slots_, r) * width + i]);
      painter.fillRect(layout_.number(static_cast<int>(i), r).adjusted(0, 2, -gap, -2),
                       theme().signed_value(value / largest));
    }
  const Tensor erase = run_->erase(head().pair, cursor_.step).value, add = run_->add(head().pair, cursor_.step).value;
  for (Index i = 0; i < width && i < erase.size() && i < add.size(); ++i) {
    painter.fillRect(layout_.erase(static_cast<int>(i)).adjusted(0, 0, -gap, 0),
                     theme().weight(static_cast<double>(erase[i])));
    painter.fillRect(layout_.add(static_cast<int>(i)).adjusted(0, 0, -gap, 0),
                     theme().signed_value(static_cast<double>(add[i]) / largest));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  const int last = static_cast<int>(width) - 1;
  const QFont small = theme().ui_font(type::kSource);
  const double after = layout_.number(last, 0).right() + 6;
  const auto vector_name = [&](const QRectF& rect, const QString& text) {
    write(painter, QRectF(after, rect.top() - 2, 200, rect.height() + 4), kLeft, text, small, t.ink2);
  };
  vector_name(layout_.erase(0), tr("wipes"));
  vector_name(layout_.add(0), tr("adds"));
  for (int r = 0; r < layout_.metrics.rows; ++r) {
    const int step = nth(looked_up, nth(slots_, r));
    if (step < 0) continue;
    const bool here = nth(slots_, r) == cursor_.slot;
    QFont font = theme().token_font(std::clamp(0.05 * layout_.row_height, type::kHead, type::kQuestion));
    font.setWeight(here ? QFont::DemiBold : QFont::Normal);
    write(painter, QRectF(after, layout_.row(r).top(), layout_.metrics.letter + 40, layout_.row_height), kLeft,
          nth(labels_, step).text, font, here ? t.accent : t.ink);
  }
  const auto outline = [&](const QRectF& cell, const QColor& colour) {
    draw_ring(painter, cell.adjusted(-2, 0, 2, 0), colour, 1.8);
  };
  if (cursor_.part == MemoryCursor::Part::memory && row() >= 0)
    outline(layout_.number(cursor_.column, row()), t.accent);
  if (cursor_.part == MemoryCursor::Part::erase) outline(layout_.erase(cursor_.column), t.accent);
  if (cursor_.part == MemoryCursor::Part::add) outline(layout_.add(cursor_.column), t.accent);
  if (marks && hovered().part == MemoryHit::Part::memory)
    outline(layout_.number(hovered().column, hovered().row), t.ink);
  const double top = layout_.add(0).bottom() + 6;
  write_words(painter, QRectF(layout_.memory_left, top, layout_.width - layout_.memory_left, layout_.height - top),
              tr("Blue is below 0, brown above. Behind a slot: the token that it writes when it reads there."), small,
              t.ink2);
}

}  // namespace headlight
