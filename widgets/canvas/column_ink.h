// How pictures on the columns of a text draw: tiles with numbers, levels, the frame of what is chosen, the bar of what
// is opened, and numbers as short as they can be read.
#pragma once

#include <QPainter>
#include <QString>

namespace headlight {

// "−.57", "1.5", at most `places` digits after the point; empty where that would be 0.
QString short_signed(double value, int places = 2);
// short_signed() with as many places as fit into a tile of this width, in its smallest type; at least two digits.
QString fitting_signed(double value, double width, int places = 2);
// Of a share: ".98", "1", empty below .005.
QString short_share(double value);

// Of the number in a cell of this height: it grows with its row.
double number_size(double row);
// A cell, a pixel apart from its neighbours, with a number where it has room.
void draw_tile(QPainter& painter, const QRectF& cell, const QColor& fill, const QString& text = {}, bool bold = false);
// A share as the height of a grey level, for where blue would mean a sign.
void draw_level(QPainter& painter, const QRectF& cell, double share, bool numbered = true);
// Around a cell, apart from it by paper.
void draw_ring(QPainter& painter, const QRectF& cell, const QColor& colour, double width = 2.2);
// At the left edge of what is opened.
void draw_opened(QPainter& painter, double left, double top, double bottom);
// A share as a thin bar.
void draw_share_bar(QPainter& painter, const QRectF& rect, double share, const QColor& fill);
// That a person changed what stands in the cell.
void draw_edited_dot(QPainter& painter, const QRectF& cell);

QFont bold_font(double relative = 1);
// Words in as many lines as they need, and how high they are in a width.
void write_words(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& colour);
double words_height(const QString& text, const QFont& font, double width);

}  // namespace headlight
