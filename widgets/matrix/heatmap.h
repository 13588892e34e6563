// A matrix as a picture: cells by colour, tokens on both axes, the exact number under the mouse and the cursor.
//
// Hover reads a cell, a click selects it, a drag moves what is seen, a double click shows everything again; Enter
// activates the cell of the cursor, F2 edits it.
#pragma once

#include <QImage>
#include <functional>

#include "model/core/tensor.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/figure.h"
#include "widgets/matrix/heatmap_glide.h"
#include "widgets/matrix/heatmap_scene.h"
#include "widgets/tables/matrix_model.h"

namespace headlight {

class Heatmap : public Canvas {
  Q_OBJECT
 public:
  using Range = HeatmapScene::Range;
  using Form = HeatmapScene::Form;

  explicit Heatmap(QWidget* parent = nullptr, Form form = Form::figure);

  // Row-major values. `generation` comes back in painted(). A matrix of the same size keeps zoom and cursor. The paint
  // is queued; several setters in a row cost one paint.
  void set_matrix(int rows, int columns, std::vector<float> values, quint64 generation = 0);
  void set_matrix(const Tensor& matrix, quint64 generation = 0);
  // Cells [rows x columns] that stay empty, until the next matrix: no number stands in them. Of them, those outside a
  // window are hatched.
  void set_hidden(std::vector<bool> cells, std::vector<bool> dropped = {});
  void set_looks(bool looks) { scene_.looks = looks; }  // rows look at columns: its readout says so
  // Rows that a lesson asks for.
  void set_closed(std::vector<int> rows, std::vector<int> columns);
  bool rises() const { return scene_.stairs; }  // each row has the columns up to its own, and no other
  // Nothing is made of these values: they are shown faint, with lines over them.
  void set_off(bool off);
  void clear() { set_matrix(0, 0, {}); }
  int rows() const { return scene_.rows; }
  int columns() const { return scene_.columns; }
  float value(int row, int column) const;

  void set_labels(std::vector<AxisLabel> rows, std::vector<AxisLabel> columns);
  // What the axes count: tr("output"), tr("source"). What a value is: tr("weight").
  void set_captions(const QString& rows, const QString& columns, const QString& value);
  // What of several the matrix shows, "layer 2": in its caption, its name, and in exports. Empty: there is one only.
  void set_subject(const QString& subject);
  void set_range(Range range);
  Range range() const { return scene_.range; }
  CellScale colour_scale() const { return scene_.scale(); }
  // The ends of the colour bar, so that several pictures can be compared; nothing: as the range says.
  void set_limits(std::optional<std::pair<double, double>> limits);
  void set_colour_bar(bool shown);
  // On the screen without captions and colour bar, which stand around it; files have them.
  void set_bare(bool bare);

  // The first row that a model wrote itself, behind a text that it was given: a dashed line stands above it; -1: none.
  void set_own_rows(int first);
  // Other rows than the first (or the last) `count` are left empty, as not computed yet; -1: all rows are there.
  void set_visible_rows(int count, bool from_end = false);
  int visible_rows() const { return scene_.visible_rows; }
  void set_selected_cell(int row, int column);  // -1, -1: none; also the keyboard cursor. Does not emit.
  HeatmapCell selected_cell() const { return scene_.selected; }
  // Marked from outside (linked selection); -1: none. Do not emit.
  void set_highlighted_row(int row);  // the current step
  void set_highlighted_columns(std::vector<int> columns);
  // The place of the linked selection: marks its row and column, and the cell where it has both; -1: none.
  void set_place(int row, int column);
  void set_hover(int row, int column);  // as if the mouse were there, -1: not on this axis
  // What the pointer is over a cell; without it an arrow.
  void set_pointer(std::function<Qt::CursorShape(const HeatmapCell&)> pointer) { pointer_ = std::move(pointer); }
  void set_edited_cells(std::vector<HeatmapCell> cells, bool all = false);
  void set_moved_cells(std::vector<HeatmapCell> cells);
  const std::vector<HeatmapCell>& moved_cells() const { return scene_.moved; }
  bool marks_moved() const { return HeatmapPainter::has_room_for_dots(heatmap_layout()); }

