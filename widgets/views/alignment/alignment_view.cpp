// The alignment view.
#include "widgets/views/alignment/alignment_view.h"

#include <QAction>
#include <QActionGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>
#include <set>

#include "model/analysis/alignment.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/what_if_menu.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/matrix/weight_drag.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/views/alignment/one_vector.h"

namespace headlight {

namespace {

// What reads the source: in one place, or in layers and as their summary.
AttentionChooser::Maps reading_maps(const AnalysedRun& run) {
  const bool by_layer = !aligned_layers(run.maps()).empty();
  AttentionChooser::Maps found;
  for (const AttentionMap& map : run.maps())
    if (map.kind == AttentionMap::Kind::summary ||
        (map.kind == AttentionMap::Kind::cross && (by_layer || map.layer < 0)))
      found.push_back(&map);
  return found;
}

}  // namespace

AlignmentView::AlignmentView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent), pages_(new QStackedWidget(this)), heatmap_(new Heatmap(pages_)) {
  QHBoxLayout* controls = bar_row();
  controls->setContentsMargins(space::kMargin, 4, space::kMargin, 0);
  chooser_ = new AttentionChooser({.maps = reading_maps, .kinds = false, .heads = AttentionChooser::Heads::or_mean},
                                  selection_, controls);
  controls->addStretch(1);
  controls->addWidget(chooser_->words_box());
  heatmap_->set_bare(true);
  pages_->addWidget(heatmap_);
  pages_->addWidget(one_vector_ = new OneVectorCanvas(pages_));
  build(pages_);
  set_table(heatmap_->table_model());
  drag_ = new WeightDrag(heatmap_, selection_, requests_);
  connect(chooser_, &AttentionChooser::changed, this, [this] { show_again(); });
  connect(heatmap_, &Heatmap::cellHovered, this, [this](int row, int column) {
    if (map_) cursor().hover({row, is_cell(std::max(row, 0), column) ? column : -1}, selection_);
  });
  connect(heatmap_, &Heatmap::cellActivated, this, &AlignmentView::activate);
  connect(heatmap_, &Heatmap::cursorMoved, this, &AlignmentView::select);
  connect(heatmap_, &Heatmap::contextMenuRequested, this, &AlignmentView::open_menu);
  connect(heatmap_, &Heatmap::painted, this, &AlignmentView::painted);
  connect(one_vector_, &OneVectorCanvas::number_chosen, this, [this](int entry, int number) {
    SelectionState state = selection_->state();
    state.entry = entry;
    state.cell = number;
    selection_->set(state);
  });
  connect(selection_, &Selection::changed, this, &AlignmentView::follow_selection);
  connect(selection_, &Selection::hovered, this, &AlignmentView::follow_hover);
  retranslate();
}

const AttentionMap* AlignmentView::map_shown() {
  bring_up_to_date();
  return map_.get();
}

Heatmap* AlignmentView::heatmap() {
  bring_up_to_date();
  return heatmap_;
}

QList<QRectF> AlignmentView::spots() const {
  QList<QRectF> found = map_ ? heatmap_->spots() : QList<QRectF>();
  for (QRectF& each : found) each.translate(heatmap_->viewport()->mapTo(this, QPoint()));
  return found;
}

void AlignmentView::set_layer(Index layer) {
  chooser_->choose(AttentionMap::Kind::cross, layer, AttentionMap::kMean);
  show_again();
}

Index AlignmentView::layer() const { return chooser_->layer(); }

QString AlignmentView::layer_name() const {
  const Index layer = chooser_->layer();
  const auto& maps = run()->maps();
  if (aligned_layers(maps).empty()) return {};
  if (map_ && chooser_->head() >= 0) return head_place(*map_, chooser_->head());
  if (std::ranges::any_of(maps, [](const AttentionMap& map) { return !map.is_self() && map.heads > 1; }))
    return layer < 0 ? tr("mean of the heads of the last layer")
                     : tr("mean of the heads of layer %1").arg(counted(layer));
  return layer < 0 ? tr("mean of all layers") : tr("layer %1").arg(counted(layer));
}

void AlignmentView::refresh() {
  chooser_->set_run(run());
  bar()->setVisible(chooser_->offers_choice());
  show_map();
}

bool AlignmentView::has_one_vector() const {
  return !map_ && run() && run()->maps().empty() && OneVectorCanvas::entry_of(*result()) >= 0;
}

