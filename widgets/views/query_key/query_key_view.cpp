#include "widgets/views/query_key/query_key_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>

#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

using Kind = AttentionMap::Kind;

namespace {

AttentionChooser::Maps scored_maps_of(const AnalysedRun& run) {
  AttentionChooser::Maps found;
  for (const AttentionMap& map : run.scored_maps()) found.push_back(&map);
  return found;
}

}  // namespace

QueryKeyView::QueryKeyView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent), canvas_(new QueryKeyCanvas(this)) {
  QHBoxLayout* row = bar_row();
  chooser_ = new AttentionChooser({.maps = scored_maps_of, .words = false}, selection_, row);
  row->addWidget(query_box_ = choice_box(bar(), 14));
  query_box_->setMinimumWidth(44);
  query_box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // whole where there is room
  connect(chooser_, &AttentionChooser::changed, this, [this] {
    find_pair();
    show_queries();
    select_weight();
  });
  connect(query_box_, &QComboBox::activated, this, [this](int chosen) {
    row_ = chosen;
    row_chosen_ = true;
    column_chosen_ = false;
    find_pair();
    select_weight();
  });
  row->addStretch(1);
  build(canvas_, {640, 460});
  set_table(&table_);
  connect(canvas_, &QueryKeyCanvas::moved, this, &QueryKeyView::move);
  connect(canvas_, &QueryKeyCanvas::rival_chosen, this,
          [this](int chosen) { move(0, chosen - static_cast<int>(column_), 0); });
  connect(canvas_, &QueryKeyCanvas::rival_hovered, this, [this](int hovered) {
    if (map()) MapCursor(*map()).hover({-1, hovered}, selection_);
  });
  connect(canvas_, &QueryKeyCanvas::number_chosen, this, &QueryKeyView::choose_number);
  connect(selection_, &Selection::changed, this, &QueryKeyView::follow_selection);
  connect(selection_, &Selection::hovered, this, [this] {
    if (!map() || !is_fresh() || canvas_->underMouse()) return;
    canvas_->set_hovered_rival(MapCursor(*map()).find_hovered(*selection_).column);
  });
  show_texts();
}

bool QueryKeyView::offers(const AnalysedRun& run) { return !run.scored_maps().empty(); }

void QueryKeyView::refresh() {
  chooser_->set_run(run());
  find_pair();
  if (map()) adopt(selection_->state());
  show_queries();
  show_pair();
}

// A pair within the map: what was chosen, else the strongest of the row in the middle.
void QueryKeyView::find_pair() {
  if (!map()) return;
  const AttentionMap& map = *chooser_->map();
  if (std::exchange(kind_, map.kind) != map.kind) row_chosen_ = column_chosen_ = false;
  row_ = row_chosen_ ? std::clamp<Index>(row_, 0, map.row_count() - 1) : map.row_count() / 2;
  column_ = std::clamp<Index>(column_, 0, map.column_count() - 1);
  if (!column_chosen_ || !map.has(row_, column_)) column_ = strongest_column(map, chooser_->head(), row_);
}

AxisLabel QueryKeyView::row_label(Index row) const { return axis_label(nth(map()->rows, row), !map()->is_self()); }

AxisLabel QueryKeyView::column_label(Index column) const {
  const AttentionToken& token = nth(map()->columns, column);
  AxisLabel label = axis_label(token);
  if (token.token < 0 && token.step < 0) label.name = tr("slot %1").arg(counted(column));
  return label;
}

// "Output 6 of 10: ‘1’".
QString QueryKeyView::query_text(Index row) const {
  const AttentionToken& token = nth(map()->rows, row);
  const QString which = token.step >= 0 ? tr("Output %1 of %2: ‘%3’") : tr("Token %1 of %2: ‘%3’");
  return which.arg(row + 1).arg(map()->row_count()).arg(row_label(row).text);
}

void QueryKeyView::show_queries() {
  query_box_->clear();
  for (Index row = 0; map() && row < map()->row_count(); ++row) query_box_->addItem(query_text(row));
  query_box_->setVisible(query_box_->count() > 1);
  bar()->setVisible(map() != nullptr);
}

void QueryKeyView::show_texts() {
  query_box_->setAccessibleName(tr("Who asks"));
  query_box_->setToolTip(tr("Who asks: the token whose query is shown (up, down)."));
}

void QueryKeyView::show_pair() {
  show_texts();
  show_message(map() ? QString()
                     : reason(tr("Type a source to see how its weights come about."),
                              tr("This model computes no scores, so there is no query and no key. Choose a model with "
                                 "attention.")));
  if (!map()) {
    canvas_->set_pair(nullptr);
    return show_table(nullptr);
  }
  query_box_->setCurrentIndex(static_cast<int>(row_));
  auto pair = std::make_shared<QueryKeyPair>();
  pair->score = pair_score(*map(), chooser_->head(), row_, column_);
  pair->column = column_;
  pair->query = row_label(row_);
  for (Index c = 0; c < map()->column_count(); ++c) pair->rivals.push_back(column_label(c));
  for (const AttentionToken& token : map()->columns) pair->padding.push_back(token.padding);
  pair->columns = row_scores(*map(), chooser_->head(), row_);
  pair->key = nth(pair->rivals, column_);
  const AttentionToken& first = map()->columns.front();
  pair->slots_of_memory = first.token < 0 && first.step < 0;
  canvas_->set_pair(pair);
  show_table(pair);
}

