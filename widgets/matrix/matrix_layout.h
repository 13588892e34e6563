// Where the cells of a painted matrix stand: pure geometry, tested without a window.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <utility>

namespace headlight {

// Half-open ranges of places (rows and columns on the screen).
struct CellRange {
  qint64 row_begin = 0, row_end = 0, column_begin = 0, column_end = 0;
  bool empty() const { return row_begin >= row_end || column_begin >= column_end; }
  qint64 count() const { return empty() ? 0 : (row_end - row_begin) * (column_end - column_begin); }
  bool operator==(const CellRange&) const = default;
};

struct MatrixLayout {
  qint64 rows = 0, columns = 0;
  double cell_width = 40, cell_height = 22;
  double left = 0, top = 0, bottom = 0;  // room for the labels of the rows and columns, and for a note below
  double scroll_x = 0, scroll_y = 0;
  QSizeF viewport;

  static constexpr double kSmallestCell = 0.05;
  static constexpr double kLargestCell = 240;

  QSizeF content() const {
    return {static_cast<double>(columns) * cell_width, static_cast<double>(rows) * cell_height};
  }
  QSizeF room() const;  // of the viewport, without the labels
  QRectF body() const;  // the part of the viewport that shows cells
  double max_scroll_x() const;
  double max_scroll_y() const;
  QRectF cell_rect(qint64 row, qint64 column) const;  // in viewport coordinates
  std::optional<std::pair<qint64, qint64>> cell_at(QPointF point) const;
  CellRange visible() const;  // cells that touch body()
  // Cells that share the pixel [x, x + 1) x [y, y + 1) of the body.
  CellRange under_pixel(int x, int y) const;
  bool aggregates() const { return cell_width < 1 || cell_height < 1; }
  // Both cell sizes times `factor`, within the limits, with what is at `anchor` staying there.
  void zoom(double factor, QPointF anchor);
  // Scrolls as little as needed to show the whole cell.
  void reveal(qint64 row, qint64 column);
  void clamp_scroll();
};

}  // namespace headlight