void AlignmentView::show_map() {
  map_ = chooser_->map();
  const bool one = has_one_vector();
  one_vector_->set_result(one ? run()->result() : nullptr);
  const bool keyboard = heatmap_->hasFocus() || one_vector_->hasFocus();
  pages_->setCurrentWidget(one ? static_cast<QWidget*>(one_vector_) : heatmap_);
  set_table(one ? static_cast<QAbstractItemModel*>(one_vector_->table_model()) : heatmap_->table_model());
  set_keyboard_target(pages_->currentWidget());
  if (keyboard) pages_->currentWidget()->setFocus(Qt::OtherFocusReason);
  folded_ = FoldedMap::of(map_, chooser_->head(), !show_padding_);
  map_ = folded_.map;
  drag_->show(map_, chooser_->head(), run() && run()->result()->model && run()->result()->model->stored);
  show_message(emptiness());
  if (!map_) return heatmap_->clear();
  folded_.set_range(heatmap_, colours());
  folded_.show(heatmap_, chooser_->head(), result()->id);
  show_labels();
  show_edits();
  show_moved();
  set_visible_rows(visible_steps_);
  follow_selection();
}

QString AlignmentView::emptiness() const {
  if (map_ || has_one_vector()) return {};
  return reason(tr("Type a source to see which of its tokens each output step looks at."),
                run() && !run()->maps().empty()
                    ? tr("This model has no separate source: its text looks at itself. The panels ‘Heads’ and "
                         "‘Ribbons’ show how.")
                    : tr("This model has no attention, so there is nothing to align."));
}

void AlignmentView::retranslate() {
  chooser_->retranslate();
  show_labels();
  show_message(emptiness());
}

void AlignmentView::show_labels() {
  const bool written = row_labels_ == RowLabels::written;
  heatmap_->setToolTip(
      tr("Each row is a step of the output, each column a token of the source. The stronger the colour, "
         "the more of its attention the step gave to that token; a row sums to 1.\n"
         "Click a cell to open its number; drag the chosen cell up or down to change its weight, and the others of its "
         "row make room (Shift and the up and down keys do the same, F2 asks for a number).\n"
         "Wheel: zoom, middle button: move, 0: show everything."));
  heatmap_->set_captions(written ? tr("output") : tr("decoder input"), map_ ? column_caption(*map_) : QString(),
                         map_ ? value_caption(*map_) : QString());
  heatmap_->set_subject(map_ ? layer_name() : QString());
  if (!map_) return heatmap_->set_labels({}, {});
  heatmap_->set_labels(axis_labels(map_->rows, written), folded_.column_labels());
}

void AlignmentView::show_edits() {
  std::vector<HeatmapCell> edited;
  if (map_)
    for (const auto& [row, column] : edited_weights(*map_, chooser_->head(), interventions_))
      edited.push_back({static_cast<int>(row), static_cast<int>(column)});
  heatmap_->set_edited_cells(std::move(edited));
}

void AlignmentView::set_interventions(std::vector<Intervention> interventions) {
  if (interventions == interventions_) return;
  interventions_ = std::move(interventions);
  show_edits();
  if (is_fresh()) show_moved();
}

void AlignmentView::set_as_trained(std::shared_ptr<const Result> result) {
  if (result == (as_trained_ ? as_trained_->result() : nullptr)) return;
  as_trained_ = result ? analysed(std::move(result)) : nullptr;
  if (is_fresh()) show_moved();
}

int AlignmentView::moved() { return heatmap()->marks_moved() ? static_cast<int>(heatmap_->moved_cells().size()) : 0; }

// Where the two differ by at least two of the hundredths that are written into the cells; a changed one has its corner.
void AlignmentView::show_moved() {
  std::vector<HeatmapCell> moved;
  const std::vector<AttentionMap> none;
  const std::vector<AttentionMap>& maps = as_trained_ && map_ ? as_trained_->maps() : none;
  const auto same = std::ranges::find_if(
      maps, [&](const AttentionMap& map) { return map.kind == map_->kind && map.layer == map_->layer; });
  if (same != maps.end()) {
    const FoldedMap before =
        FoldedMap::of(std::make_shared<const AttentionMap>(*same), chooser_->head(), folded_.blanks > 0);
    const FoldedMap::Cells then = before.cells(chooser_->head()), now = folded_.cells(chooser_->head());
    std::set<std::pair<Index, Index>> edited;
    for (const auto& [row, column] : edited_weights(*map_, chooser_->head(), interventions_))
      edited.emplace(row, column);
    for (int row = 0; row < std::min(then.rows, now.rows) && then.columns == now.columns; ++row)
      for (int column = 0; column < now.columns; ++column) {
        const Index cell = Index{row} * now.columns + column;
        if (std::abs(static_cast<double>(nth(now.values, cell)) - static_cast<double>(nth(then.values, cell))) >=
                kMoved &&
            !edited.contains({row, column}))
          moved.push_back({row, column});
      }
  }
  heatmap_->set_moved_cells(std::move(moved));
}

void AlignmentView::set_row_labels(RowLabels labels) {
  if (std::exchange(row_labels_, labels) != labels) show_labels();
}

void AlignmentView::set_show_padding(bool show) {
  if (std::exchange(show_padding_, show) != show) show_map();
}