  void reset_view() { set_window(HeatmapWindow::whole(scene_.rows, scene_.columns)); }
  void zoom_to_read();  // cells in which numbers can be read
  void set_window(const HeatmapWindow& window);
  const HeatmapLayout& heatmap_layout() const;
  // How many cells share a point of the screen: it shows the largest of them (the one farthest from 0, where the range
  // is symmetric).
  QSize cells_of_point() const { return heatmap_layout().cells_of_point(devicePixelRatioF()); }
  virtual QString readout(int row, int column) const {
    return scene_.readout(row, column);
  }                                               // "‘1’ looks at ‘S’: 0.9312"
  MatrixModel* table_model() { return &model_; }  // the same numbers as a table

  // What is chosen, with its labels: the cell, or the row or column, somewhat larger than it is. None: nothing is.
  QList<QRectF> spots() const;

  Figure figure() const;  // of the whole widget as it is shown
  void paint_picture(QPainter& painter, QSize size) const;
  void zoom(double factor, QPointF point) override;
  void show_all() override { reset_view(); }
  QVariantMap sight_choice() const override;
  void set_sight_choice(const QVariantMap& choice) override;
  bool wheel_zooms() const override { return scene_.form == Form::figure; }

  QSize sizeHint() const override { return {640, 360}; }
  QSize minimumSizeHint() const override { return {260, 160}; }

 signals:
  void cellHovered(int row, int column);    // -1: not on this axis; -1, -1: the mouse has left
  void cellActivated(int row, int column);  // clicked, or Enter
  void cursorMoved(int row, int column);    // selected by arrow keys
  void contextMenuRequested(int row, int column, const QPoint& global_position);
  void painted(quint64 generation);  // after the pixels of this generation were drawn

 protected:
  QSizeF arrange(QSizeF view) override;
  void keep() override { before_ = heatmap_bands(scene_, layout_); }
  void paint_between(QPainter& painter, const Motion::Frame& frame) const override {
    paint_glide(painter, frame, before_, heatmap_bands(scene_, heatmap_layout()));
  }
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void forget() override;
  QString name() const override;
  QString description() const override;
  QString tooltip(QPointF point) const override;
  Qt::CursorShape hover(QPointF point) override;
  void leave() override;
  void press(QPointF point, Qt::KeyboardModifiers) override;
  void drag(QPointF point) override;
  void release(QPointF point) override;
  void open_at(QPointF) override { reset_view(); }
  bool menu(std::optional<QPointF> point, const QPoint& global) override;
  bool covers_ground() const override { return true; }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  int page() const override;
  bool activate() override;
  bool press_key(const QKeyEvent& event) override;
  QPointF zoom_centre() const override;
  void pan(QPointF pixels) override;
  void wheelEvent(QWheelEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

  const HeatmapScene& scene() const { return scene_; }
  HeatmapCell place_at(QPointF point) const;  // the cell there, or the row or column whose name it is
  void queue();                               // everything but the marks is to be painted again

 private:
  void geometry_changed();
  void draw();
  void update_layout() const;

  HeatmapScene scene_;
  mutable HeatmapPainter painter_;
  HeatmapWindow window_;
  std::optional<HeatmapWindow> wanted_window_;  // of a session, until there is a matrix
  mutable HeatmapLayout layout_;
  mutable bool layout_is_old_ = true;
  QImage frame_;  // everything but the marks, which follow the mouse
  bool frame_is_old_ = true;
  MatrixModel model_;
  quint64 drawn_generation_ = 0;
  std::function<Qt::CursorShape(const HeatmapCell&)> pointer_;
  std::optional<QPointF> pressed_;  // where the mouse went down
  QPointF dragged_from_;
  bool dragging_ = false;
  HeatmapBoth before_;  // of the picture from which this one comes
};

}  // namespace headlight
