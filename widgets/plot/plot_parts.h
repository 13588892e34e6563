// What the charts of this folder have in common.
//
// QCustomPlot draws curves, comparisons and charts of experiments: what has two axes of numbers. Matrices and diagrams
// are painted by widgets/matrix and widgets/canvas. build/release/bench_plot draws both ways beside each other: 512 x
// 512 new weights with tokens at both axes take 16 ms a frame here and 1 ms there; and tokens as labels, folded words,
// masked cells, a cell cursor and a screen reader's table would be our own code on top of it as well.
#pragma once

#include <qcustomplot.h>

namespace headlight {

// In the colours and fonts of the theme; `size` is that of its numbers, in sizes of the interface's font.
void style_axis(QCPAxis& axis, const QString& title, double size);
void ticks_at_whole_numbers(QCPAxis& axis, int most);
// In the rectangle (0, 0, size), as vectors.
void paint_plot(QCustomPlot& plot, QPainter& painter, QSize size);

}  // namespace headlight
