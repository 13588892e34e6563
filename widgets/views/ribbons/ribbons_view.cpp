#include "widgets/views/ribbons/ribbons_view.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QMenu>
#include <algorithm>

#include "model/analysis/masks.h"
#include "model/decode/run.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/canvas/what_if_menu.h"
#include "widgets/matrix/weight_drag.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/output_text.h"

namespace headlight {

using Side = RibbonsToken::Side;

namespace {

constexpr Index kMostRows = 12;  // heads that have a row; of more, those of one layer

MapCell cell_of(const RibbonsToken& token) {
  return token.side == Side::query ? MapCell{token.index, -1} : MapCell{-1, token.index};
}

}  // namespace

RibbonsView::RibbonsView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  QHBoxLayout* row = bar_row();
  chooser_ = new AttentionChooser({.maps = AttentionChooser::all_but_summaries}, selection_, row);
  row->addStretch(1);
  row->addWidget(chooser_->words_box());
  build(canvas_ = new RibbonsCanvas(this), {720, 460});
  set_table(&table_);
  drag_ = new WeightDrag(
      {canvas_,
       [this](QPointF point) { return canvas_->weight_at(canvas_->content_point(point), selection_->changing()); },
       [this] { return canvas_->chosen(); }, [this](const MapCell& cell) { return canvas_->weight_of(cell); }},
      selection_, requests_);
  canvas_->set_drag([this](const MapCell& cell) { return drag_->can_drag(cell); },
                    [this](const MapCell& cell) { return drag_->hint(cell); });
  connect(canvas_, &RibbonsCanvas::menu_requested, this, &RibbonsView::open_menu);
  connect(chooser_, &AttentionChooser::changed, this, [this] { show_again(); });
  connect(canvas_, &RibbonsCanvas::hovered_token, this, [this](const RibbonsToken& token) {
    if (map_) MapCursor(*map_).hover(cell_of(token), selection_);
  });
  connect(canvas_, &RibbonsCanvas::token_chosen, this, &RibbonsView::choose);
  connect(canvas_, &RibbonsCanvas::head_chosen, this, [this](int map, Index head) {
    const AttentionMap& of = *nth(canvas_->maps(), map);
    chooser_->choose(of.kind, of.layer, head);
    map_ = nth(canvas_->maps(), map);
    drag_->show(map_, head, result()->model && result()->model->stored);
    show_table();
    mark_chosen();
  });
  connect(canvas_, &RibbonsCanvas::weight_chosen, this, [this](int map, Index head, int query, int key) {
    const AttentionMap& of = *nth(canvas_->maps(), map);
    asked_ = true;
    choosing_ = true;
    selection_->set(MapCursor(of, head).selection_at({query, key}));
    choosing_ = false;
  });
  connect(selection_, &Selection::changed, this, &RibbonsView::follow_selection);
  connect(selection_, &Selection::hovered, this, &RibbonsView::follow_hover);
  show_texts();
}

// Ribbons are parts of a whole: stored values that are none have no width.
bool RibbonsView::offers(const AnalysedRun& run) {
  const AttentionChooser::Maps maps = AttentionChooser::all_but_summaries(run);
  return !maps.empty() && std::ranges::all_of(maps, [](const AttentionMap* map) { return map->within_shares(); });
}

void RibbonsView::refresh() {
  chooser_->set_run(run());
  bar()->setVisible(chooser_->offers_choice());
  show_map();
}

void RibbonsView::show_head(AttentionMap::Kind kind, Index layer, Index head) {
  chooser_->choose(kind, layer, head);
  show_again();
}

void RibbonsView::show_texts() {
  canvas_->setToolTip(tr(
      "Ribbons go from a token to those it looks at: the wider, the more of its attention goes there. Below, a row for "
      "each head.\nClick a word to ask from there, a row for its ribbons, a ribbon or a number to open it. Drag what "
      "is chosen up or down to change its weight, and the others make room. Space asks in the other direction."));
}

