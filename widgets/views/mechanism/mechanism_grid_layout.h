// Where the cells of a grid of switches lie: a label for each row and column, and a square for each pair.
#pragma once

#include <QRectF>

namespace headlight {

struct MechanismGridHit {
  enum class Part { none, cell, row, column };
  Part part = Part::none;
  int row = -1, column = -1;  // of a row's label only the row, of a column's only the column
  bool operator==(const MechanismGridHit&) const = default;
};

struct MechanismGridLayout {
  struct Metrics {
    QSizeF view;
    int rows = 0, columns = 0;
    double row_label = 60;         // widest label of a row
    double column_label = 60;      // widest label of a column
    double line = 14;              // height of a line of text
    double least = 14, most = 30;  // sides of a cell
  };
  static MechanismGridLayout of(const Metrics& metrics);

  int rows = 0, columns = 0;
  double cell = 0;      // side
  QPointF corner;       // of the first cell
  bool upright = true;  // labels of columns are written from left to right; else from the bottom to the top
  double width = 0, height = 0;

  QRectF cell_rect(int row, int column) const;
  QRectF row_label(int row) const;
  QRectF column_label(int column) const;
  MechanismGridHit place_at(QPointF point) const;
};

}  // namespace headlight
