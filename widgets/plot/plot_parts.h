// What the charts of this folder have in common.
#pragma once

#include <qcustomplot.h>

namespace headlight {

// In the colours and fonts of the theme; `size` is that of its numbers, in sizes of the interface's font.
void style_axis(QCPAxis& axis, const QString& title, double size);
void ticks_at_whole_numbers(QCPAxis& axis, int most);
// In the rectangle (0, 0, size), as vectors.
void paint_plot(QCustomPlot& plot, QPainter& painter, QSize size);

}  // namespace headlight