// Every layer of the kind, where their heads are few; else the chosen one.
void RibbonsView::show_map() {
  map_ = chooser_->map();
  show_message(map_ ? QString()
                    : reason(tr("Type a source to see what its tokens look at."),
                             tr("This model has no attention, so there are no ribbons to show.")));
  if (!map_) {
    canvas_->set_maps({}, {});
    drag_->show(nullptr, 0);
    return show_table();
  }
  RibbonsCanvas::Maps maps;
  Index heads = 0;
  int chosen = 0;
  for (AttentionMap& each : chooser_->maps_of_kind()) {
    heads += each.heads;
    const bool same = each.rows.size() == map_->rows.size() && each.columns.size() == map_->columns.size();
    if (!same) heads = kMostRows + 1;
    if (each.layer == map_->layer) chosen = static_cast<int>(maps.size());
    maps.push_back(std::make_shared<const AttentionMap>(with_sink(each)));
  }
  if (heads > kMostRows || maps.empty()) {
    maps = {map_};
    chosen = 0;
  }
  map_ = nth(maps, chosen);
  canvas_->set_maps(std::move(maps), {chosen, chooser_->head()});
  drag_->show(map_, chooser_->head(), result()->model && result()->model->stored);
  show_changes();
  if (canvas_->token().index < 0 || !asked_) canvas_->set_token(first_token());
  show_table();
  show_candidates();
  follow_selection();
}

// The hidden word of a text that has one; what was written last by a model that reads its own text; else the middle.
RibbonsToken RibbonsView::first_token() const {
  const auto rows = static_cast<int>(map_->rows.size());
  if (guesses_hidden_words(*result()))
    for (int row = 0; row < rows; ++row)
      if (nth(map_->rows, row).text == "[MASK]") return {Side::query, row};
  return {Side::query, map_->kind == AttentionMap::Kind::decoder_self ? rows - 1 : rows / 2};
}

// What was written, or guessed, at the token that asks.
void RibbonsView::show_candidates() {
  const RibbonsToken token = canvas_->token();
  std::vector<Candidate> found;
  const bool guesses = run() && guesses_hidden_words(*result());
  if (map_ && token.side == Side::query) {
    const AttentionToken& asks = nth(map_->rows, token.index);
    const int step = guesses ? (asks.text == "[MASK]" ? asks.token : -1) : asks.step;
    if (step >= 0 && step < static_cast<int>(result()->steps.size())) found = nth(result()->steps, step).top;
  }
  canvas_->set_candidates(std::move(found), guesses ? tr("guessed, and how sure (%)") : tr("wrote, and how sure (%)"));
}

// A line for each weight of the layer. Where a line is found is computed when it is looked at: there may
// be millions.
void RibbonsView::show_table() {
  if (!map_) return table_.clear();
  struct Weight {
    Index head, row, column;
  };
  std::vector<Index> begins{0};  // of each row among the lines of a head
  for (Index row = 0; row < map_->row_count(); ++row)
    begins.push_back(begins.back() + std::min(map_->source(row).keys, map_->column_count()));
  const auto find = [map = map_, begins](Index line) {
    const Index in_head = line % begins.back();
    const Index row = std::ranges::upper_bound(begins, in_head) - begins.begin() - 1;
    Index column = -1;
    for (Index left = in_head - nth(begins, row); left >= 0; --left)
      while (!map->has(row, ++column)) continue;
    return Weight{line / begins.back(), row, column};
  };
  const auto number = [find](auto of) { return [find, of](int line) { return QVariant(of(find(line))); }; };
  const auto label = [](const std::vector<AxisLabel>& labels, Index at) { return nth(labels, at).text; };
  table_.set(
      static_cast<int>(begins.back() * map_->heads),
      {{tr("layer"), number([layer = map_->layer](const Weight&) { return static_cast<int>(layer + 1); })},
       {tr("head"), number([](const Weight& at) { return static_cast<int>(at.head + 1); })},
       {tr("row"), number([](const Weight& at) { return static_cast<int>(at.row); })},
       {tr("query"), number([label, queries = row_labels(*map_)](const Weight& at) { return label(queries, at.row); })},
       {tr("column"), number([](const Weight& at) { return static_cast<int>(at.column); })},
       {tr("key"), number([label, keys = column_labels(*map_)](const Weight& at) { return label(keys, at.column); })},
       {tr("weight"), number([map = map_](const Weight& at) {
          return static_cast<double>(map->weight(at.head, at.row, at.column));
        })}});
}

