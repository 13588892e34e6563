// Texts that are painted again and again. To find which glyphs a text has and where they stand (shaping) costs more
// than painting them, and Qt does it anew each time that a text is drawn, measured or shortened. Here each is shaped
// once, as long as it is in use.
//
// What stands in the middle of its room (AlignVCenter) does so by its capitals, and all digits of a number have the
// same width; else what is painted is what Qt paints, to the pixel.
//
// Nothing on the screen is drawn in another way (tests/app/test_text_drawing.cpp): QPainter::drawText() is for paper.
//
// For lines of text on the screen. Whatever else there is (files, several lines, text from right to left, another
// thread) goes to Qt as it came.
#pragma once

#include <QFont>
#include <QPainter>
#include <QString>

namespace headlight {

// In the font of the painter.
void draw_text(QPainter& painter, const QRectF& rect, int flags, const QString& text);
void draw_text(QPainter& painter, QPointF point, const QString& text);
// In pixels.
double text_width(const QString& text, const QFont& font);
QSizeF text_size(const QString& text, const QFont& font);  // of its line: higher where letters come from another font
QString elided_text(const QString& text, const QFont& font, Qt::TextElideMode mode, double width);

// Whether it is a number by itself, with its sign, unit or power of ten.
bool is_numeral(const QString& text);

// What is kept, for tests and benchmarks.
struct ShapedTexts {
  static constexpr qint64 kMost = 8 << 20;  // bytes
  static qint64 made();                     // texts that were shaped, measured or shortened since the start
  static qint64 bytes();                    // of what is kept, reckoned
  static void forget();
  static void set_used(bool used);  // false: everything is shaped anew
};

}  // namespace headlight
