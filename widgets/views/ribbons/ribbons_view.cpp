#include "widgets/views/ribbons/ribbons_view.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <algorithm>

#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/text/attention_words.h"

namespace headlight {

using Side = RibbonsHit::Side;

namespace {

constexpr Index kAllHeads = AttentionChooser::kAllHeads;

MapCell cell_of(const RibbonsHit& place) {
  return place.side == Side::query ? MapCell{place.index, -1} : MapCell{-1, place.index};
}

// The query before the key: one token alone can be marked.
RibbonsHit place_of(MapCell cell) {
  return cell.row >= 0      ? RibbonsHit{Side::query, cell.row}
         : cell.column >= 0 ? RibbonsHit{Side::key, cell.column}
                            : RibbonsHit{};
}

}  // namespace

RibbonsView::RibbonsView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  QHBoxLayout* row = bar_row();
  chooser_ = new AttentionChooser({.maps = AttentionChooser::all_but_summaries}, selection_, row);
  row->addStretch(1);
  row->addWidget(chooser_->words_box());
  build(canvas_ = new RibbonsCanvas(this), {420, 360});
  set_table(&table_);
  connect(chooser_, &AttentionChooser::changed, this, [this] { show_again(); });
  connect(canvas_, &RibbonsCanvas::hovered, this, [this](const RibbonsHit& place) {
    if (map_) MapCursor(*map_).hover(cell_of(place), selection_);
  });
  connect(canvas_, &RibbonsCanvas::chosen, this, &RibbonsView::choose);
  connect(selection_, &Selection::changed, this, &RibbonsView::follow_selection);
  connect(selection_, &Selection::hovered, this, &RibbonsView::follow_hover);
  show_texts();
}

bool RibbonsView::offers(const AnalysedRun& run) { return !AttentionChooser::all_but_summaries(run).empty(); }

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
  canvas_->setToolTip(
      tr("Each line goes from a token that looks to a token that it looks at. The stronger the line, the more of its "
         "attention goes there.\nPoint at a token to see its lines alone. Click it to select it everywhere; then click "
         "one on the other side to open the weight between them."));
}

void RibbonsView::show_map() {
  map_ = chooser_->map();
  show_message(map_ ? QString()
                    : reason(tr("Type a source to see what its tokens look at."),
                             tr("This model has no attention, so there are no lines to show.")));
  std::vector<Index> heads;
  if (map_ && chooser_->head() == kAllHeads)
    for (Index head = 0; head < map_->heads; ++head) heads.push_back(head);
  else
    heads.push_back(chooser_->head());
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
  const Index head = chooser_->head();
  const bool all = head == kAllHeads;
  std::vector<Index> begins{0};  // of each row among the lines of a head
  for (Index row = 0; row < map_->row_count(); ++row)
    begins.push_back(begins.back() + std::min(map_->source(row).keys, map_->column_count()));
  const auto find = [map = map_, begins, first = all ? Index(0) : head](Index line) {
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
  const Tensor summary = all || head >= 0 ? Tensor() : map_->matrix(head);  // mean, largest
  table_.set(
      static_cast<int>(begins.back() * (all ? map_->heads : 1)),
      {{tr("layer"), number([layer = map_->layer](const Weight&) { return static_cast<int>(layer + 1); })},
       {tr("head"), number([](const Weight& at) -> QVariant {
          return at.head < 0 ? QVariant(head_name(at.head)) : QVariant(static_cast<int>(at.head + 1));
        })},
       {tr("row"), number([](const Weight& at) { return static_cast<int>(at.row); })},
       {tr("looks"), number([label, queries = row_labels(*map_)](const Weight& at) { return label(queries, at.row); })},
       {tr("column"), number([](const Weight& at) { return static_cast<int>(at.column); })},
       {tr("seen"), number([label, keys = column_labels(*map_)](const Weight& at) { return label(keys, at.column); })},
       {tr("weight"), number([map = map_, summary](const Weight& at) {
          return static_cast<double>(at.head < 0 ? summary[at.row * summary.columns() + at.column]
                                                 : map->weight(at.head, at.row, at.column));
        })}});
}

// A second token on the other side opens the weight between the two.
void RibbonsView::choose(const RibbonsHit& place, const RibbonsHit& before) {
  if (!map_) return;
  if (place.index < 0 || before.index < 0 || place.side == before.side)
    return selection_->set(MapCursor(*map_).selection_at(cell_of(place)));
  const bool queried = place.side == Side::query;
  const Index row = queried ? place.index : before.index, column = queried ? before.index : place.index;
  Index head = chooser_->head();
  if (head == kAllHeads || head == AttentionMap::kMax) {  // the strongest of the lines
    head = 0;
    for (Index h = 1; h < map_->heads; ++h)
      if (map_->weight(h, row, column) > map_->weight(head, row, column)) head = h;
  }
  selection_->set(MapCursor(*map_, head).selection_at({static_cast<int>(row), static_cast<int>(column)}));
}

void RibbonsView::follow_selection() {
  if (!map_ || !is_fresh()) return;
  const SelectionState& state = selection_->state();
  const RibbonsHit& now = canvas_->cursor();
  const auto holds = [&](const AttentionToken& token) {
    return (state.step && token.holds_step(*state.step)) ||
           (state.source_token && token.holds_token(*state.source_token));
  };
  // It was chosen here.
  if (now.index >= 0 &&
      holds((now.side == Side::query ? map_->rows : map_->columns)[static_cast<std::size_t>(now.index)]))
    return;
  const MapCursor cursor(*map_);
  MapCell cell = cursor.find(state);
  if (cell.row < 0 && state.source_token) cell.row = cursor.row_of_token(*state.source_token);
  canvas_->set_cursor(place_of(cell));
}

void RibbonsView::follow_hover() {
  if (!map_ || !is_fresh() || canvas_->underMouse()) return;
  canvas_->set_hover(place_of(MapCursor(*map_).find_hovered(*selection_)));
}

void RibbonsView::retranslate() {
  chooser_->retranslate();
  show_texts();
  show_map();
}

}  // namespace headlight
