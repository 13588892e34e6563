// Painting of the local-window view, on the screen and into files.
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/views/local_window/local_window_canvas.h"

namespace headlight {

namespace {

QColor before_colour() { return Theme::instance().weight(0.32); }
QColor after_colour() { return Theme::instance().weight(0.8); }

// Room for the word of the centre above the highest bar, which stands for 1.
double y_of(const QRectF& bars, double share) {
  const double room = QFontMetricsF(digit_font()).height() + 4;
  return bars.bottom() - std::min(1.0, share) * (bars.height() - room);
}

}  // namespace

void LocalWindowCanvas::paint(QPainter& painter, const QRectF&, bool) const {
  if (!windows_) return;
  paint_path(painter);
  QFont title = word_font();
  title.setBold(true);
  write_line(painter, layout_.title, kLeft, sentence(), title, Theme::instance().text());
  paint_bars(painter);
  if (windows_->predicted) paint_curve(painter);
  paint_centre(painter);
  paint_words(painter);
}

void LocalWindowCanvas::paint_path(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  write_line(painter, layout_.path_caption, kLeft, tr("Where the window stands in each step (rows), along the source"),
             word_font(), theme.muted_text());
  const QFont tokens = theme.token_font(0.9);
  const double row_height = layout_.row_height();
  const bool labels = row_height >= QFontMetricsF(tokens).height() * 0.8;
  painter.setRenderHint(QPainter::Antialiasing, false);
  QPainterPath way;
  for (int t = 0; t < layout_.metrics.steps; ++t) {
    const LocalWindowStep& step = windows_->steps[static_cast<std::size_t>(t)];
    const QRectF row = layout_.path_row(t);
    if (step.last >= step.first) {
      const double left = layout_.slot(row, static_cast<int>(step.first)).left();
      const double right = layout_.slot(row, static_cast<int>(step.last)).right();
      const double gap = row_height >= 6 ? 1 : 0;
      painter.fillRect(QRectF(left, row.top() + gap, right - left, row_height - gap),
                       theme.weight(t == step_           ? 0.3
                                    : t == hovered_step_ ? 0.2
                                                         : 0.11));
    }
    const QPointF at(layout_.x_of(step.centre), row.center().y());
    if (t == 0)
      way.moveTo(at);
    else
      way.lineTo(at);
    if (!labels && t != step_) continue;
    QRectF label = layout_.path_label(t);
    if (!labels) label = QRectF(label.left(), label.center().y() - 10, label.width(), 20);
    write_line(painter, label, kRight, written_[static_cast<std::size_t>(t)].text, tokens,
               t == step_ ? theme.accent() : theme.text());
  }
  draw_box(painter, layout_.path.adjusted(-1, -1, 0, 0), 0, QPen(theme.grid(), 1));
  painter.setClipRect(layout_.path);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.weight(0.7), 1.4));
  painter.drawPath(way);
  const double radius = std::clamp(row_height * 0.28, 1.5, 4.0);
  for (int t = 0; t < layout_.metrics.steps; ++t) {
    const double x = layout_.x_of(windows_->steps[static_cast<std::size_t>(t)].centre);
    draw_dot(painter, {x, layout_.path_row(t).center().y()}, radius + (t == step_ ? 1 : 0),
             t == step_ ? theme.accent() : theme.weight(0.8));
  }
  painter.setClipping(false);
}

void LocalWindowCanvas::paint_bars(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const LocalWindowStep& step = now();
  const QRectF& bars = layout_.bars;
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (step.last >= step.first) {
    const double left = layout_.slot(bars, static_cast<int>(step.first)).left();
    const double right = layout_.slot(bars, static_cast<int>(step.last)).right();
    painter.fillRect(QRectF(left, bars.top(), right - left, bars.height()), theme.weight(0.07));
  }
  if (hovered_position_ >= 0 && hovered_position_ < layout_.metrics.positions)
    painter.fillRect(layout_.column(hovered_position_), theme.grid());
  const double width = layout_.slot_width(), bar = std::min(width * 0.34, 26.0);
  const auto draw = [&](double left, double share, const QColor& colour) {
    const double y = y_of(bars, share);
    painter.fillRect(QRectF(left, y, std::max(1.0, bar), std::max(share > 0 ? 1.0 : 0.0, bars.bottom() - y)), colour);
  };
  for (int j = 0; j < layout_.metrics.positions; ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (!step.inside[at]) continue;
    const double middle = layout_.x_of(j);
    if (windows_->predicted) draw(middle - bar - 0.5, step.before[at], before_colour());
    draw(windows_->predicted ? middle + 0.5 : middle - bar / 2, step.weights[at], after_colour());
  }
  draw_line(painter, bars.bottomLeft(), bars.bottomRight(), QPen(theme.muted_text(), 1));
  draw_line(painter, QPointF(bars.left(), y_of(bars, 1)), QPointF(bars.right(), y_of(bars, 1)),
            QPen(theme.grid(), 1, Qt::DotLine));
  const double line = QFontMetricsF(digit_font()).height();
  const QRectF side(layout_.metrics.margin, 0, bars.left() - layout_.metrics.margin - 6, line);
  write(painter, side.translated(0, y_of(bars, 1) - line / 2), kRight, QStringLiteral("1"), digit_font(),
        theme.muted_text());
  painter.drawText(side.translated(0, bars.bottom() - line), kRight, QStringLiteral("0"));
  if (position_ < 0) return;
  painter.setRenderHint(QPainter::Antialiasing);
  draw_box(painter, layout_.column(position_).adjusted(0.5, 0.5, -0.5, -0.5), 3,
           QPen(theme.accent(), hasFocus() ? 2 : 1.3));
}

