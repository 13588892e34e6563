// Geometry of split scores: six maps of one size, three beside each other, or two where that makes them larger. Their
// cells are wider or higher where the view is. Pure: no window.
#pragma once

#include <QRectF>
#include <vector>

namespace headlight {

struct ScorePartsHit {
  int part = -1, row = -1, column = -1;
  bool operator==(const ScorePartsHit&) const = default;
};

struct ScorePartsLayout {
  static constexpr int kMaps = 6;

  struct Metrics {
    QSizeF view;
    int rows = 0, columns = 0;  // of each map
    double title = 20, gap = 16, margin = 24, name = 40;
    double head = 0;  // height of the names of the columns, over the upper maps
    double least_cell = 3, most_cell = 100;
  };
  Metrics metrics;
  int beside = 3;
  QSizeF cell;
  double width = 0, height = 0;

  static ScorePartsLayout of(const Metrics& metrics);
  QRectF map(int part) const;
  QRectF title(int part) const;
  double head_top(int part) const;  // of the names over an upper map
  QRectF cell_rect(int part, int row, int column) const;
  QRectF row_name(int part, int row) const;  // only of maps at the left
  bool is_left(int part) const { return part % beside == 0; }
  bool is_upper(int part) const { return part < beside; }
  ScorePartsHit place_at(QPointF point) const;
};

}  // namespace headlight
