// How the painted views write: in one line, shortened where it is too long.
#pragma once

#include <QPainter>

namespace headlight {

inline constexpr auto kLeft = static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine);
inline constexpr auto kRight = static_cast<int>(Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine);
inline constexpr auto kCentre = static_cast<int>(Qt::AlignCenter | Qt::TextSingleLine);

QFont word_font();   // captions and sentences
QFont digit_font();  // numbers beside them

// In the font and colour of the painter.
void write_line(QPainter& painter, const QRectF& rect, int flags, const QString& text,
                Qt::TextElideMode mode = Qt::ElideRight);
void write_line(QPainter& painter, const QRectF& rect, int flags, const QString& text, const QFont& font,
                const QColor& colour, Qt::TextElideMode mode = Qt::ElideRight);

}  // namespace headlight
