// Lines over a common axis, with axis titles and a legend, in the colours of the theme: for pictures of comparisons.
#pragma once

#include <QSize>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/canvas/figure.h"

class QPainter;

namespace headlight {

struct LineSeries {
  QString name;
  std::vector<double> x, y;  // what is not a finite number is a gap
};

struct LineChart {
  QString title, x_title, y_title;
  std::vector<LineSeries> series;
  std::optional<std::pair<double, double>> y_range;       // none: what the values need
  bool whole_x = true;                                    // ticks at whole numbers only
  bool log_x = false, log_y = false;                      // logarithmic; values that are not positive are gaps
  std::vector<std::pair<double, QString>> x_labels = {};  // at these places, instead of numbers
  bool bars = false;                                      // from zero up, beside each other, instead of lines
};

// Draws the chart in the rectangle (0, 0, size). Lines differ by colour, dashes and marks, bars by colour and hatching,
// so that they can be told apart without colours.
void paint_line_chart(const LineChart& chart, QPainter& painter, QSize size);
// The same for a file; it is named by its title, else by what it shows.
Figure line_chart_figure(LineChart chart, QSize size);

}  // namespace headlight
