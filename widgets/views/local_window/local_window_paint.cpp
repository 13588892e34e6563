#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/token_text.h"
#include "widgets/views/local_window/local_window_canvas.h"

namespace headlight {

void LocalWindowCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!windows_) return;
  const Tokens& t = tokens();
  const LocalWindowLayout::Metrics& m = layout_.metrics;
  painter.setRenderHint(QPainter::Antialiasing);
  const double left = std::max(0.0, sight.left());
  if (marks) draw_box(painter, layout_.step(step_), 6, Qt::NoPen, t.wash);
  const int chosen = position_ < 0 ? -1 : column_of(position_);
  head_.paint(painter, layout_.columns, tokens_, 0, marks ? chosen : -1,
              marks && hovered_position_ >= 0 ? column_of(hovered_position_) : -1);
  const QFont small = theme().ui_font(type::kSource);
  const double line = QFontMetricsF(small).height();
  double free_from = 0;
  for (int c = 0; c < layout_.columns.count(); ++c) {  // places, where they have room
    const QString text = QString::number(c + 1);
    const double half = text_width(text, small) / 2;
    if (layout_.columns.centre(c) - half < free_from) continue;
    free_from = layout_.columns.centre(c) + half + 4;
    write(painter, layout_.columns.cell(c, head_.height, line).adjusted(-9, 0, 9, 0), kCentre, text, small,
          marks && c == chosen ? t.accent : t.ink2);
  }
  for (int step = 0; step < m.steps; ++step) paint_step(painter, step, marks);
  if (marks) paint_sentence(painter);
  // Names stay where they are seen, on paper.
  if (left > 0) painter.fillRect(QRectF(left, 0, m.name, layout_.height), t.paper);
  write(painter, QRectF(left + m.margin, head_.height, m.name - m.margin, line), kLeft, tr("place"), small, t.ink2);
  for (int step = 0; step < m.steps; ++step) {
    const AxisLabel& label = nth(written_, step);
    const QRectF tile = layout_.tile(step, 0);
    const bool here = marks && step == step_;
    QFont font = label.special ? special_font(theme().ui_font()) : theme().ui_font(type::kQuestion);
    if (here) font.setWeight(QFont::DemiBold);
    write_line(painter, QRectF(left + m.margin / 2, tile.top() - 6, m.name - m.margin / 2 - 12, tile.height() + 8),
               kRight, label.text, font,
               here                           ? t.accent
               : label.muted || label.special ? t.ink2
                                              : t.ink);
  }
  if (!layout_.beside) return;
  const QRectF side(layout_.columns.right() + m.margin, 0, m.side, m.head - 4);
  write(painter, side, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
        tr("of its attention comes through the window (%)"), small, t.ink2);
  for (int step = 0; step < m.steps; ++step) {
    const QRectF row = layout_.share(step);
    const double kept = at(step).kept(), number = text_width(QStringLiteral("100"), bold_font());
    const bool here = marks && step == step_;
    draw_share_bar(painter, QRectF(row.left(), row.center().y() - 3, row.width() - number - 24, 6), kept,
                   theme().weight(0.68));
    write(painter, QRectF(row.right() - number - 12, row.top(), number, row.height()), kRight,
          QString::number(100 * kept, 'f', 0), here ? bold_font() : theme().ui_font(), here ? t.accent : t.ink);
  }
}

void LocalWindowCanvas::paint_step(QPainter& painter, int step, bool marks) const {
  const Tokens& t = tokens();
  const LocalWindowStep& now = at(step);
  for (int c = 0; c < layout_.columns.count(); ++c) {
    const auto position = static_cast<std::size_t>(position_of(c));
    if (!now.inside[position]) continue;  // not even a tile
    const QRectF tile = layout_.tile(step, c);
    draw_tile(painter, tile, theme().weight(now.weights[position]), short_share(now.weights[position]));
    if (!marks) continue;
    if (step == step_ && static_cast<int>(position) == position_)
      draw_ring(painter, tile, t.accent);
    else if (step == hovered_step_ && static_cast<int>(position) == hovered_position_)
      draw_ring(painter, tile, t.ink, 1.4);
  }
  paint_hill(painter, step, marks);
}

// The Gaussian between the ends of the window; without one, a plateau.
void LocalWindowCanvas::paint_hill(QPainter& painter, int step, bool marks) const {
  const Tokens& t = tokens();
  const LocalWindowStep& now = at(step);
  const QRectF hill = layout_.hill(step);
  const double centre = column_of(now.centre), width = static_cast<double>(windows_->settings.half_width);
  const double from = std::max(-0.5, centre - std::max(0.5, width)),
               to = std::min(count() - 0.5, centre + std::max(0.5, width));
  if (!(to > from)) return;
  const auto height = [&](double column) {
    if (!windows_->predicted) return hill.height() * 0.6;
    return hill.height() * std::exp(-(column - centre) * (column - centre) / (2 * windows_->sigma * windows_->sigma));
  };
  QPolygonF top;
  constexpr int kPoints = 120;
  for (int i = 0; i <= kPoints; ++i) {
    const double column = from + (to - from) * i / kPoints;
    top << QPointF(layout_.x_of(column), hill.bottom() - height(column));
  }
  QPolygonF area = top;
  area << QPointF(layout_.x_of(to), hill.bottom()) << QPointF(layout_.x_of(from), hill.bottom());
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().weight(0.12));
  painter.drawPolygon(area);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().weight(0.6), theme().line(1.8)));
  painter.drawPolyline(top);
  const bool moved = now.centre_edited;
  if (centre < -0.5 || centre > count() - 0.5) return;
  const double x = layout_.x_of(centre);
  draw_line(painter, {x, hill.bottom()}, {x, hill.bottom() - height(centre)},
            QPen(moved                    ? t.edited
                 : marks && step == step_ ? t.accent
                                          : theme().weight(0.8),
                 theme().line(2.4)));
  if (moved) draw_edited_dot(painter, QRectF(x - 5, hill.bottom() - height(centre) - 5, 10, 10));
}

// Beside the window of the chosen step, where there is room.
void LocalWindowCanvas::paint_sentence(QPainter& painter) const {
  const LocalWindowStep& now = at(step_);
  int first = count(), last = -1;
  for (int c = 0; c < count(); ++c)
    if (nth(now.inside, position_of(c))) first = std::min(first, c), last = c;
  if (last < 0) return;
  const QRectF row = layout_.step(step_);
  const double before = layout_.tile(step_, first).left() - layout_.columns.left();
  const double after = layout_.columns.right() - layout_.tile(step_, last).right();
  const bool left = before >= after;
  const QRectF place = left ? QRectF(layout_.columns.left() + 8, row.top(), before - 24, row.height())
                            : QRectF(layout_.tile(step_, last).right() + 16, row.top(), after - 20, row.height());
  const QFont font = theme().ui_font();
  if (place.width() < 120 || words_height(short_sentence(), font, place.width()) > row.height()) return;
  write(painter, place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, short_sentence(), font, tokens().ink);
}

}  // namespace headlight