QVariantMap AlignmentView::own_choices() const {
  QVariantMap made;
  if (show_padding_) made[QStringLiteral("padding")] = true;
  if (logarithmic_) made[QStringLiteral("colours")] = QString::fromUtf8(kMapColours[static_cast<int>(colours())]);
  if (row_labels_ == RowLabels::fed) made[QStringLiteral("rows")] = QStringLiteral("fed");
  return made;
}

void AlignmentView::set_own_choices(const QVariantMap& choices) {
  show_padding_ = choices.value(QStringLiteral("padding")).toBool();
  logarithmic_ = choices.value(QStringLiteral("colours")).toString() ==
                 QLatin1String(kMapColours[static_cast<int>(MapColours::logarithmic)]);
  row_labels_ =
      choices.value(QStringLiteral("rows")).toString() == QLatin1String("fed") ? RowLabels::fed : RowLabels::written;
}

void AlignmentView::set_logarithmic(bool logarithmic) {
  logarithmic_ = logarithmic;
  if (map_) folded_.set_range(heatmap_, colours());
  emit coloursShown();
}

// Of words those whose tokens are all there.
void AlignmentView::set_visible_rows(int count) {
  visible_steps_ = count;
  const auto done = [count](const AttentionToken& row) { return row.step + row.steps <= count; };
  heatmap_->set_visible_rows(count < 0 || !map_ ? -1 : static_cast<int>(std::ranges::count_if(map_->rows, done)));
}

void AlignmentView::follow_selection() {
  const SelectionState& state = selection_->state();
  const bool one = has_one_vector() && state.entry == OneVectorCanvas::entry_of(*result()) && state.cell;
  one_vector_->set_chosen(one ? static_cast<int>(*state.cell) : -1);
  if (!map_) return;
  const MapCell place = cursor().find(selection_->state());
  heatmap_->set_place(place.row, place.column);
  follow_hover();
}

void AlignmentView::follow_hover() {
  if (!map_) return;
  const MapCell place = cursor().find_hovered(*selection_);
  heatmap_->set_hover(place.row, place.column);
}

void AlignmentView::select(int row, int column) {
  if (is_cell(row, column)) selection_->set(cursor().selection_at({row, column}));
}

void AlignmentView::activate(int row, int column) {
  if (map_ && folded_.is_fold(column)) return set_show_padding(true);
  select(row, column);
}

void AlignmentView::open_menu(int row, int column, const QPoint& global_position) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  drag_->add_actions(menu, row, column);
  add_what_if(menu, row, column);
  if (map_) add_rank_action(menu, *run(), attention(), row, column, requests_);
  if (map_ && row >= 0 && column >= 0 && !folded_.is_fold(column))
    add_weight_over_texts(menu, *result(), cursor().selection_at({row, column}), requests_);
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
  connect(add_padding_action(menu, show_padding_), &QAction::triggered, this, &AlignmentView::set_show_padding);
  QAction* log = menu->addAction(tr("Logarithmic colours"), this, &AlignmentView::set_logarithmic);
  log->setCheckable(true);
  log->setChecked(logarithmic_);
  log->setToolTip(tr("As much colour for each factor, from a thousandth to 1: small weights beside large ones."));
  menu->addAction(tr("Show everything"), QKeySequence(Qt::Key_0), heatmap_, &Heatmap::reset_view)
      ->setToolTip(tr("Undo zooming and moving of the picture."));
  add_panel_actions(menu);
  menu->popup(global_position);
}

ShownAttention AlignmentView::attention() const { return {map_.get(), chooser_->head()}; }

MapCursor AlignmentView::cursor() const { return MapCursor(*map_, chooser_->head()); }

Figure AlignmentView::picture() { return map_ ? heatmap_->figure() : figure_of(one_vector_); }

ColourKey AlignmentView::colour_key() const {
  if (has_one_vector()) return {ColourKey::Kind::signs, one_vector_->largest()};
  return {map_ && map_->within_shares() ? ColourKey::Kind::shares : ColourKey::Kind::none, 1, logarithmic_};
}

QString AlignmentView::caption() const {
  if (has_one_vector()) return tr("This model has no attention: it writes from one vector.");
  if (!map_ || !result() || !result()->model) return {};
  const bool guesses = guesses_hidden_words(*result());
  switch (result()->model->text.source.kind()) {
    case TokenizerKind::characters:
      return guesses ? QString()
                     : tr("Each row is a character that it wrote; the stronger the colour of a square, the more it "
                          "looked there.");
    case TokenizerKind::words:
      return guesses ? tr("Each row is a word; the stronger the colour of a square, the more it looked there.")
                     : tr("Each row is a word that it wrote; the stronger the colour of a square, the more it looked "
                          "there.");
    case TokenizerKind::bpe:
    case TokenizerKind::other:
      break;
  }
  return {};
}

QString AlignmentView::what_to_do(bool changing) const {
  if (has_one_vector()) return tr("Click a number to see how it came about.");
  return changing && map_ ? tr("Drag a square up or down to change its weight; right-click a token to hide it.")
                          : QString();
}

}  // namespace headlight
