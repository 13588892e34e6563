#include "widgets/views/query_key/query_key_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <set>

#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

using Kind = AttentionMap::Kind;

QueryKeyView::QueryKeyView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent), canvas_(new QueryKeyCanvas(this)) {
  QHBoxLayout* row = bar_row();
  const auto choice = [&](QComboBox*& box, int letters, const std::function<void(int)>& set) {
    row->addWidget(box = choice_box(bar(), letters));
    box->setMinimumWidth(44);  // a narrow panel keeps all of them
    connect(box, &QComboBox::activated, this, [this, box, set](int at) {
      set(box->itemData(at).toInt());
      find_map();
      show_choices();
      select_weight();
    });
  };
  choice(kind_box_, 7, [this](int kind) {
    kind_ = static_cast<Kind>(kind);
    layer_ = -1;
    map_chosen_ = true;
    row_chosen_ = column_chosen_ = false;
  });
  choice(layer_box_, 6, [this](int layer) {
    layer_ = layer;
    map_chosen_ = true;
  });
  choice(head_box_, 6, [this](int head) { head_ = head; });
  choice(query_box_, 7, [this](int chosen) {
    row_ = chosen;
    row_chosen_ = true;
    column_chosen_ = false;
  });
  row->addStretch(1);
  row->addWidget(sort_ = new QToolButton(bar()));
  sort_->setCheckable(true);
  build(canvas_);
  set_table(&table_);
  connect(sort_, &QToolButton::toggled, canvas_, &QueryKeyCanvas::set_sorted);
  connect(canvas_, &QueryKeyCanvas::sorting_asked, sort_, &QToolButton::toggle);
  connect(canvas_, &QueryKeyCanvas::moved, this, &QueryKeyView::move);
  connect(canvas_, &QueryKeyCanvas::rival_chosen, this,
          [this](int chosen) { move(0, chosen - static_cast<int>(column_), 0); });
  connect(canvas_, &QueryKeyCanvas::rival_hovered, this, [this](int hovered) {
    const int token = map_ && hovered >= 0 ? map_->columns[static_cast<std::size_t>(hovered)].token : -1;
    selection_->hover(token >= 0 ? std::optional(token) : std::nullopt, {});
  });
  connect(canvas_, &QueryKeyCanvas::number_chosen, this, &QueryKeyView::choose_number);
  connect(selection_, &Selection::changed, this, &QueryKeyView::follow_selection);
  connect(selection_, &Selection::hovered, this, [this](std::optional<int> token) {
    if (!map_ || !is_fresh() || canvas_->underMouse()) return;
    const auto found = std::find_if(map_->columns.begin(), map_->columns.end(),
                                    [&](const AttentionToken& at) { return token && at.token == *token; });
    canvas_->set_hovered_rival(found == map_->columns.end() ? -1 : static_cast<int>(found - map_->columns.begin()));
  });
  show_texts();
}

bool QueryKeyView::offers(const AnalysedRun& run) { return !run.scored_maps().empty(); }

const std::vector<AttentionMap>& QueryKeyView::maps() const {
  static const std::vector<AttentionMap> none;
  return run() ? run()->scored_maps() : none;
}

void QueryKeyView::refresh() {
  map_ = nullptr;
  find_map();
  if (map_) adopt(selection_->state());
  show_choices();
  show_pair();
}

void QueryKeyView::show_pair(Kind kind, Index layer, Index head, Index row, Index column) {
  kind_ = kind;
  layer_ = layer;
  head_ = head;
  row_ = row;
  column_ = column;
  map_chosen_ = row_chosen_ = column_chosen_ = true;
  if (!is_fresh()) return bring_up_to_date();
  find_map();
  show_choices();
  show_pair();
}

// The map that is asked for, or the last layer of the kind, or of the first kind that there is; and a pair within it.
void QueryKeyView::find_map() {
  map_ = nullptr;
  if (maps().empty()) return;
  const auto is_kind = [&](const AttentionMap& map) { return map.kind == kind_; };
  if (!map_chosen_) kind_ = Kind::cross;
  if (std::none_of(maps().begin(), maps().end(), is_kind)) kind_ = maps().front().kind;
  for (const AttentionMap& each : maps())
    if (is_kind(each) && (!map_ || each.layer == layer_ || !map_chosen_)) map_ = &each;
  layer_ = map_->layer;
  head_ = std::clamp<Index>(head_, 0, map_->heads - 1);
  row_ = row_chosen_ ? std::clamp<Index>(row_, 0, map_->row_count() - 1) : map_->row_count() / 2;
  column_ = std::clamp<Index>(column_, 0, map_->column_count() - 1);
  if (!column_chosen_ || !map_->has(row_, column_)) column_ = strongest_column(*map_, head_, row_);
}

AxisLabel QueryKeyView::row_label(Index row) const {
  return axis_label(map_->rows[static_cast<std::size_t>(row)], !map_->is_self());
}

AxisLabel QueryKeyView::column_label(Index column) const {
  const AttentionToken& token = map_->columns[static_cast<std::size_t>(column)];
  AxisLabel label = axis_label(token);
  if (token.token < 0 && token.step < 0) label.name = tr("slot %1").arg(column);
  return label;
}

