// Lines over what is no number, and over what is switched off.
#pragma once

#include <QPainter>

namespace headlight {

void draw_hatch(QPainter& painter, const QRectF& rect, const QColor& colour, double apart);
// Over a picture whose values nothing is made of: it is still there, faint, under lines in the colour of what a person
// changed.
void paint_off(QPainter& painter, const QRectF& rect);

}  // namespace headlight
