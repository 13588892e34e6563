// The alignment view.
#include "widgets/views/alignment/alignment_view.h"

#include <QAction>
#include <QActionGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QCursor>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolTip>
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "widgets/canvas/analysed_run.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/text/attention_words.h"

namespace headlight {

AlignmentView::AlignmentView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent), heatmap_(new Heatmap(this)) {
  build_chooser();
  build(heatmap_);
  set_table(heatmap_->table_model());
  heatmap_->installEventFilter(this);              // keys
  heatmap_->viewport()->installEventFilter(this);  // the mouse
  connect(heatmap_, &Heatmap::cellHovered, this, [this](int row, int column) {
    const int at = alignment_column(column);
    selection_->hover(at < 0 ? std::nullopt : std::optional(alignment_.token_of_column[static_cast<std::size_t>(at)]),
                      row < 0 ? std::nullopt : std::optional(alignment_.rows[static_cast<std::size_t>(row)].step));
  });
  connect(heatmap_, &Heatmap::hoverLeft, this, [this] { selection_->hover(std::nullopt, std::nullopt); });
  connect(heatmap_, &Heatmap::cellActivated, this, &AlignmentView::select);
  connect(heatmap_, &Heatmap::cursorMoved, this, &AlignmentView::select);
  connect(heatmap_, &Heatmap::editRequested, this, &AlignmentView::request_edit);
  connect(heatmap_, &Heatmap::contextMenuRequested, this, &AlignmentView::open_menu);
  connect(heatmap_, &Heatmap::painted, this, &AlignmentView::painted);
  connect(selection_, &Selection::changed, this, &AlignmentView::follow_selection);
  connect(selection_, &Selection::hovered, this, &AlignmentView::follow_hover);
  connect(selection_, &Selection::wordsChanged, this, [this] { show_again(); });
  retranslate();
}

const Alignment& AlignmentView::alignment_shown() {
  bring_up_to_date();
  return alignment_;
}

Heatmap* AlignmentView::heatmap() {
  bring_up_to_date();
  return heatmap_;
}

void AlignmentView::build_chooser() {
  QHBoxLayout* row = bar_row();
  row->setContentsMargins(8, 4, 8, 0);
  row->addWidget(chooser_label_ = new QLabel(bar()));
  row->addWidget(chooser_box_ = new QComboBox(bar()));
  row->addStretch(1);
  row->addWidget(words_box_ = new QCheckBox(bar()));
  chooser_label_->setBuddy(chooser_box_);
  connect(words_box_, &QCheckBox::clicked, selection_, &Selection::set_words);
  connect(chooser_box_, &QComboBox::activated, this,
          [this](int index) { set_layer(chooser_box_->itemData(index).toInt()); });
}

void AlignmentView::show_chooser() {
  chooser_label_->setText(tr("&Layer:"));
  const QString help =
      tr("This model looks at the source anew in each of its layers. The mean shows where it looks on the whole; a "
         "single layer shows what that layer looks for. Often only some of them follow the words.");
  for (QWidget* each : std::initializer_list<QWidget*>{chooser_label_, chooser_box_}) {
    each->setToolTip(help);
    each->setVisible(!layers_.empty());
  }
  chooser_box_->setAccessibleName(tr("Layer whose attention is shown"));
  chooser_box_->setAccessibleDescription(help);
  chooser_box_->clear();
  chooser_box_->addItem(has_heads() ? tr("last layer") : tr("mean of all"), -1);
  for (const int layer : layers_) chooser_box_->addItem(QString::number(layer + 1), layer);
  chooser_box_->setCurrentIndex(chooser_box_->findData(layer_));
  const bool pieces = run() && alignment_has_pieces(*result(), run()->maps(), layer_);
  words_box_->setText(words_name());
  words_box_->setToolTip(words_help());
  words_box_->setAccessibleDescription(words_help());
  words_box_->setChecked(selection_->words());
  words_box_->setVisible(pieces);
  bar()->setVisible(pieces || !layers_.empty());
}

void AlignmentView::set_layer(int layer) {
  bring_up_to_date();
  if (layer == layer_ || (layer >= 0 && std::find(layers_.begin(), layers_.end(), layer) == layers_.end())) return;
  layer_ = layer;
  chooser_box_->setCurrentIndex(chooser_box_->findData(layer_));
  show_alignment();
}

QString AlignmentView::layer_name() const {
  if (layers_.empty()) return {};
  if (has_heads())
    return layer_ < 0 ? tr("mean of the heads of the last layer") : tr("mean of the heads of layer %1").arg(layer_ + 1);
  return layer_ < 0 ? tr("mean of all layers") : tr("layer %1").arg(layer_ + 1);
}

bool AlignmentView::has_heads() const {
  return result() && result()->trace && result()->trace->find("decoder.step[0].layer[0].cross_attn.head.weights") >= 0;
}

void AlignmentView::refresh() {
  auto layers = run() ? aligned_layers(run()->maps()) : std::vector<int>{};
  if (layers != layers_) {
    layers_ = std::move(layers);
    if (std::find(layers_.begin(), layers_.end(), layer_) == layers_.end()) layer_ = -1;
  }
  show_chooser();
  show_alignment();
}

