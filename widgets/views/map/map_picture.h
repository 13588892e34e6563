// The value of a box of the computation map as a picture: one small field for each number, or the most extreme of
// several where there is no room for all.
#pragma once

#include <QImage>
#include <QRectF>

#include "widgets/matrix/cells.h"

namespace headlight {

// How the numbers of a tensor are spread over rows and columns: a matrix as it is; heads beside each other; a vector in
// lines of equal length, like text.
struct MapGrid {
  Index rows = 0, columns = 0;
  Index size = 0;              // numbers; the last line of a vector may be shorter
  Index tiles = 1, inner = 0;  // of a tensor of rank 3: heads, and columns of each
  QRectF rect;                 // where the fields are

  // For room of this size and place; empty where there is none.
  static MapGrid of(const Shape& shape, const QRectF& room);
  // Flat index of the number there; -1: none.
  Index at(Index row, Index column) const;
  Index cell_at(QPointF point) const;
  QRectF cell(Index index) const;
  double cell_width() const { return columns > 0 ? rect.width() / static_cast<double>(columns) : 0; }
  double cell_height() const { return rows > 0 ? rect.height() / static_cast<double>(rows) : 0; }
};

// A picture of the rows and columns given, at most one pixel for each, pooled to at most `most` pixels: each shows the
// number of the largest magnitude that falls on it; infinite ones count as no number.
QImage map_picture(const Tensor& value, const MapGrid& grid, const CellScale& scale, const QRect& cells, QSize most);

}  // namespace headlight