// eq. 10 at every point of the axis, not only where tokens are.
void LocalWindowCanvas::paint_curve(QPainter& painter) const {
  const LocalWindowStep& step = now();
  const QRectF& bars = layout_.bars;
  const double sigma = windows_->sigma, slot = layout_.slot_width();
  if (!(sigma > 0) || !(slot > 0)) return;
  QPainterPath curve;
  for (double x = bars.left(); x <= bars.right(); x += 2) {
    const double distance = (x - bars.left()) / slot - 0.5 - step.centre;
    const QPointF point(x, y_of(bars, std::exp(-distance * distance / (2 * sigma * sigma))));
    if (x == bars.left())
      curve.moveTo(point);
    else
      curve.lineTo(point);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Theme::instance().hover(), 1.8));
  painter.drawPath(curve);
}

void LocalWindowCanvas::paint_centre(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const QRectF& bars = layout_.bars;
  const double x = layout_.x_of(now().centre);
  if (!(x >= bars.left() && x <= bars.right())) return;
  painter.setRenderHint(QPainter::Antialiasing);
  draw_line(painter, QPointF(x, y_of(bars, 1)), QPointF(x, bars.bottom()), QPen(theme.accent(), 1.4, Qt::DashLine));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.accent());
  painter.drawPolygon(QPolygonF({{x - 5, bars.bottom() + 1}, {x + 5, bars.bottom() + 1}, {x, bars.bottom() - 7}}));
  const QString text = QStringLiteral("p = %1").arg(now().centre, 0, 'f', 2);
  const double wide = QFontMetricsF(digit_font()).horizontalAdvance(text) + 2;
  const double left = std::clamp(x - wide / 2, bars.left(), std::max(bars.left(), bars.right() - wide));
  write(painter, {left, bars.top(), wide, y_of(bars, 1) - bars.top()}, kCentre, text, digit_font(), theme.accent());
}

void LocalWindowCanvas::paint_words(QPainter& painter) const {
  const Theme& theme = Theme::instance();
  const LocalWindowStep& step = now();
  const QFont font = theme.token_font(0.9);
  const double width = layout_.slot_width();
  const bool all = width >= QFontMetricsF(font).horizontalAdvance(QLatin1Char('m')) + 1;
  const bool numbers = width >= QFontMetricsF(digit_font()).horizontalAdvance(QStringLiteral("0.00")) + 2;
  const double line = layout_.numbers.height() / 2, inset = width > 24 ? 3 : 0;  // words keep apart
  const QRectF first(layout_.numbers.left(), layout_.numbers.top(), layout_.numbers.width(), line);
  for (int j = 0; j < layout_.metrics.positions; ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (all)
      write_line(painter, layout_.slot(layout_.tokens, j).adjusted(inset, 0, -inset, 0), kCentre, tokens_[at].text,
                 font, step.inside[at] ? theme.text() : theme.muted_text());
    if (!numbers || !step.inside[at]) continue;
    const QRectF slot = layout_.slot(first, j);
    const auto number = [&](const QRectF& rect, double value, const QColor& colour) {
      write(painter, rect, kCentre, QString::number(value, 'f', 2), digit_font(), colour);
    };
    if (windows_->predicted) number(slot, step.before[at], theme.muted_text());
    number(slot.translated(0, windows_->predicted ? line : 0), step.weights[at], theme.text());
  }
  // What the two bars are, in their colours.
  const auto key = [&](double top, const QString& text, const QColor& colour) {
    const QRectF rect(layout_.metrics.margin, top, layout_.numbers.left() - layout_.metrics.margin - 6, line);
    painter.fillRect(QRectF(rect.left(), rect.center().y() - 4, 8, 8), colour);
    write_line(painter, rect.adjusted(12, 0, 0, 0), kLeft, text, word_font(), theme.text());
  };
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (windows_->predicted) {
    key(layout_.numbers.top(), tr("before"), before_colour());
    key(layout_.numbers.top() + line, tr("after"), after_colour());
  } else {
    key(layout_.numbers.top(), tr("weight"), after_colour());
  }
}

}  // namespace headlight
