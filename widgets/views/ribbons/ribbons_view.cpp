#include "widgets/views/ribbons/ribbons_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>
#include <functional>
#include <set>

#include "model/analysis/word_groups.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"

namespace headlight {

using Side = RibbonsPlace::Side;

RibbonsView::RibbonsView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  QHBoxLayout* row = bar_row();
  row->addWidget(kind_box_ = choice_box(bar(), 7));
  row->addWidget(layer_box_ = choice_box(bar(), 6));
  row->addWidget(head_box_ = choice_box(bar(), 7));
  row->addStretch(1);
  row->addWidget(words_box_ = new QCheckBox(bar()));
  build(canvas_ = new RibbonsCanvas(this));
  set_table(&table_);
  const auto pick = [this](QComboBox* box, const std::function<void(int)>& set) {
    connect(box, &QComboBox::activated, this, [this, box, set](int at) {
      set(box->itemData(at).toInt());
      chosen_ = true;
      show_choices();
      show_map();
    });
  };
  pick(kind_box_, [this](int kind) {
    kind_ = static_cast<AttentionMap::Kind>(kind);
    layer_ = -1;
  });
  pick(layer_box_, [this](int layer) { layer_ = layer; });
  pick(head_box_, [this](int head) { head_ = head; });
  connect(canvas_, &RibbonsCanvas::hovered, this, &RibbonsView::hover);
  connect(canvas_, &RibbonsCanvas::chosen, this, &RibbonsView::choose);
  connect(words_box_, &QCheckBox::clicked, selection_, &Selection::set_words);
  connect(selection_, &Selection::changed, this, &RibbonsView::follow_selection);
  connect(selection_, &Selection::wordsChanged, this, [this] { show_again(); });
  connect(selection_, &Selection::hovered, this, &RibbonsView::follow_hover);
  show_texts();
}

bool RibbonsView::offers(const AnalysedRun& run) {
  return std::ranges::any_of(run.maps(),
                             [](const AttentionMap& map) { return map.kind != AttentionMap::Kind::summary; });
}

void RibbonsView::refresh() {
  maps_ = run() ? run()->maps() : std::vector<AttentionMap>{};
  std::erase_if(maps_, [](const AttentionMap& map) { return map.kind == AttentionMap::Kind::summary; });
  show_choices();
  show_map();
}

void RibbonsView::show_head(AttentionMap::Kind kind, Index layer, Index head) {
  kind_ = kind;
  layer_ = layer;
  head_ = head;
  chosen_ = true;
  if (!is_fresh()) return;
  show_choices();
  show_map();
}

// Fills the boxes, and goes over to what there is where a choice is not there.
void RibbonsView::show_choices() {
  std::set<AttentionMap::Kind> kinds;
  for (const AttentionMap& each : maps_) kinds.insert(each.kind);
  if (!maps_.empty() && (!chosen_ || !kinds.contains(kind_)))
    kind_ = kinds.contains(AttentionMap::Kind::cross) ? AttentionMap::Kind::cross : maps_.front().kind;
  const AttentionMap* wanted = nullptr;
  layer_box_->clear();
  for (const AttentionMap& each : maps_) {
    if (each.kind != kind_) continue;
    layer_box_->addItem(layer_name(each.layer), static_cast<int>(each.layer));
    if (!wanted || each.layer == layer_ || !chosen_) wanted = &each;  // unasked: the last layer
  }
  const bool pieces = wanted && has_pieces(*result(), *wanted);
  words_box_->setVisible(pieces);
  words_box_->setChecked(selection_->words());
  map_ = !wanted
             ? nullptr
             : std::make_shared<const AttentionMap>(selection_->words() ? between_words(*result(), *wanted) : *wanted);
  layer_ = wanted ? wanted->layer : -1;
  layer_box_->setCurrentIndex(layer_box_->findData(static_cast<int>(layer_)));
  kind_box_->clear();
  for (const AttentionMap::Kind kind : kinds) kind_box_->addItem(kind_name(kind), static_cast<int>(kind));
  kind_box_->setCurrentIndex(kind_box_->findData(static_cast<int>(kind_)));
  kind_box_->setToolTip(kind_help(kind_));
  const Index heads = wanted ? wanted->heads : 1;
  head_box_->clear();
  if (heads > 1) {
    head_box_->addItem(tr("all heads"), static_cast<int>(kAllHeads));
    for (const Index head : {AttentionMap::kMean, AttentionMap::kMax})
      head_box_->addItem(head_name(head), static_cast<int>(head));
  }
  for (Index head = 0; head < heads; ++head) head_box_->addItem(head_name(head), static_cast<int>(head));
  if (head_box_->findData(static_cast<int>(head_)) < 0) head_ = heads > 1 ? kAllHeads : 0;
  head_box_->setCurrentIndex(head_box_->findData(static_cast<int>(head_)));
  for (QComboBox* box : {kind_box_, layer_box_, head_box_}) box->setVisible(box->count() > 1);
  bar()->setVisible(pieces || kind_box_->count() > 1 || layer_box_->count() > 1 || head_box_->count() > 1);
}

