#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/views/experts/experts_canvas.h"

namespace headlight {

QColor ExpertsCanvas::ink_of(double share) const { return theme().weight(std::clamp(share / largest_, 0.0, 1.0)); }

void ExpertsCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!layer_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const double left = std::max(0.0, sight.left());
  for (int row = 0; row < count(); ++row) paint_row(painter, row, left, marks);
  paint_opened(painter, left);
  paint_head(painter, marks);
  if (marks) draw_ring(painter, layout_.cell_rect(row_, expert_), tokens().accent);
}

// Numbers of the experts, each where it has room beside the one before.
void ExpertsCanvas::paint_head(QPainter& painter, bool marks) const {
  const QFont font = theme().ui_font(type::kSource);
  double free_from = 0;
  for (int expert = 0; expert < static_cast<int>(layer_->experts); ++expert) {
    const QRectF at = layout_.head_rect(expert);
    const QString text = QString::number(expert + 1);
    const double half = text_width(text, font) / 2;
    const bool here = marks && expert == expert_;
    if (!here && at.center().x() - half < free_from) continue;
    free_from = at.center().x() + half + 4;
    write(painter, at.adjusted(-half, 0, half, 0), kCentre, text, font, here ? tokens().accent : tokens().ink2);
  }
}

// The share as ink; an expert that was chosen has a frame, however little its share.
void ExpertsCanvas::paint_row(QPainter& painter, int row, double left, bool marks) const {
  const Tokens& t = tokens();
  const ExpertRow& now = at(row);
  const bool here = row == row_;
  for (int expert = 0; expert < static_cast<int>(layer_->experts); ++expert) {
    const QRectF cell = layout_.cell_rect(row, expert);
    const auto found = std::ranges::find(now.experts, Index{expert});
    if (found == now.experts.end()) {
      draw_tile(painter, cell, ink_of(0));
      continue;
    }
    const double share = now.shares[static_cast<std::size_t>(found - now.experts.begin())];
    draw_tile(painter, cell, ink_of(share), short_share(share));
    draw_box(painter, cell.adjusted(1, 1, -1, -1), 0, QPen(t.ink2, theme().line(1)));
  }
  if (now.edited) draw_edited_dot(painter, layout_.cell_rect(row, static_cast<int>(layer_->experts) - 1));
  const ExpertsLayout::Metrics& m = layout_.metrics;
  const QRectF place = layout_.row_rect(row);
  painter.fillRect(QRectF(left, place.top(), m.margin + m.name - 4, place.height()), t.paper);
  write_line(painter, QRectF(left + m.margin, place.top(), m.name - 8, place.height()), kRight, nth(names_, row).text,
             here ? bold_font() : theme().ui_font(), marks && here ? t.accent : t.ink);
}

// Below the chosen row: what the router said, what became shares, and how long what the experts gave is.
void ExpertsCanvas::paint_opened(QPainter& painter, double left) const {
  const Tokens& t = tokens();
  const ExpertRow& now = at(row_);
  const QFont font = theme().ui_font(type::kSource);
  const CellScale logits = CellScale::around_zero(largest_logit_);
  for (int expert = 0; expert < static_cast<int>(layer_->experts); ++expert) {
    const QRectF logit = layout_.line_rect(kLogits, expert);
    const double z = nth(now.logits, expert);
    draw_tile(painter, logit, logits.colour(z), fitting_signed(z, logit.width()));
    const auto found = std::ranges::find(now.experts, Index{expert});
    if (found == now.experts.end()) continue;
    const auto i = static_cast<std::size_t>(found - now.experts.begin());
    draw_tile(painter, layout_.line_rect(kShares, expert), ink_of(now.shares[i]),
              fitting_signed(now.shares[i], logit.width()));
    if (i >= now.lengths.size()) continue;
    const QRectF length = layout_.line_rect(kLengths, expert);
    draw_share_bar(painter, QRectF(length.left() + 2, length.bottom() - 5, length.width() - 4, 3),
                   now.lengths[i] / longest_, t.ink2);
    write(painter, length.adjusted(0, 0, 0, -4), kCentre, fitting_signed(now.lengths[i], length.width()), font, t.ink);
  }
  const ExpertsLayout::Metrics& m = layout_.metrics;
  for (int line = 0; line < kLines; ++line) {
    const QRectF place = layout_.line_name(line);
    painter.fillRect(QRectF(left, place.top(), m.margin + m.name - 4, place.height()), t.paper);
    write_line(painter, place.translated(left, 0), kRight, line_name(line), font, t.ink2);
  }
  draw_opened(painter, layout_.left - 4, layout_.line_rect(0, 0).top(), layout_.line_rect(kLines - 1, 0).bottom());
}

}  // namespace headlight
