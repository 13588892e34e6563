#include "widgets/base/ink.h"

#include <QPaintEngine>
#include <QPainterPath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"

namespace headlight {

QFont word_font() { return theme().ui_font(type::kSource); }
QFont digit_font() { return theme().ui_font(type::kHead); }

void write_line(QPainter& painter, const QRectF& rect, int flags, const QString& text, Qt::TextElideMode mode) {
  draw_text(painter, rect, flags, elided_text(text, painter.font(), mode, rect.width() + 0.5));
}

void write_line(QPainter& painter, const QRectF& rect, int flags, const QString& text, const QFont& font,
                const QColor& colour, Qt::TextElideMode mode) {
  painter.setFont(font);
  painter.setPen(colour);
  write_line(painter, rect, flags, text, mode);
}

void write(QPainter& painter, const QRectF& rect, int flags, const QString& text, const QFont& font,
           const QColor& colour) {
  painter.setFont(font);
  painter.setPen(colour);
  draw_text(painter, rect, flags, text);
}

void draw_halo(QPainter& painter, QPointF point, const QString& text, const QFont& font, const QColor& colour,
               const QColor& around) {
  const QPointF at = point.toPoint();
  painter.save();
  painter.setFont(font);
  const auto engine = painter.paintEngine()->type();
  if (engine == QPaintEngine::SVG || engine == QPaintEngine::Pdf) {  // in a file the words are there once
    QPainterPath path;
    path.addText(at, font, text);
    painter.strokePath(path, QPen(around, 3.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setPen(colour);
    draw_text(painter, at, text);
    return painter.restore();
  }
  painter.setPen(around);
  // Shapes of letters as paths are not the same the first time that they are made, so that no picture could be tested.
  for (const QPointF by : {QPointF(-2, 0), QPointF(2, 0), QPointF(0, -2), QPointF(0, 2), QPointF(-1, -1),
                           QPointF(1, -1), QPointF(-1, 1), QPointF(1, 1)})
    draw_text(painter, at + by, text);
  painter.setPen(colour);
  draw_text(painter, at, text);
  painter.restore();
}

void draw_box(QPainter& painter, const QRectF& rect, double round, const QPen& line, const QBrush& fill) {
  painter.setPen(line);
  painter.setBrush(fill);
  painter.drawRoundedRect(rect, round, round);
}

void draw_line(QPainter& painter, QPointF from, QPointF to, const QPen& line) {
  painter.setPen(line);
  painter.drawLine(from, to);
}

void draw_dot(QPainter& painter, QPointF centre, double radius, const QColor& fill) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawEllipse(centre, radius, radius);
}

}  // namespace headlight
