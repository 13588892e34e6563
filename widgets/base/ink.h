// How the painted views write and draw: lines of text, shortened where they are too long, boxes, lines and dots.
#pragma once

#include <QPainter>

namespace headlight {

inline constexpr auto kLeft = static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine);
inline constexpr auto kRight = static_cast<int>(Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine);
inline constexpr auto kCentre = static_cast<int>(Qt::AlignCenter | Qt::TextSingleLine);
inline constexpr auto kTop = static_cast<int>(Qt::AlignHCenter | Qt::AlignTop | Qt::TextSingleLine);
inline constexpr auto kTopLeft = static_cast<int>(Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine);
inline constexpr auto kTopRight = static_cast<int>(Qt::AlignRight | Qt::AlignTop | Qt::TextSingleLine);

QFont word_font();   // captions and sentences
QFont digit_font();  // numbers beside them

// In the font and colour of the painter.
void write_line(QPainter& painter, const QRectF& rect, int flags, const QString& text,
                Qt::TextElideMode mode = Qt::ElideRight);
void write_line(QPainter& painter, const QRectF& rect, int flags, const QString& text, const QFont& font,
                const QColor& colour, Qt::TextElideMode mode = Qt::ElideRight);
// The same, never shortened.
void write(QPainter& painter, const QRectF& rect, int flags, const QString& text, const QFont& font,
           const QColor& colour);

// Words on anything: with a rim. `point`: where their line begins.
void draw_halo(QPainter& painter, QPointF point, const QString& text, const QFont& font, const QColor& colour,
               const QColor& around);

// `round`: radius of the corners. Pen and brush stay with the painter.
void draw_box(QPainter& painter, const QRectF& rect, double round, const QPen& line, const QBrush& fill = Qt::NoBrush);
void draw_line(QPainter& painter, QPointF from, QPointF to, const QPen& line);
void draw_dot(QPainter& painter, QPointF centre, double radius, const QColor& fill);

}  // namespace headlight
