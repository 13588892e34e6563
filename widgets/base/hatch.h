// Lines over what is no number, and over what is switched off.
#pragma once

#include <QPainter>

namespace headlight {

void draw_hatch(QPainter& painter, const QRectF& rect, const QColor& colour, double apart);
// Where nothing is kept: outside the window of a layer, say. Grey, with faint lines, so that it is no colour of a
// number.
void draw_not_kept(QPainter& painter, const QPainterPath& area);
// Over a picture whose values nothing is made of: it is still there, faint, under lines in the colour of what a person
// changed.
void paint_off(QPainter& painter, const QRectF& rect);

}  // namespace headlight
