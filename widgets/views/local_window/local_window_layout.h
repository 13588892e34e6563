// Geometry of the local-window view: a row for each step, with its hill over the tiles of the positions that it may
// read, on the columns of the text. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

#include "widgets/canvas/text_columns.h"

namespace headlight {

struct LocalWindowHit {
  enum class Part { none, tokens, name, hill, tile, share };
  Part part = Part::none;
  int step = -1;
  int column = -1;  // of the text, in reading order
  bool operator==(const LocalWindowHit&) const = default;
};

struct LocalWindowLayout {
  struct Metrics {
    QSizeF view;
    std::vector<double> shares;  // widths of the columns
    int steps = 0;
    double head = 58;              // the text on top, and the numbers of its places
    double name = 94, side = 172;  // left of the columns, and right of them
    double tile = 25, hill = 30;   // their least heights; the hill takes what there is
    double margin = 24, least_column = 14, most_column = 150;
  };
  Metrics metrics;
  TextColumns columns;
  bool beside = false;  // there is room for the shares
  double row = 0;       // height of a step
  double width = 0, height = 0;

  static LocalWindowLayout of(const Metrics& metrics);
  QRectF step(int step) const;              // from the left edge to the right one
  QRectF hill(int step) const;              // over all columns
  QRectF tile(int step, int column) const;  // a pixel apart from its neighbours is drawn
  QRectF share(int step) const;
  double x_of(double column) const;  // the middle of a column; between them for what is not whole
  double column_of(double x) const;  // the inverse, also beyond the ends
  LocalWindowHit place_at(QPointF point, double held = 0) const;
};

}  // namespace headlight