void RibbonsView::show_texts() {
  kind_box_->setAccessibleName(tr("Kind of attention that is shown"));
  layer_box_->setAccessibleName(tr("Layer whose attention is shown"));
  layer_box_->setToolTip(tr("A model of several layers looks anew in each of them."));
  words_box_->setText(words_name());
  words_box_->setToolTip(words_help());
  words_box_->setAccessibleDescription(words_help());
  head_box_->setAccessibleName(tr("Head whose attention is shown"));
  head_box_->setToolTip(tr(
      "A head is one of several attentions that a layer makes side by side, each with its own habit. ‘All heads’ gives "
      "each head a colour."));
  canvas_->setToolTip(
      tr("Each line goes from a token that looks to a token that it looks at. The stronger the line, the more of its "
         "attention goes there.\nPoint at a token to see its lines alone. Click it to select it everywhere; then click "
         "one on the other side to open the weight between them."));
}

void RibbonsView::show_map() {
  show_texts();
  show_message(map_ ? QString()
                    : reason(tr("Type a source to see what its tokens look at."),
                             tr("This model has no attention, so there are no lines to show.")));
  std::vector<Index> heads;
  if (map_ && head_ == kAllHeads)
    for (Index head = 0; head < map_->heads; ++head) heads.push_back(head);
  else
    heads.push_back(head_);
  canvas_->set_map(map_, std::move(heads));
  set_note(canvas_->is_limited()
               ? tr("Only the %1 strongest lines are drawn. Point at a token to see all of its lines.")
                     .arg(RibbonsCanvas::kMostLines)
               : QString());
  show_table();
  follow_selection();
}

// A line for each weight of the heads that are drawn. Where a line is found is computed when it is looked at: there may
// be millions.
void RibbonsView::show_table() {
  if (!map_) return table_.clear();
  struct Weight {
    Index head, row, column;
  };
  const bool all = head_ == kAllHeads;
  std::vector<Index> begins{0};  // of each row among the lines of a head
  for (Index row = 0; row < map_->row_count(); ++row)
    begins.push_back(begins.back() + std::min(map_->source(row).keys, map_->column_count()));
  const auto find = [map = map_, begins, first = all ? Index(0) : head_](Index line) {
    const Index in_head = line % begins.back();
    const Index row = std::upper_bound(begins.begin(), begins.end(), in_head) - begins.begin() - 1;
    Index column = -1;
    for (Index left = in_head - begins[static_cast<std::size_t>(row)]; left >= 0; --left)
      while (!map->has(row, ++column)) continue;
    return Weight{first + line / begins.back(), row, column};
  };
  const auto number = [find](auto of) { return [find, of](int line) { return QVariant(of(find(line))); }; };
  const auto label = [](const std::vector<AxisLabel>& labels, Index at) {
    return labels[static_cast<std::size_t>(at)].text;
  };
  const Tensor summary = all || head_ >= 0 ? Tensor() : map_->matrix(head_);  // mean, largest
  table_.set(
      static_cast<int>(begins.back() * (all ? map_->heads : 1)),
      {{tr("layer"), number([layer = map_->layer](const Weight&) { return static_cast<int>(layer + 1); })},
       {tr("head"), number([](const Weight& at) -> QVariant {
          return at.head < 0 ? QVariant(head_name(at.head)) : QVariant(static_cast<int>(at.head + 1));
        })},
       {tr("row"), number([](const Weight& at) { return static_cast<int>(at.row); })},
       {tr("looks"), number([label, looks = row_labels(*map_)](const Weight& at) { return label(looks, at.row); })},
       {tr("column"), number([](const Weight& at) { return static_cast<int>(at.column); })},
       {tr("seen"), number([label, seen = column_labels(*map_)](const Weight& at) { return label(seen, at.column); })},
       {tr("weight"), number([map = map_, summary](const Weight& at) {
          return static_cast<double>(at.head < 0 ? summary[at.row * summary.columns() + at.column]
                                                 : map->weight(at.head, at.row, at.column));
        })}});
}

