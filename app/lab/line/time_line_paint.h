// Paints the time line: what stays while the handle moves, and the handle with the values of its moment.
#pragma once

#include <QColor>
#include <QString>
#include <vector>

#include "app/lab/line/time_line_layout.h"

class QPainter;

namespace headlight {

// The name of a curve with its value at the moment of the handle, what it means, and where it stands.
struct LegendLine {
  QString name, value, help;
  QColor colour;
  bool strong = false;
  double y = 0;  // of the end of its curve; of wide ones: then moved apart
};
std::vector<LegendLine> legend_lines(const LabShown& shown, const TimeLineContent& content,
                                     const std::vector<int>& moments);
double legend_width(const std::vector<LegendLine>& lines);
// Where each stands, in the order of the lines; null: no room.
std::vector<QRectF> legend_places(const TimeLineLayout& layout, const std::vector<LegendLine>& lines);

struct TimeLineHeading {
  QString title, facts;  // facts: beside it, smaller
};

// Axes, bars, curves, marks, and where numbers end. `prompt`: in the middle of empty axes.
void paint_time_line(QPainter& painter, const TimeLineContent& content, const TimeLineLayout& layout,
                     const QString& prompt, const QString& failure);
// Heading, legend and handle. `moments`: of each side; `side`: whose handle has the keys.
void paint_moment_marks(QPainter& painter, const LabShown& shown, const TimeLineContent& content,
                        const TimeLineLayout& layout, const TimeLineHeading& heading, const std::vector<int>& moments);

}  // namespace headlight
