// A painted view of any tensor of a trace: cells coloured by value, with numbers where they fit.
#pragma once

#include <vector>

#include "model/core/tensor.h"
#include "widgets/canvas/canvas.h"
#include "widgets/matrix/cells.h"
#include "widgets/matrix/matrix_layout.h"
#include "widgets/text/trace_labels.h"

class QComboBox;

namespace headlight {

// What a matrix view shows.
struct MatrixContent {
  enum class Scale {
    automatic,    // weights when all values lie in [0, 1], else differences
    weights,      // sequential, 0 .. 1
    differences,  // diverging around 0, symmetric, as wide as the largest magnitude
  };
  Tensor values;             // any rank; the last two axes make the grid, the leading ones are chosen by the selector
  AxisLabels rows, columns;  // of the last two axes (rows: unused for a vector)
  QString title;             // for the accessible name, the tooltip and exports: "attention weights of step 3 ('0')"
  Scale scale = Scale::automatic;
  bool vertical = false;             // a vector stands as a column
  bool bare = false;                 // positions get no labels unless they have names
  bool edited = false;               // the whole tensor was changed by the user
  std::vector<qint64> edited_cells;  // flat indices, where it is known which ones
};

class MatrixView : public Canvas {
  Q_OBJECT
 public:
  explicit MatrixView(QWidget* parent = nullptr);

  // Content of the same shape keeps the zoom, the scroll position and the cursor.
  void set_content(MatrixContent content);
  const MatrixContent& content() const { return content_; }
  void clear() { set_content({}); }

  // Rows with an index of at least `rows` are drawn as empty places; negative: all are shown.
  void set_visible_rows(qint64 rows);
  qint64 visible_rows() const { return visible_rows_; }

  // Marks a whole row by its index; -1: none.
  void set_marked_row(qint64 row);

  // Flat index into content().values; -1: none. Scrolls there; does not emit.
  void set_current_cell(qint64 index);
  qint64 current_cell() const;

  qint64 slice() const { return slice_; }  // of the leading axes, folded
  qint64 slices() const;
  void set_slice(qint64 slice);

  void zoom(double factor, QPointF point) override;
  void show_all() override;  // the whole tensor; stays so when the view is resized, until the next zoom. It starts so.
  void zoom_to_read();       // cells in which numbers can be read
  const MatrixLayout& matrix_layout() const { return layout_; }
  // "[3, 'U'] = 0.774612345", what hovering shows.
  QString cell_text(qint64 index) const;
  // What screen pixels below one cell show: "each pixel shows the largest of 12 values"; empty when nothing is
  // gathered.
  QString aggregation_text() const;

  // PNG, SVG or PDF by the ending, the whole matrix. Throws FileError.
  void export_to(const QString& path) const;
  QString csv() const;  // header row with column labels, then one line for each row; RFC 4180

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void cellActivated(qint64 index);  // clicked, or Enter on the cursor
  void cellHovered(qint64 index);    // -1: none

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void forget() override;
  QString name() const override;
  QString description() const override;
  QString tooltip(QPointF point) const override;
  Qt::CursorShape hover(QPointF point) override;
  void leave() override { set_hover(-1); }
  void press(QPointF point, Qt::KeyboardModifiers) override;
  bool go(int right, int down) override;
  int page() const override;
  bool activate() override;
  bool press_space() override { return false; }  // it belongs to the panel around: the stepper plays
  bool press_key(const QKeyEvent& event) override;
  QPointF zoom_centre() const override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  void measure();
  void fit();
  void update_scroll_bars();
  void find_range();
  void move_cursor(qint64 row, qint64 column);
  void set_hover(qint64 index);
  void update_selector();
  qint64 flat_index(qint64 row, qint64 column) const;      // of a place on the screen
  std::pair<qint64, qint64> place_of(qint64 index) const;  // on the screen
  double value_at(qint64 row, qint64 column) const;
  bool hidden_row(qint64 row) const;
  bool labels_rows() const;
  bool labels_columns() const;
  bool is_edited(qint64 index) const;
  QRgb color_of(double value) const { return colours_.at(scale_.share(value)); }
  double strongest(const CellRange& range) const;
  QString number(double value) const;
  void paint(QPainter& painter, const MatrixLayout& layout, bool marks) const;
  void paint_cells(QPainter& painter, const MatrixLayout& layout) const;
  void paint_numbers(QPainter& painter, const MatrixLayout& layout) const;
  void paint_aggregate(QPainter& painter, const MatrixLayout& layout) const;
  void paint_labels(QPainter& painter, const MatrixLayout& layout, bool marks) const;
  void paint_marks(QPainter& painter, const MatrixLayout& layout) const;

  MatrixContent content_;
  MatrixLayout layout_;
  QComboBox* selector_;
  qint64 slice_ = 0;
  qint64 visible_rows_ = -1;
  qint64 marked_row_ = -1;
  qint64 cursor_row_ = -1, cursor_column_ = -1;  // places on the screen
  qint64 hover_ = -1;
  CellScale scale_;
  CellColours colours_;
  bool integral_ = false;
  bool fitting_ = true;
  double number_width_ = 0, number_height_ = 0;
  double label_width_ = 0;  // of the widest column label
  bool following_ = false;  // scroll bars are being set from the layout
};

}  // namespace headlight
