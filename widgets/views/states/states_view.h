// What the units of a recurrent model know after each token, and how they come to know it; for convolutions what their
// gates let through, and how far they see.
//
// The canvas (states_canvas.h) has the keys; the box chooses a cell.
#pragma once

#include <memory>

#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/states/states_canvas.h"

class QComboBox;

namespace headlight {

class StatesView : public ViewPanel, public Captioned {
  Q_OBJECT
 public:
  explicit StatesView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result& result) { return has_state_cells(result); }

  const std::vector<StateCell>& cells() const { return cells_; }
  int cell() const { return cell_; }  // of cells(), -1: none
  void show_cell(int cell);
  StatesCanvas* canvas() const { return canvas_; }
  ColourKey colour_key() const override;

 protected:
  void refresh() override;
  void retranslate() override;

 private:
  void show_choices();
  void show_texts();
  void show_states();
  StatesCanvas::Cone cone_of(const StateCell& cell) const;
  void select(const StatesCursor& cursor);
  void open(const StatesCursor& cursor);
  void hover(int place);
  void follow_selection();
  void follow_hover();
  void show_table();

  std::vector<StateCell> cells_;
  int cell_ = -1;
  std::shared_ptr<const StateCell> shown_;
  ColumnTable table_;  // a line for each unit at each place, with all that the cell has of it
  StatesCanvas* canvas_ = nullptr;
  QComboBox* cell_box_ = nullptr;
};

}  // namespace headlight
