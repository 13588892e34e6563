// A grid of switches, a row and a column of labels around it: heads that are on or off, tokens that may be looked at.
//
// Click or drag: switches cells, all of a drag to what the first became. Click on a label: the whole row or column.
// Space switches the cell of the cursor, Shift+Space its row, Ctrl+Space its column.
#pragma once

#include <functional>
#include <vector>

#include "model/core/scalar.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/mechanism/mechanism_grid_layout.h"

namespace headlight {

struct MechanismGridData {
  enum class State : char { absent, on, off };
  int rows = 0, columns = 0;
  std::vector<State> states;  // row by row
  std::vector<char> edited;   // differs from the trained model
  std::vector<AxisLabel> row_labels, column_labels;
  std::vector<double> effects;  // of switching each off, by which it is coloured; NaN: not known; empty: it is not
  QString name;                 // of the whole, for screen readers
  std::function<QString(int, int)> words;  // what a cell says
  State at(int row, int column) const { return nth(states, row * columns + column); }
  bool is_edited(int row, int column) const { return nth(edited, row * columns + column) != 0; }
};

// The grid as a table, 1: on, 0: off.
class MechanismGridModel : public MatrixModel {
  Q_OBJECT
 public:
  void set_table(const MechanismGridData* table);
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  const MechanismGridData* data_ = nullptr;
};

class MechanismGrid : public PlaceCanvas<MechanismGridHit> {
  Q_OBJECT
 public:
  explicit MechanismGrid(QWidget* parent = nullptr);
  void set_table(MechanismGridData table);
  const MechanismGridData& shown() const { return data_; }
  const MechanismGridLayout& grid_layout() const { return layout_; }
  MechanismGridModel* table_model() { return &model_; }
  QPoint cursor() const { return cursor_; }  // x: column, y: row
  void set_cursor(int row, int column);      // does not emit
  QString place_tooltip(const MechanismGridHit& place) const override;

 signals:
  void cellsSwitched(const QList<QPoint>& cells, bool on);
  void rowSwitched(int row, bool on);
  void columnSwitched(int column, bool on);
  void cursorMoved(int row, int column);
  void cellHovered(int row, int column);  // −1: none

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override { return data_.name; }
  QString description() const override;
  MechanismGridHit place_at(QPointF point) const override { return layout_.place_at(point); }
  void press_place(const MechanismGridHit& place) override;
  void hover_changed() override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  void drag(QPointF point) override;
  void release(QPointF point) override;
  bool press_key(const QKeyEvent& event) override;

 private:
  void go_to(int row, int column);
  void drag_over(QPoint cell);
  void switch_line(int row, int column);  // the other one is −1
  void paint_labels(QPainter& painter, const QRectF& sight) const;
  QColor colour_of(int row, int column) const;
  void paint_cell(QPainter& painter, int row, int column) const;

  MechanismGridData data_;
  MechanismGridModel model_;
  MechanismGridLayout layout_;
  QPoint cursor_{-1, -1};
  QPoint dragged_to_;      // the cell that the mouse told of last
  QList<QPoint> dragged_;  // cells of the drag in progress
  bool drags_on_ = false;
};

}  // namespace headlight
