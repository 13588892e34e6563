#include "widgets/views/states_view.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "model/core/errors.h"
#include "widgets/base/export.h"

namespace headlight {

using Order = StatesCanvas::Order;

StatesView::StatesView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  bar_ = new QWidget(this);
  message_ = new QLabel(this);
  note_ = new QLabel(this);
  for (QWidget* each : std::initializer_list<QWidget*>{bar_, message_, note_}) {
    each->setAutoFillBackground(true);
    each->setBackgroundRole(QPalette::Base);
  }
  auto* row = new QHBoxLayout(bar_);
  row->setContentsMargins(8, 4, 8, 2);
  const auto choice = [&](QComboBox*& box, int letters) {
    box = new QComboBox(bar_);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(letters);
    row->addWidget(box);
  };
  choice(cell_box_, 14);
  choice(order_box_, 9);
  row->addStretch(1);
  canvas_ = new StatesCanvas(this);
  for (QLabel* label : {message_, note_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
  }
  message_->setAlignment(Qt::AlignCenter);
  message_->setMargin(32);
  note_->setContentsMargins(8, 2, 8, 4);
  column->addWidget(bar_);
  column->addWidget(canvas_, 1);
  column->addWidget(message_, 1);
  column->addWidget(note_);
  setFocusProxy(canvas_);
  connect(cell_box_, &QComboBox::activated, this, &StatesView::show_cell);
  connect(order_box_, &QComboBox::activated, this,
          [this](int at) { canvas_->set_order(static_cast<Order>(order_box_->itemData(at).toInt())); });
  connect(canvas_, &StatesCanvas::moved, this, &StatesView::select);
  connect(canvas_, &StatesCanvas::opened, this, &StatesView::open);
  connect(canvas_, &StatesCanvas::arranged, this, &StatesView::show_notes);
  connect(canvas_, &StatesCanvas::hovered, this, &StatesView::hover);
  connect(canvas_, &StatesCanvas::other_cell_wanted, this, [this](int by) { show_cell(cell_ + by); });
  connect(canvas_, &StatesCanvas::layer_wanted, this, [this](int layer, int place) {
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (shown_ && cells_[i].side == shown_->side && cells_[i].layer == layer) show_cell(static_cast<int>(i));
    StatesCursor cursor = canvas_->cursor();
    cursor.place = place;
    canvas_->set_cursor(cursor);
    select(canvas_->cursor());
  });
  connect(context_.selection, &Selection::changed, this, &StatesView::follow_selection);
  connect(context_.selection, &Selection::hovered, this, &StatesView::follow_hover);
  show_texts();
  show_states();
}

void StatesView::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  taken_ = false;
  if (isVisible()) take_cells();
}

void StatesView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  take_cells();
  follow_selection();
}

// The same cell as before, where the new result has it.
void StatesView::take_cells() {
  if (taken_) return;
  taken_ = true;
  const std::shared_ptr<const StateCell> before = shown_;
  cells_ = result_ ? state_cells(*result_) : std::vector<StateCell>{};
  cell_ = cells_.empty() ? -1 : 0;
  for (std::size_t i = 0; before && i < cells_.size(); ++i)
    if (cells_[i].side == before->side && cells_[i].layer == before->layer && cells_[i].direction == before->direction)
      cell_ = static_cast<int>(i);
  show_choices();
  show_states();
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
  const Order chosen = canvas_->order();
  order_box_->clear();
  order_box_->addItem(tr("by number"), static_cast<int>(Order::index));
  order_box_->addItem(tr("by change"), static_cast<int>(Order::change));
  const int gate = cell_ >= 0 ? cells_[static_cast<std::size_t>(cell_)].main_gate() : -1;
  if (gate >= 0)
    order_box_->addItem(tr("by openness of %1")
                            .arg(QString::fromStdString(
                                cells_[static_cast<std::size_t>(cell_)].tracks[static_cast<std::size_t>(gate)].symbol)),
                        static_cast<int>(Order::openness));
  order_box_->setCurrentIndex(std::max(0, order_box_->findData(static_cast<int>(chosen))));
  canvas_->set_order(static_cast<Order>(order_box_->currentData().toInt()));
  bar_->setVisible(!cells_.empty());
}

void StatesView::show_texts() {
  cell_box_->setAccessibleName(tr("Cell whose states are shown"));
  cell_box_->setToolTip(tr(
      "A model has a cell in each layer, and a bidirectional encoder one for each direction. Ctrl+Up and Ctrl+Down go "
      "to the next one."));
  order_box_->setAccessibleName(tr("Order of the units"));
  order_box_->setToolTip(tr(
      "Each row of a picture is a unit, one number of the state. They stand by their number, by how much they change "
      "from step to step, or by how open their gate is."));
  message_->setText(!result_ ? tr("Type a source to see what the cells of the model remember of it.")
                    : !result_->trace
                        ? tr("This run was not recorded, so there are no states to show.")
                        : tr("This model has no recurrent cells and no gated convolutions: choose an LSTM, "
                             "GRU or ConvS2S model to see its states."));
}

// How open each layer of convolutions on this side is, and how wide its windows are.
StatesCanvas::Cone StatesView::cone_of(const StateCell& cell) const {
  StatesCanvas::Cone cone;
  if (cell.kind != StateCell::Kind::glu) return cone;
  cone.kernel = result_->model->model->traits().kernel_size;
  cone.causal = cell.side == StateCell::Side::decoder;
  for (const StateCell& layer : cells_) {
    if (layer.side != cell.side) continue;
    auto& open = cone.openness.emplace_back();
    for (int place = 0; place < layer.place_count(); ++place) open.push_back(layer.mean(layer.main_gate(), place));
  }
  return cone;
}

