#include "widgets/views/states/states_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>

#include "model/decode/run.h"
#include "widgets/base/controls.h"

namespace headlight {

StatesView::StatesView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  QHBoxLayout* row = bar_row();
  row->addWidget(cell_box_ = choice_box(bar(), 14));
  cell_box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // whole where there is room
  row->addStretch(1);
  build(canvas_ = new StatesCanvas(this), {620, 460});
  set_table(&table_);
  connect(cell_box_, &QComboBox::activated, this, &StatesView::show_cell);
  connect(canvas_, &StatesCanvas::moved, this, &StatesView::select);
  connect(canvas_, &StatesCanvas::opened, this, &StatesView::open);
  connect(canvas_, &StatesCanvas::placeHovered, this, &StatesView::hover);
  connect(canvas_, &StatesCanvas::other_cell_wanted, this, [this](int by) { show_cell(cell_ + by); });
  connect(selection_, &Selection::changed, this, &StatesView::follow_selection);
  connect(selection_, &Selection::hovered, this, &StatesView::follow_hover);
  show_texts();
  show_states();
}

// The same cell as before, where the new result has it.
void StatesView::refresh() {
  const std::shared_ptr<const StateCell> before = shown_;
  cells_ = run() ? state_cells(*result()) : std::vector<StateCell>{};
  cell_ = cells_.empty() ? -1 : 0;
  for (std::size_t i = 0; before && i < cells_.size(); ++i)
    if (cells_[i].side == before->side && cells_[i].layer == before->layer && cells_[i].direction == before->direction)
      cell_ = static_cast<int>(i);
  show_choices();
  show_states();
  follow_selection();
}

void StatesView::show_cell(int cell) {
  if (cells_.empty()) return;
  cell_ = std::clamp(cell, 0, static_cast<int>(cells_.size()) - 1);
  cell_box_->setCurrentIndex(cell_);
  show_choices();
  show_states();
}

void StatesView::show_choices() {
  cell_box_->clear();
  for (const StateCell& cell : cells_) cell_box_->addItem(cell_name(cell));
  cell_box_->setCurrentIndex(cell_);
  cell_box_->setVisible(cells_.size() > 1);
  bar()->setVisible(cells_.size() > 1);
}

void StatesView::show_texts() {
  describe(cell_box_, tr("Cell whose states are shown"),
           tr("A model has a cell in each layer, and a bidirectional encoder one for each direction. Ctrl+Up and "
              "Ctrl+Down go to the next one."));
}

// How wide the windows of convolutions are.
StatesCanvas::Cone StatesView::cone_of(const StateCell& cell) const {
  StatesCanvas::Cone cone;
  if (cell.kind != StateCell::Kind::glu) return cone;
  cone.kernel = result()->model->model->traits().kernel_size;
  cone.causal = cell.side == StateCell::Side::decoder;
  return cone;
}

void StatesView::show_states() {
  show_texts();
  shown_ = cell_ >= 0 ? std::make_shared<const StateCell>(nth(cells_, cell_)) : nullptr;
  show_message(shown_ ? QString()
                      : reason(tr("Type a source to see what the cells of the model remember of it."),
                               tr("This model has no recurrent cells and no gated convolutions: choose an LSTM, "
                                  "GRU or ConvS2S model to see its states.")));
  canvas_->set_cell(shown_, shown_ ? cone_of(*shown_) : StatesCanvas::Cone{});
  show_table();
}

void StatesView::show_table() {
  if (!shown_) return table_.clear();
  const auto units = static_cast<int>(shown_->units);
  std::vector<ColumnTable::Column> columns = {
      ColumnTable::counting(tr("place"), [units](int line) { return line / units; }),
      {tr("token"), [shown = shown_, units](int line) { return place_label(nth(shown->places, line / units)).text; }},
      ColumnTable::counting(tr("unit"), [units](int line) { return line % units; })};
  for (int track = 0; track < static_cast<int>(shown_->tracks.size()); ++track)
    columns.push_back(
        {QString::fromStdString(nth(shown_->tracks, track).symbol), [shown = shown_, units, track](int line) {
           return static_cast<double>(shown->value(track, line / units, line % units));
         }});
  table_.set(shown_->place_count() * units, std::move(columns));
}

void StatesView::select(const StatesCursor& cursor) {
  if (!shown_) return;
  const StatePlace& place = nth(shown_->places, cursor.place);
  SelectionState state;
  state.source_token = unless_none(place.token);
  state.step = unless_none(place.step);
  state.entry = shown_->entry(cursor.track, cursor.place);
  state.cell = shown_->index(cursor.track, cursor.place, cursor.unit);
  selection_->set(state);
}

void StatesView::open(const StatesCursor& cursor) {
  select(cursor);
  emit requests_->open(shown_->entry(cursor.track, cursor.place),
                       shown_->index(cursor.track, cursor.place, cursor.unit));
}

void StatesView::hover(int place) {
  if (!shown_ || place < 0) return selection_->hover({}, {});
  const StatePlace& at = nth(shown_->places, place);
  selection_->hover(unless_none(at.token), unless_none(at.step));
}

// A number of one of the cells shows that cell; else the token or the step is marked.
void StatesView::follow_selection() {
  if (!shown_ || !is_fresh()) return;
  const SelectionState& state = selection_->state();
  StatesCursor cursor = canvas_->cursor();
  const auto holds = [&](const StateCell& cell) {
    return state.entry && cell.find(*state.entry, static_cast<Index>(state.cell.value_or(0)), &cursor.track,
                                    &cursor.place, &cursor.unit);
  };
  if (holds(*shown_)) return canvas_->set_cursor(cursor);
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (holds(cells_[i])) {
      show_cell(static_cast<int>(i));
      return canvas_->set_cursor(cursor);
    }
  for (int place = 0; place < shown_->place_count(); ++place) {
    const StatePlace& at = nth(shown_->places, place);
    if ((state.step && at.step == *state.step) || (state.source_token && at.token == *state.source_token)) {
      cursor.place = place;
      return canvas_->set_cursor(cursor);
    }
  }
}

void StatesView::follow_hover() {
  if (!shown_ || !is_fresh() || canvas_->underMouse()) return;
  const auto token = selection_->hovered_token();
  const auto step = selection_->hovered_step();
  for (int place = 0; place < shown_->place_count(); ++place) {
    const StatePlace& at = nth(shown_->places, place);
    if ((token && at.token == *token) || (step && at.step == *step)) return canvas_->set_hover_place(place);
  }
  canvas_->set_hover_place(-1);
}

void StatesView::retranslate() {
  show_texts();
  show_choices();
  show_states();
}

ColourKey StatesView::colour_key() const {
  return shown_ ? ColourKey{ColourKey::Kind::signs, canvas_->largest()} : ColourKey{};
}

}  // namespace headlight
