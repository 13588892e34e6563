// What stands around the cells of small pictures inside painted views: frames, lines over them, tokens below them.
#pragma once

#include <QPainter>
#include <QPen>
#include <QRectF>
#include <vector>

#include "widgets/matrix/cells.h"
#include "widgets/text/axis_label.h"

namespace headlight {

// A frame that stands out from any colour.
void draw_outline(QPainter& painter, const QRectF& rect, double width);
// A line through the middle of equal steps from left to right; `low` is at the bottom, `high` at the top.
void draw_steps(QPainter& painter, const QRectF& rect, const std::vector<double>& values, double low, double high,
                const QPen& pen);
// Colours that are told apart, all as light as each other.
QColor series_colour(int index, int count);
// One token below each of `labels.size()` equal columns of `rect`: upright where all fit (and single characters), else
// turned, and every n-th where they are too narrow for that. `marked`: -1, or the column that is always written and
// stands out.
void draw_tokens(QPainter& painter, const QRectF& rect, const std::vector<AxisLabel>& labels, int marked);
double widest_label(const std::vector<AxisLabel>& labels, const QFont& font);
// Which of `count` equal parts of a stretch a point lies in; the first or the last of one that lies outside.
int part_at(double point, double from, double size, int count);
// The height that draw_tokens wants for columns of this width, with a widest text.
double tokens_height(double widest, double line, double column, double most);

// "−1.204" with a true minus sign; never "−0.000".
QString fixed_number(double value, int decimals = 3);

}  // namespace headlight
