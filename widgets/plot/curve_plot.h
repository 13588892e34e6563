// Curves, marks and lines between axes inside a view: a plot in a rectangle of a picture that the view paints.
#pragma once

#include <QPen>
#include <QRectF>
#include <vector>

class QPainter;

namespace headlight {

struct PlotCurve {
  std::vector<double> x, y;   // equally long
  QPen pen;                   // of the line; of the marks when they have a size
  double mark = 0;            // radius of a mark at each point, in place of a line
  QBrush fill = Qt::NoBrush;  // of the marks
};

struct CurvePlot {
  double left = 0, right = 1, bottom = -1, top = 1;  // ranges of the axes
  std::vector<PlotCurve> curves;                     // the last one is in front
  std::vector<std::pair<double, QPen>> uprights;     // lines from bottom to top, behind the curves
  bool whole_x = true;                               // ticks at whole numbers
};

// The axes enclose `rect`; the numbers of their ticks stand left of it and below it. Draws with QCustomPlot.
void paint_curve_plot(const CurvePlot& curves, QPainter& painter, const QRectF& rect);

}  // namespace headlight