void RibbonsView::hover(const RibbonsPlace& place) {
  if (!map_ || place.index < 0) return selection_->hover({}, {});
  const AttentionToken& token =
      (place.side == Side::looks ? map_->rows : map_->columns)[static_cast<std::size_t>(place.index)];
  selection_->hover(token.token >= 0 ? std::optional(token.token) : std::nullopt,
                    token.step >= 0 ? std::optional(token.step) : std::nullopt);
}

// A second token on the other side opens the weight between the two.
void RibbonsView::choose(const RibbonsPlace& place, const RibbonsPlace& before) {
  if (!map_) return;
  SelectionState state;
  const auto add = [&](const RibbonsPlace& at) {
    if (at.index < 0) return;
    const AttentionToken& token =
        (at.side == Side::looks ? map_->rows : map_->columns)[static_cast<std::size_t>(at.index)];
    if (token.token >= 0) state.source_token = token.token;
    if (token.step >= 0) state.step = token.step;
  };
  const bool pair = place.index >= 0 && before.index >= 0 && place.side != before.side;
  if (pair) add(before);
  add(place);
  if (pair) {
    const Index row = place.side == Side::looks ? place.index : before.index;
    const Index column = place.side == Side::seen ? place.index : before.index;
    Index head = map_->heads == 1 ? 0 : head_;
    if (head == kAllHeads || head == AttentionMap::kMax) {  // the strongest of the lines
      head = 0;
      for (Index h = 1; h < map_->heads; ++h)
        if (map_->weight(h, row, column) > map_->weight(head, row, column)) head = h;
    }
    if (head >= 0 && map_->has(row, column) && !map_->is_merged()) {
      state.entry = map_->entry(row);
      state.cell = map_->cell(head, row, column);
    }
  }
  selection_->set(state);
}

void RibbonsView::follow_selection() {
  if (!map_ || !is_fresh()) return;
  const SelectionState& state = selection_->state();
  const auto holds = [&](const RibbonsPlace& place) {
    if (place.index < 0) return false;
    const AttentionToken& token =
        (place.side == Side::looks ? map_->rows : map_->columns)[static_cast<std::size_t>(place.index)];
    return (state.step && token.holds_step(*state.step)) ||
           (state.source_token && token.holds_token(*state.source_token));
  };
  if (holds(canvas_->cursor())) return;  // it was chosen here
  for (std::size_t i = 0; i < map_->rows.size(); ++i)
    if (const RibbonsPlace place{Side::looks, static_cast<int>(i)}; holds(place)) return canvas_->set_cursor(place);
  for (std::size_t i = 0; i < map_->columns.size(); ++i)
    if (const RibbonsPlace place{Side::seen, static_cast<int>(i)}; holds(place)) return canvas_->set_cursor(place);
  canvas_->set_cursor({});
}

void RibbonsView::follow_hover() {
  if (!map_ || !is_fresh() || canvas_->underMouse()) return;
  const auto token = selection_->hovered_token();
  const auto step = selection_->hovered_step();
  for (std::size_t i = 0; step && i < map_->rows.size(); ++i)
    if (map_->rows[i].holds_step(*step)) return canvas_->set_hover({Side::looks, static_cast<int>(i)});
  for (std::size_t i = 0; token && i < map_->columns.size(); ++i)
    if (map_->columns[i].holds_token(*token)) return canvas_->set_hover({Side::seen, static_cast<int>(i)});
  canvas_->set_hover({});
}

void RibbonsView::retranslate() {
  show_texts();
  show_choices();
  show_map();
}

}  // namespace headlight