void AlignmentView::show_alignment() {
  alignment_ = run() ? alignment(*result(), run()->maps(), layer_, selection_->words()) : Alignment{};
  show_message(emptiness());
  if (!alignment_.empty()) return show_matrix();
  shown_columns_.clear();
  heatmap_->clear();
}

QString AlignmentView::emptiness() const {
  if (!alignment_.empty()) return {};
  return reason(tr("Type a source to see which of its tokens each output step looks at."),
                run() && !run()->maps().empty()
                    ? tr("This model has no separate source: its text looks at itself. The panels ‘Heads’ and "
                         "‘Ribbons’ show how.")
                    : tr("This model has no attention: it squeezes the whole source into one "
                         "vector. Choose ‘Dates, attention’ to see an alignment."));
}

void AlignmentView::retranslate() {
  show_chooser();
  show_labels();
  show_message(emptiness());
}

void AlignmentView::show_matrix() {
  shown_columns_.clear();
  for (std::size_t i = 0; i < alignment_.columns.size(); ++i)
    if (show_padding_ || !alignment_.columns[i].padding) shown_columns_.push_back(static_cast<int>(i));
  const auto rows = static_cast<int>(alignment_.row_labels.size());
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(rows) * shown_columns_.size());
  for (int row = 0; row < rows; ++row)
    for (const int column : shown_columns_)
      values.push_back(static_cast<float>(alignment_.weights[row * alignment_.weights.columns() + column]));
  heatmap_->set_matrix(rows, static_cast<int>(shown_columns_.size()), std::move(values), result()->id);
  show_labels();
  show_edits();
  set_visible_rows(visible_steps_);
  follow_selection();
}

void AlignmentView::show_labels() {
  const bool written = row_labels_ == RowLabels::written;
  std::vector<AttentionToken> shown;
  for (const int column : shown_columns_) shown.push_back(alignment_.columns[static_cast<std::size_t>(column)]);
  heatmap_->setToolTip(
      tr("Each row is a step of the output, each column a token of the source. The stronger the colour, "
         "the more of its attention the step gave to that token; a row sums to 1.\n"
         "Click a cell to open its number. Wheel: zoom, drag: move, 0: show everything. "
         "Arrow keys move the cursor, F2 changes a weight. Alt and a drag up or down (or Alt and the up and down keys) "
         "moves a weight, and the others of its row make room."));
  heatmap_->set_captions(written ? tr("output") : tr("decoder input"), tr("source"), tr("attention weight"));
  heatmap_->set_subject(layer_name());
  heatmap_->set_labels(axis_labels(alignment_.rows, written), axis_labels(shown));
}

void AlignmentView::show_edits() {
  std::vector<HeatmapCell> edited;
  std::unordered_map<std::string_view, std::unordered_set<Index>> cells_of;
  for (const Intervention& edit : interventions_)
    if (edit.cell >= 0) cells_of[edit.site].insert(edit.cell);
  for (std::size_t row = 0; row < alignment_.entry_of_row.size(); ++row) {
    if (alignment_.entry_of_row[row] < 0) continue;  // a mean over heads
    const TraceEntry& entry = (*result()->trace)[alignment_.entry_of_row[row]];
    if (!entry.edited) continue;
    const auto cells = cells_of.find(entry.site.text);
    for (std::size_t column = 0; column < shown_columns_.size(); ++column) {
      const Index cell = alignment_.index_of_column[static_cast<std::size_t>(shown_columns_[column])];
      // An edit of the whole row, or one that is not known here, marks every cell.
      if (cells == cells_of.end() || cells->second.contains(cell))
        edited.push_back({static_cast<int>(row), static_cast<int>(column)});
    }
  }
  heatmap_->set_edited_cells(std::move(edited));
}

void AlignmentView::set_interventions(std::vector<Intervention> interventions) {
  if (interventions == interventions_) return;
  interventions_ = std::move(interventions);
  show_edits();
}

void AlignmentView::set_row_labels(RowLabels labels) {
  if (labels == row_labels_) return;
  row_labels_ = labels;
  show_labels();
  emit rowLabelsChanged(labels);
}

void AlignmentView::set_show_padding(bool show) {
  if (show == show_padding_) return;
  show_padding_ = show;
  if (!alignment_.empty()) show_matrix();
  emit showPaddingChanged(show);
}

// Of words those whose tokens are all there.
void AlignmentView::set_visible_rows(int count) {
  visible_steps_ = count;
  const auto done = [count](const AttentionToken& row) { return row.step + row.steps <= count; };
  heatmap_->set_visible_rows(
      count < 0 ? -1 : static_cast<int>(std::count_if(alignment_.rows.begin(), alignment_.rows.end(), done)));
}