void QueryKeyView::show_choices() {
  for (QComboBox* box : {kind_box_, layer_box_, head_box_, query_box_}) box->clear();
  if (map_) {
    std::set<Kind> kinds;
    for (const AttentionMap& each : maps()) {
      if (kinds.insert(each.kind).second) kind_box_->addItem(kind_name(each.kind), static_cast<int>(each.kind));
      if (each.kind == kind_) layer_box_->addItem(layer_name(each.layer), static_cast<int>(each.layer));
    }
    for (Index head = 0; head < map_->heads; ++head) head_box_->addItem(head_name(head), static_cast<int>(head));
    for (Index row = 0; row < map_->row_count(); ++row) query_box_->addItem(row_label(row).text, static_cast<int>(row));
    kind_box_->setToolTip(kind_help(kind_));
  }
  const auto point = [](QComboBox* box, Index value) { box->setCurrentIndex(box->findData(static_cast<int>(value))); };
  point(kind_box_, static_cast<Index>(kind_));
  point(layer_box_, layer_);
  point(head_box_, head_);
  point(query_box_, row_);
  for (QComboBox* box : {kind_box_, layer_box_, head_box_, query_box_}) box->setVisible(box->count() > 1);
  bar()->setVisible(map_ != nullptr);
}

void QueryKeyView::show_texts() {
  kind_box_->setAccessibleName(tr("Kind of attention that is taken apart"));
  layer_box_->setAccessibleName(tr("Layer that is taken apart"));
  layer_box_->setToolTip(tr("A model of several layers looks anew in each of them."));
  head_box_->setAccessibleName(tr("Head that is taken apart"));
  head_box_->setToolTip(tr("Each head has its own queries and keys (Ctrl+↑, Ctrl+↓)."));
  query_box_->setAccessibleName(tr("Who asks"));
  query_box_->setToolTip(tr("Who asks: the token whose query is shown (up, down)."));
  sort_->setText(tr("Largest first"));
  sort_->setToolTip(tr("Sort the units by what they add to the score, the largest first (S)."));
}

void QueryKeyView::show_pair() {
  show_texts();
  show_message(map_ ? QString()
                    : reason(tr("Type a source to see how its weights come about."),
                             tr("This model computes no scores, so there is no query and no key. Choose a model with "
                                "attention.")));
  if (!map_) {
    canvas_->set_pair(nullptr);
    return show_table(nullptr);
  }
  if (query_box_->currentIndex() != static_cast<int>(row_)) query_box_->setCurrentIndex(static_cast<int>(row_));
  auto pair = std::make_shared<QueryKeyPair>();
  pair->score = pair_score(*map_, head_, row_, column_);
  pair->column = column_;
  pair->query = row_label(row_);
  for (Index c = 0; c < map_->column_count(); ++c) pair->rivals.push_back(column_label(c));
  pair->key = pair->rivals[static_cast<std::size_t>(column_)];
  const AttentionToken& first = map_->columns.front();
  pair->slots_of_memory = first.token < 0 && first.step < 0;
  canvas_->set_pair(pair);
  show_table(pair);
}

void QueryKeyView::move(int queries, int keys, int heads) {
  if (!map_) return;
  head_ = std::clamp<Index>(head_ + heads, 0, map_->heads - 1);
  row_ = std::clamp<Index>(row_ + queries, 0, map_->row_count() - 1);
  column_ = std::clamp<Index>(column_ + keys, 0, map_->column_count() - 1);
  while (column_ > 0 && !map_->has(row_, column_)) --column_;
  row_chosen_ = column_chosen_ = true;
  head_box_->setCurrentIndex(static_cast<int>(head_));
  select_weight();
}

// The pair that is shown now becomes the selection of all views.
void QueryKeyView::select_weight() {
  show_pair();
  if (!map_ || !map_->has(row_, column_)) return;
  SelectionState state;
  for (const AttentionToken& token :
       {map_->columns[static_cast<std::size_t>(column_)], map_->rows[static_cast<std::size_t>(row_)]}) {
    if (token.token >= 0 && !state.source_token) state.source_token = token.token;
    if (token.step >= 0) state.step = token.step;
  }
  state.entry = map_->entry(row_);
  state.cell = map_->cell(head_, row_, column_);
  select(state);
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

bool QueryKeyView::adopt(const SelectionState& state) {
  if (state.entry && state.cell)
    for (const AttentionMap& each : maps()) {
      Index head = 0, row = 0, column = 0;
      if (!each.find(*state.entry, *state.cell, &head, &row, &column)) continue;
      const bool other = &each != map_ || head != head_ || row != row_ || column != column_;
      map_ = &each;
      kind_ = each.kind;
      layer_ = each.layer;
      head_ = head;
      row_ = row;
      column_ = column;
      map_chosen_ = row_chosen_ = column_chosen_ = true;
      return other;
    }
  // Without a weight: the step that is chosen asks, and the token that is chosen answers.
  const Index row_before = row_, column_before = column_;
  const bool by_token = map_->kind == Kind::encoder_self;
  for (Index row = 0; row < map_->row_count(); ++row) {
    const AttentionToken& token = map_->rows[static_cast<std::size_t>(row)];
    if (!(by_token ? state.source_token && token.token == *state.source_token
                   : state.step && token.step == *state.step))
      continue;
    row_ = row;
    row_chosen_ = true;
  }
  if (row_ != row_before) column_ = strongest_column(*map_, head_, row_);
  for (Index column = 0; !by_token && column < map_->column_count(); ++column)
    if (state.source_token && map_->columns[static_cast<std::size_t>(column)].token == *state.source_token &&
        map_->has(row_, column)) {
      column_ = column;
      column_chosen_ = true;
    }
  return row_ != row_before || column_ != column_before;
}

void QueryKeyView::follow_selection() {
  if (selecting_ || !map_ || !is_fresh()) return;
  const AttentionMap* before = map_;
  if (!adopt(selection_->state())) return;
  if (map_ != before) show_choices();
  head_box_->setCurrentIndex(static_cast<int>(head_));
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
       {tr("index"), [units](int line) { return line < units ? line : line - units; }},
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
  show_texts();
  show_choices();
  show_pair();
}

}  // namespace headlight
