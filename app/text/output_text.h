// An output that is too long for its line, in small letters on several.
#pragma once

#include <QPainter>
#include <QString>

namespace headlight {

// In the font of the painter. Broken between words where they fit, and shortened where it still is too long: at its
// end, or at its beginning.
void paint_long_output(QPainter& painter, const QRect& place, const QString& text, bool keep_end = false);

}  // namespace headlight