void AlignmentView::follow_selection() {
  if (alignment_.empty()) return;
  const SelectionState& state = selection_->state();
  int row = state.step ? row_of_step(*state.step) : -1;
  int column = state.source_token ? column_of_token(*state.source_token) : -1;
  if (state.entry && state.cell) {  // the exact cell, when it is one of these
    const auto found = std::find(alignment_.entry_of_row.begin(), alignment_.entry_of_row.end(), *state.entry);
    if (found != alignment_.entry_of_row.end()) {
      row = static_cast<int>(found - alignment_.entry_of_row.begin());
      for (std::size_t i = 0; i < shown_columns_.size(); ++i)
        if (alignment_.index_of_column[static_cast<std::size_t>(shown_columns_[i])] == *state.cell)
          column = static_cast<int>(i);
    }
  }
  heatmap_->set_highlighted_row(row);
  heatmap_->set_highlighted_columns(column < 0 ? std::vector<int>{} : std::vector<int>{column});
  heatmap_->set_selected_cell(row < 0 || column < 0 ? -1 : row, row < 0 || column < 0 ? -1 : column);
  follow_hover();
}

void AlignmentView::follow_hover() {
  if (alignment_.empty()) return;
  const auto step = selection_->hovered_step();
  const auto token = selection_->hovered_token();
  heatmap_->set_hover(step ? row_of_step(*step) : -1, token ? column_of_token(*token) : -1);
}

int AlignmentView::row_of_step(int step) const {
  for (std::size_t i = 0; i < alignment_.rows.size(); ++i)
    if (alignment_.rows[i].holds_step(step)) return static_cast<int>(i);
  return -1;
}

int AlignmentView::column_of_token(int token) const {
  for (std::size_t i = 0; i < shown_columns_.size(); ++i)
    if (alignment_.columns[static_cast<std::size_t>(shown_columns_[i])].holds_token(token)) return static_cast<int>(i);
  return -1;
}

int AlignmentView::alignment_column(int shown) const {
  return shown < 0 || shown >= static_cast<int>(shown_columns_.size())
             ? -1
             : shown_columns_[static_cast<std::size_t>(shown)];
}

void AlignmentView::select(int row, int column) {
  const int at = alignment_column(column);
  if (at < 0 || row < 0 || row >= static_cast<int>(alignment_.entry_of_row.size())) return;
  const int step = alignment_.rows[static_cast<std::size_t>(row)].step;
  SelectionState state{alignment_.token_of_column[static_cast<std::size_t>(at)], step, {}, {}};
  if (const int entry = alignment_.entry_of_row[static_cast<std::size_t>(row)]; entry >= 0) {
    state.entry = entry;
    state.cell = alignment_.index_of_column[static_cast<std::size_t>(at)];
  }
  selection_->set(state);
}

bool AlignmentView::is_editable() const {
  if (alignment_.empty() || alignment_.entry_of_row.front() < 0) return false;
  return !(*result()->trace)[alignment_.entry_of_row.front()].site.kind->derived;
}

QString AlignmentView::uneditable_reason() const {
  if (alignment_.words) return tr("Weights of whole words are only shown: turn ‘Whole words’ off to change one.");
  return tr("A mean is only shown, nothing is computed from it. Choose a layer above and change its weight.");
}

void AlignmentView::request_edit(int row, int column) {
  const int at = alignment_column(column);
  if (at < 0 || row < 0) return;
  if (!is_editable()) return QToolTip::showText(QCursor::pos(), uneditable_reason(), this);
  emit weightEditRequested(alignment_.entry_of_row[static_cast<std::size_t>(row)],
                           alignment_.index_of_column[static_cast<std::size_t>(at)]);
}

void AlignmentView::open_menu(int row, int column, const QPoint& global_position) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  QAction* edit = menu->addAction(tr("Set this weight…"), this, [=, this] { request_edit(row, column); });
  edit->setShortcut(Qt::Key_F2);
  edit->setEnabled(row >= 0 && column >= 0 && is_editable());
  edit->setToolTip(is_editable() ? tr("Give this weight another value and see how the output changes.")
                                 : uneditable_reason());
  add_what_if(menu, row, column);
  menu->addSeparator();
  auto* group = new QActionGroup(menu);
  const auto choice = [&](const QString& text, RowLabels labels, const QString& help) {
    QAction* action = menu->addAction(text, this, [this, labels] { set_row_labels(labels); });
    action->setCheckable(true);
    action->setChecked(row_labels_ == labels);
    action->setToolTip(help);
    group->addAction(action);
  };
  choice(tr("Rows: token written"), RowLabels::written,
         tr("Label each row with the token that this step wrote (alignment with output)."));
  choice(tr("Rows: token fed in"), RowLabels::fed,
         tr("Label each row with the token that the decoder was given, which is the one written a step earlier "
            "(alignment with input). The weights stay the same."));
  menu->addSeparator();
  QAction* padding = menu->addAction(tr("Show padding"), this, &AlignmentView::set_show_padding);
  padding->setCheckable(true);
  padding->setChecked(show_padding_);
  padding->setToolTip(tr("The model reads sources of one length: shorter ones are filled up with spaces."));
  menu->addAction(tr("Show everything"), QKeySequence(Qt::Key_0), heatmap_, &Heatmap::reset_view)
      ->setToolTip(tr("Undo zooming and moving of the picture."));
  add_panel_actions(menu);
  menu->popup(global_position);
}

Figure AlignmentView::picture() { return heatmap_->figure(); }

}  // namespace headlight
