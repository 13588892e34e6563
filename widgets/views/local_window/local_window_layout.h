// Geometry of the local-window view: the way of the window over all steps at the top, one step of it below. Both share
// the positions of the source along x. Pure: no window.
#pragma once

#include <QRectF>

namespace headlight {

struct LocalWindowHit {
  enum class Part { none, path, bars };
  Part part = Part::none;
  int step = -1;      // of the path
  int position = -1;  // of the source
  bool operator==(const LocalWindowHit&) const = default;
};

struct LocalWindowLayout {
  struct Metrics {
    QSizeF view;
    double line = 16, token_line = 18;
    double label = 70;  // wanted width of the names of the steps
    double margin = 8, gap = 6;
    int positions = 0, steps = 0;
  };
  Metrics metrics;
  QRectF path_caption, path;            // rows are steps
  QRectF title, bars, numbers, tokens;  // of the chosen step; numbers are two lines
  double width = 0, height = 0;         // of everything; larger than the view: it scrolls

  static LocalWindowLayout of(const Metrics& metrics);
  double slot_width() const { return metrics.positions > 0 ? bars.width() / metrics.positions : 0; }
  double row_height() const { return metrics.steps > 0 ? path.height() / metrics.steps : 0; }
  double x_of(double position) const;  // the middle of a position; between them for p_t
  QRectF slot(const QRectF& row, int position) const;
  QRectF path_row(int step) const;
  QRectF path_label(int step) const;
  QRectF column(int position) const;  // from its bar to its token
  LocalWindowHit place_at(QPointF point) const;
};

}  // namespace headlight
