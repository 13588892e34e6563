// Geometry of a heatmap: pixels and cells, labels that fit, zoom and pan. Pure: no window, no plot library.
#pragma once

#include <QRectF>
#include <QSize>
#include <QSizeF>
#include <QString>
#include <functional>
#include <optional>
#include <vector>

namespace headlight {

// The part of the matrix that is shown, in cells: columns [left, right), rows [top, bottom).
struct HeatmapWindow {
  double left = 0, right = 0, top = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool operator==(const HeatmapWindow&) const = default;

  static HeatmapWindow whole(int rows, int columns);
  // Not smaller than a few cells, and never outside the matrix.
  HeatmapWindow clamped(int rows, int columns) const;
  // Zoomed by `factor` (> 1: closer) around a point that stays where it is.
  HeatmapWindow zoomed(double factor, QPointF around, int rows, int columns) const;
  HeatmapWindow moved(double columns_right, double rows_down, int rows, int columns) const;
  // Moved as little as needed to show the cell.
  HeatmapWindow showing(int row, int column, int rows, int columns) const;
};

struct HeatmapCell {
  int row = -1, column = -1;
  bool operator==(const HeatmapCell&) const = default;
};

inline constexpr double kInkOfLine = 0.75;  // of the height of a line, without the room above and below it

// What the layout needs to know; text is measured by a function, so that tests need no fonts.
struct HeatmapInput {
  QSizeF size;
  int rows = 0, columns = 0;
  HeatmapWindow window;
  std::vector<QString> row_labels, column_labels;    // as painted
  std::function<double(const QString&)> text_width;  // of a label
  double widest_row = -1, widest_column = -1;        // of all labels; -1: to be measured
  double text_height = 14;
  double value_width = 24;  // of "0.00" in the font of the cells
  double value_height = 12;
  bool captions = true;  // of the axes
  bool colour_bar = true;
  double colour_bar_labels = 38;  // wide
  // A strip stands close below others: no wide edges, at the left, column labels upright. Its cells are as large as
  // their numbers at most, its column labels are shortened down to `shortest_label`.
  bool strip = false;
  bool close_rows = false;  // names of rows may stand as close as kInkOfLine, as those of a strip do
  // The picture of a window: axes and colours are explained around it, it begins at the left edge of everything else,
  // and fills the room that there is.
  bool bare = false;
  double shortest_label = 0;
  double column_scale = 1;   // of the names of columns, as measured by text_width
  bool short_names = false;  // of columns: characters or numbers, of which every second one can be left out
  // Each row looks at the columns up to its own: the names of columns stand in the corner that is left free, each on
  // top of its first cell.
  bool stairs = false;
  int folded = -1;  // the column whose name may stand out over it, for it stands for several; -1: none
  QSizeF lines;     // of that name in two lines
};

struct HeatmapLayout {
  enum class ColumnLabels { none, upright, turned, stairs };
  // A label that is painted; `elided` when it does not show everything.
  struct Label {
    int index = 0;
    QRectF rect;  // unturned; a turned label is painted upwards from its bottom edge
    QString text;
    bool upright = false;  // among turned ones
  };

  static HeatmapLayout of(const HeatmapInput& input);

  int rows = 0, columns = 0;
  QSizeF size;
  HeatmapWindow window;
  QRectF cells;                                                       // where the cells are
  QRectF row_caption, column_caption, colour_bar, colour_bar_labels;  // the caption of a strip's columns is below them
  QSizeF numbered;                                                    // cells of this size have room for their number
  double cell_width = 0, cell_height = 0;
  ColumnLabels column_style = ColumnLabels::none;
  int row_stride = 1, column_stride = 1;  // every n-th label is shown
  std::vector<Label> row_labels, column_labels;
  bool rising = false;     // each row has the columns up to its own: above them it is free
  bool two_lines = false;  // labels that have two lines show them
  double beside = 0;       // that names of columns need at the right of the cells
  double label_scale = 1, column_scale = 1, number_scale = 1;  // of the type, by whoever measured the texts
  bool values_shown = false;                                   // numbers fit into the cells
  bool gaps = false;                                           // cells are large enough for lines between them

  // How many cells, across and down, share a point of a picture with `ratio` points for each pixel: powers of two;
  // 1 x 1: none do.
  QSize cells_of_point(double ratio) const;
  QRectF cell_rect(int row, int column) const;  // not clipped
  QRectF row_band(int row) const;               // with its label
  QRectF column_band(int column) const;
  double column_top(int column) const;  // where its cells begin
  // The room above the stairs in the upper right corner of the cells, for something `width` wide; empty: none.
  QRectF corner(double width) const;
  std::optional<HeatmapCell> cell_at(QPointF point) const;
  std::optional<int> row_label_at(QPointF point) const;
  std::optional<int> column_label_at(QPointF point) const;
  QPointF matrix_point(QPointF point) const;  // x in columns, y in rows
  // Where a readout of this size goes: beside the cell, inside the cells' rectangle, not on top of the cell.
  QRectF readout_rect(int row, int column, QSizeF readout) const;
};

// As much of the beginning and of the end of `text` as is at most `width` wide with an ellipsis between them; never
// cuts a character in two.
QString elided_to(const QString& text, double width, const std::function<double(const QString&)>& text_width);

}  // namespace headlight