void RibbonsView::show_changes() {
  std::vector<RibbonsCanvas::Change> changes;
  if (!result()->interventions.empty())
    for (const RibbonsCanvas::Head& head : canvas_->heads()) {
      const AttentionMap& map = *nth(canvas_->maps(), head.map);
      changes.push_back(
          {is_head_off(*result(), map, head.head), edited_weights(map, head.head, result()->interventions)});
    }
  canvas_->set_changes(std::move(changes));
}

void RibbonsView::open_menu(int map, Index head, const MapCell& cell, const QPoint& global_position) {
  if (!requests_ || !run()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  if (cell.column >= 0) drag_->add_actions(menu, cell.row, cell.column);
  // Of the tokens, even where words are shown: what is done to a head is done to it all.
  const AttentionMap& shown = *nth(canvas_->maps(), map);
  for (const AttentionMap* each : AttentionChooser::all_but_summaries(*run()))
    if (each->kind == shown.kind && each->layer == shown.layer)
      add_head_actions(menu, *result(), *each, head, requests_);
  if (cell.column >= 0) add_rank_action(menu, *run(), {&shown, head}, cell.row, cell.column, requests_);
  add_head_over_texts(menu, {shown.kind, shown.layer, head}, selection_, requests_);
  if (cell.column >= 0)
    add_weight_over_texts(menu, *result(), MapCursor(shown, head).selection_at(cell), requests_);
  add_panel_actions(menu);
  menu->popup(global_position);
}

// The number that is selected, where it is one of the head that is shown.
void RibbonsView::mark_chosen() {
  Index head = 0, row = -1, column = -1;
  const SelectionState& state = selection_->state();
  const bool here = map_ && is_fresh() && state.entry && state.cell &&
                    map_->find(*state.entry, *state.cell, &head, &row, &column) && head == canvas_->head().head;
  canvas_->set_chosen(here ? MapCell{static_cast<int>(row), static_cast<int>(column)} : MapCell{});
}

void RibbonsView::choose(const RibbonsToken& token) {
  if (!map_) return;
  asked_ = true;
  choosing_ = true;
  selection_->set(MapCursor(*map_).selection_at(cell_of(token)));
  choosing_ = false;
  show_candidates();
}

void RibbonsView::follow_selection() {
  mark_chosen();
  if (!map_ || !is_fresh() || choosing_) return;
  const SelectionState& state = selection_->state();
  const MapCursor cursor(*map_);
  MapCell cell = cursor.find(state);
  if (cell.row < 0 && state.source_token) cell.row = cursor.row_of_token(*state.source_token);
  if (cell.row < 0 && cell.column < 0) return;
  canvas_->set_token(cell.row >= 0 ? RibbonsToken{Side::query, cell.row} : RibbonsToken{Side::key, cell.column});
  asked_ = true;
  show_candidates();
}

void RibbonsView::follow_hover() {
  if (!map_ || !is_fresh() || canvas_->underMouse()) return;
  const MapCell cell = MapCursor(*map_).find_hovered(*selection_);
  canvas_->set_hovered_token(cell.row >= 0      ? RibbonsToken{Side::query, cell.row}
                             : cell.column >= 0 ? RibbonsToken{Side::key, cell.column}
                                                : RibbonsToken{});
}

QString RibbonsView::what_to_do(bool changing) const {
  return changing && map_ ? tr("Drag a number or a ribbon up or down to change its weight.") : QString();
}

void RibbonsView::retranslate() {
  chooser_->retranslate();
  show_texts();
  show_map();
}

}  // namespace headlight
