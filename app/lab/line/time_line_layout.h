// The time line as numbers: what it shows of one training or two, and where that stands. No Qt widget, nothing is
// painted here (time_line_paint.h).
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <limits>
#include <vector>

#include "app/lab/lab_shown.h"

namespace headlight {

// What is known of a training before it runs.
struct TimeLinePlan {
  double reads = 0;         // examples (characters) that it will read; 0: not known
  bool characters = false;  // of the task "text": it reads characters
  bool perplexity = false;  // open-ended: the curve is the perplexity, on a logarithmic axis
  bool operator==(const TimeLinePlan&) const = default;
};

enum class LineKind { guess, thin, trained, looks, unseen, perplexity };

// Points are (examples read, value); shares from 0 to 1.
struct TimeCurve {
  LineKind kind = LineKind::unseen;
  int side = 0;  // of two runs; of thin lines: which
  std::vector<QPointF> points;
};

struct TimeLineContent {
  double reads = 0;  // the end of the axis; 0: not known
  bool log = false;  // values are perplexities
  bool characters = false;
  bool links_known = false;  // "looks at the right word"; else how concentrated it looks
  bool two = false;
  double low = 0, high = 1;  // of the axis of values

  struct Bar {
    double from = 0, to = 0, height = 0;  // examples read; the loss as a part of the largest one
  };
  struct Mark {
    int moment = 0;
    double read = 0;
    QString word;  // several of one moment: with blanks between
  };
  std::vector<TimeCurve> curves;  // the last one is in front
  std::vector<Bar> bars;
  std::vector<Mark> marks;                                    // of the run that is not beside another
  std::vector<std::pair<int, double>> changes;                // other changes: the moment, examples read
  double failed = std::numeric_limits<double>::quiet_NaN();   // from here on no numbers
  const TimeCurve* curve(LineKind kind, int side = 0) const;  // null: there is none
};

TimeLineContent time_line_content(const LabShown& shown, const TimeLinePlan& plan, const std::vector<QPointF>& guess);
// On the straight line between two points; outside of them NaN.
double value_at(const std::vector<QPointF>& points, double read);
// How far the guess lies from the curve, on average over that part of the axis where there are both: in shares; of
// perplexities as a factor. NaN: nowhere yet.
double guess_error(const std::vector<QPointF>& guess, const TimeCurve& curve, bool log);

struct TimeLineLayout {
  QSizeF size;
  bool wide = false;  // the names of the curves stand right of them; else in a line below the heading
  QRectF heading;     // one line
  QRectF legend;      // right of the plot, or a line below the heading; null: no room
  QRectF plot;
  double knob = 0, knob_radius = 0, hit = 0;  // middle of the handle's knob from above; half the width that takes it
  double triangles = 0, triangle = 0;         // the tips of the marks from above, and how high they are
  QRectF words_above, words_below, numbers;   // lines; null: no room
  double reads = 1, low = 0, high = 1;
  bool log = false;

  struct Tick {
    double value = 0;
    QString text;
  };
  std::vector<Tick> x_ticks, y_ticks;
  struct Word {
    QRectF place;  // null: no room, the mark is a tick
    QString text;  // as much of the words as there is room for
    bool above = false;
  };
  std::vector<Word> words;  // one for each mark

  double x(double read) const { return plot.left() + plot.width() * read / reads; }
  double read_at(double x) const;  // within the axis
  double y(double value) const;
  double value_at(double y) const;  // within the axis
  QRectF knob_box(double read) const;
};

// `legend_width`: of its longest line.
TimeLineLayout lay_out_time_line(const TimeLineContent& content, QSizeF size, double legend_width);
// At least this high, and as high as it is good to be.
double least_time_line_height();
double good_time_line_height();

}  // namespace headlight