void QueryKeyView::move(int queries, int keys, int heads) {
  if (!map()) return;
  const AttentionMap& map = *chooser_->map();
  if (heads != 0) chooser_->choose(map.kind, map.layer, std::clamp<Index>(chooser_->head() + heads, 0, map.heads - 1));
  row_ = std::clamp<Index>(row_ + queries, 0, map.row_count() - 1);
  column_ = std::clamp<Index>(column_ + keys, 0, map.column_count() - 1);
  while (column_ > 0 && !map.has(row_, column_)) --column_;
  row_chosen_ = column_chosen_ = true;
  select_weight();
}

// The pair that is shown now becomes the selection of all views.
void QueryKeyView::select_weight() {
  show_pair();
  if (map() && map()->has(row_, column_))
    select(MapCursor(*map(), chooser_->head()).selection_at({static_cast<int>(row_), static_cast<int>(column_)}));
}

void QueryKeyView::select(const SelectionState& state) {
  selecting_ = true;
  selection_->set(state);
  selecting_ = false;
}

void QueryKeyView::choose_number(const PlacedNumber& number) {
  if (!run() || !result()->trace || number.entry < 0) return;
  select(selection_of(*result()->trace, number.entry, number.cell, run()->labels(), selection_->state()));
}

// The weight that is selected; without one the step that is chosen asks, and the token that is chosen answers. In the
// encoder it is the token that asks.
bool QueryKeyView::adopt(const SelectionState& state) {
  const auto now = [this] { return std::tuple(map(), chooser_->head(), row_, column_); };
  const auto before = now();
  const bool weight = chooser_->follow(state);
  const MapCursor cursor(*map());
  MapCell cell = cursor.find(state);
  if (!weight && map()->kind == Kind::encoder_self)
    cell = {state.source_token ? cursor.row_of_token(*state.source_token) : -1, -1};
  if (cell.row >= 0 && cell.row != row_) {
    row_ = cell.row;
    if (!weight) column_ = strongest_column(*map(), chooser_->head(), row_);
  }
  if (cell.row >= 0) row_chosen_ = true;
  if (cell.column >= 0 && map()->has(row_, cell.column)) {
    column_ = cell.column;
    column_chosen_ = true;
  }
  kind_ = map()->kind;
  return now() != before;
}

void QueryKeyView::follow_selection() {
  if (selecting_ || !map() || !is_fresh()) return;
  const AttentionMap* before = map();
  if (!adopt(selection_->state())) return;
  if (map() != before) show_queries();
  show_pair();
}

// Units first, then the rivals; what a line does not have is left empty.
void QueryKeyView::show_table(const std::shared_ptr<const QueryKeyPair>& pair) {
  if (!pair) return table_.clear();
  const auto units = static_cast<int>(pair->score.units());
  const auto of_unit = [&](auto value) {
    return [pair, units, value](int line) {
      return line < units ? QVariant(value(*pair, static_cast<std::size_t>(line))) : QVariant();
    };
  };
  const auto of_key = [&](auto value) {
    return [pair, units, value](int line) {
      return line < units ? QVariant() : QVariant(value(*pair, static_cast<std::size_t>(line - units)));
    };
  };
  const auto operand = [&](std::size_t which) {
    return of_unit([which](const QueryKeyPair& of, std::size_t unit) {
      const auto& operands = of.score.operands;
      return which < operands.size() ? QVariant(operands[which].numbers[unit].value) : QVariant();
    });
  };
  const auto rival = [&](auto value) {
    return of_key([value](const QueryKeyPair& of, std::size_t key) { return value(of.score.rivals[key]); });
  };
  table_.set(
      units + static_cast<int>(pair->score.rivals.size()),
      {{tr("part"), [units, unit = tr("unit"), key = tr("key")](int line) { return line < units ? unit : key; }},
       ColumnTable::counting(tr("index"), [units](int line) { return line < units ? line : line - units; }),
       {tr("token"), of_key([](const QueryKeyPair& of, std::size_t key) { return of.rivals[key].text; })},
       {tr("query"), operand(0)},
       {tr("key"), operand(1)},
       {tr("combined"), operand(2)},
       {tr("factor"), operand(3)},
       {tr("product"), of_unit([](const QueryKeyPair& of, std::size_t unit) { return of.score.products[unit]; })},
       {tr("score"), rival([](const ScoreRival& at) { return at.score; })},
       {tr("softmax"), rival([](const ScoreRival& at) { return at.share; })},
       {tr("weight"), rival([](const ScoreRival& at) { return at.weight.value; })},
       {tr("hidden"), rival([](const ScoreRival& at) { return at.hidden ? 1 : 0; })}});
}

void QueryKeyView::retranslate() {
  chooser_->retranslate();
  show_queries();
  show_pair();
}

ColourKey QueryKeyView::colour_key() const {
  return map() && row_ >= 0 ? ColourKey{ColourKey::Kind::signs, canvas_->largest_sum()} : ColourKey{};
}

}  // namespace headlight