void StatesView::show_states() {
  show_texts();
  shown_ = cell_ >= 0 ? std::make_shared<const StateCell>(cells_[static_cast<std::size_t>(cell_)]) : nullptr;
  canvas_->setVisible(shown_ != nullptr);
  message_->setVisible(shown_ == nullptr);
  canvas_->set_cell(shown_, shown_ ? cone_of(*shown_) : StatesCanvas::Cone{});
  show_notes();
}

void StatesView::show_notes() {
  QStringList notes;
  if (shown_ && shown_->reads_backward()) notes << tr("Its time runs from right to left.");
  if (const int many = canvas_->states_layout().units_of_row; shown_ && many > 1)
    notes << tr("Each row shows %1 units, the most extreme.").arg(many);
  note_->setText(notes.join(' '));
  note_->setVisible(!notes.isEmpty());
}

MatrixModel* StatesView::table_model() {
  take_cells();
  if (!shown_) {
    table_.set_matrix(0, 0, {});
    return &table_;
  }
  std::vector<float> values;
  QStringList rows, columns;
  for (const Index unit : canvas_->units()) {
    rows << tr("unit %1").arg(unit);
    for (int place = 0; place < shown_->place_count(); ++place)
      values.push_back(shown_->value(canvas_->cursor().track, place, unit));
  }
  for (const StatePlace& place : shown_->places) columns << place_name(place);
  table_.set_matrix(static_cast<int>(rows.size()), static_cast<int>(columns.size()), std::move(values));
  table_.set_labels(rows, columns);
  return &table_;
}

void StatesView::select(const StatesCursor& cursor) {
  if (!shown_) return;
  const StatePlace& place = shown_->places[static_cast<std::size_t>(cursor.place)];
  SelectionState state;
  if (place.token >= 0) state.source_token = place.token;
  if (place.step >= 0) state.step = place.step;
  state.entry = shown_->entry(cursor.track, cursor.place);
  state.cell = shown_->index(cursor.track, cursor.place, cursor.unit);
  context_.selection->set(state);
}

void StatesView::open(const StatesCursor& cursor) {
  select(cursor);
  emit context_.requests->open(shown_->entry(cursor.track, cursor.place),
                               shown_->index(cursor.track, cursor.place, cursor.unit));
}

void StatesView::hover(int place) {
  if (!shown_ || place < 0) return context_.selection->hover({}, {});
  const StatePlace& at = shown_->places[static_cast<std::size_t>(place)];
  context_.selection->hover(at.token >= 0 ? std::optional(at.token) : std::nullopt,
                            at.step >= 0 ? std::optional(at.step) : std::nullopt);
}

// A number of one of the cells shows that cell; else the token or the step is marked.
void StatesView::follow_selection() {
  if (!shown_ || !taken_) return;
  const SelectionState& state = context_.selection->state();
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
    const StatePlace& at = shown_->places[static_cast<std::size_t>(place)];
    if ((state.step && at.step == *state.step) || (state.source_token && at.token == *state.source_token)) {
      cursor.place = place;
      return canvas_->set_cursor(cursor);
    }
  }
}

void StatesView::follow_hover() {
  if (!shown_ || !taken_ || canvas_->underMouse()) return;
  const auto token = context_.selection->hovered_token();
  const auto step = context_.selection->hovered_step();
  for (int place = 0; place < shown_->place_count(); ++place) {
    const StatePlace& at = shown_->places[static_cast<std::size_t>(place)];
    if ((token && at.token == *token) || (step && at.step == *step)) return canvas_->set_hover_place(place);
  }
  canvas_->set_hover_place(-1);
}

void StatesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    show_texts();
    if (taken_) {
      show_choices();
      show_states();
    }
  }
  QWidget::changeEvent(event);
}

// A line for each unit at each place, with all that the cell has of it.
QByteArray StatesView::csv() const {
  QString text = "place,token,unit";
  for (const StateTrack& track : shown_->tracks) text += ',' + csv_field(QString::fromStdString(track.symbol));
  text += "\r\n";
  for (int place = 0; place < shown_->place_count(); ++place) {
    const QString start = QStringLiteral("%1,%2,").arg(
        QString::number(place), csv_field(place_label(shown_->places[static_cast<std::size_t>(place)]).text));
    for (Index unit = 0; unit < shown_->units; ++unit) {
      text += start + QString::number(unit);
      for (int track = 0; track < static_cast<int>(shown_->tracks.size()); ++track)
        text += ',' + csv_number(static_cast<double>(shown_->value(track, place, unit)));
      text += "\r\n";
    }
  }
  return text.toUtf8();
}

void StatesView::export_to(const QString& path) const {
  if (!shown_) throw UsageError(message_->text().toStdString());
  if (QFileInfo(path).suffix().compare("csv", Qt::CaseInsensitive) == 0) return export_bytes(path, csv());
  PictureOptions options;
  options.title = canvas_->accessibleName();
  export_picture(
      path, canvas_->picture_size(), [this](QPainter& painter) { canvas_->paint_picture(painter); }, options);
}

}  // namespace headlight
