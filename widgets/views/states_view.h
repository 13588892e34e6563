// What the cells of a recurrent model hold, step by step: gates, candidates and states of every unit; for convolutions
// the gates at each position, and the cone of what a layer sees.
//
// The canvas (states_canvas.h) has the keys; the boxes choose a cell and the order of its units.
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/base/result_view.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/items/matrix_model.h"
#include "widgets/views/states_canvas.h"

class QComboBox;
class QLabel;

namespace headlight {

class StatesView : public QWidget, public ResultView {
  Q_OBJECT
 public:
  explicit StatesView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result) { return has_state_cells(result); }
  void set_result(std::shared_ptr<const Result> result) override;
  void export_to(const QString& path) const override;

  const std::vector<StateCell>& cells() const { return cells_; }
  int cell() const { return cell_; }  // of cells(), -1: none
  void show_cell(int cell);
  StatesCanvas* canvas() const { return canvas_; }
  MatrixModel* table_model();  // of the chosen picture: a row for each unit, a column for each step

  QSize sizeHint() const override { return {620, 460}; }

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void take_cells();
  void show_choices();
  void show_texts();
  void show_states();
  void show_notes();
  StatesCanvas::Cone cone_of(const StateCell& cell) const;
  void select(const StatesCursor& cursor);
  void open(const StatesCursor& cursor);
  void hover(int place);
  void follow_selection();
  void follow_hover();
  QByteArray csv() const;

  ViewContext context_;
  std::shared_ptr<const Result> result_;
  bool taken_ = false;
  std::vector<StateCell> cells_;
  int cell_ = -1;
  std::shared_ptr<const StateCell> shown_;
  MatrixModel table_;
  StatesCanvas* canvas_ = nullptr;
  QWidget* bar_ = nullptr;
  QComboBox *cell_box_ = nullptr, *order_box_ = nullptr;
  QLabel *message_ = nullptr, *note_ = nullptr;
};

}  // namespace headlight
