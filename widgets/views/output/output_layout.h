// Geometry of the output view: a column for each step, a row for each candidate. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

#include "widgets/base/tokens.h"

namespace headlight {

struct OutputHit {
  int step = -1;
  int rank = -1;  // candidate, best first; -1: the written token above them
  bool operator==(const OutputHit&) const = default;
};

struct OutputLayout {
  struct Metrics {
    double width = 0, height = 0;
    double zoom = 1;               // of the type; the other sizes have it in them
    double chip_height = 34;       // of written tokens
    double candidate_height = 30;  // smallest useful
    double largest_candidate = 46;
    double smallest_column = 38;
    double largest_column = 150;           // of a column whose texts need less
    double number_line = 16;               // of the step numbers
    double draw_height = 0;                // of what tells how the token was drawn; 0: it was not
    double margin = 8, side = 8, gap = 4;  // above and below, at the sides, between
  };
  int steps = 0, candidates = 0;
  std::vector<double> lefts, widths;  // of the columns
  double candidate_height = 0;
  double width = 0, height = 0;  // of everything; larger than the view: it scrolls
  Metrics metrics;

  // `needs` has the width that the texts of each step want. A column never gets less; room that is left goes to the
  // narrowest columns first, so that steps of single characters are equally wide.
  static OutputLayout of(std::vector<double> needs, int candidates, const Metrics& metrics);
  // At the sides: as around everything else, where there is room.
  static double side_of(double width) { return width < 560 ? space::kSmall : space::kMargin; }
  // How many candidates have room in the height, of `all`; never fewer than `fewest` of them.
  static int fitting(int all, int fewest, const Metrics& metrics);
  QRectF number_rect(int step) const;
  QRectF chip_rect(int step) const;
  QRectF draw_rect(int step) const;
  QRectF candidate_rect(int step, int rank) const;
  QRectF column_rect(int step) const;
  OutputHit place_at(QPointF point) const;
};

}  // namespace headlight
