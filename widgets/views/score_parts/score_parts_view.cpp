#include "widgets/views/score_parts/score_parts_view.h"

#include <QHBoxLayout>
#include <algorithm>

#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/text/attention_words.h"

namespace headlight {

namespace {

using LaneSide = LivingLane::Side;

LaneSide asking_side(const AttentionMap& map) {
  return map.kind == AttentionMap::Kind::encoder_self ? LaneSide::source : LaneSide::target;
}

// Of the first layer, where positions are added.
AttentionChooser::Maps split_maps(const AnalysedRun& run) {
  const std::vector<LaneSide> sides = split_sides(*run.result());
  AttentionChooser::Maps found;
  for (const AttentionMap& map : run.maps())
    if (map.is_self() && map.layer == 0 && std::ranges::find(sides, asking_side(map)) != sides.end())
      found.push_back(&map);
  return found;
}

std::shared_ptr<const ScoreSplit> split_of(const std::shared_ptr<const LivingMap>& map, LaneSide side, Index head) {
  auto split = map ? score_split(*map, side, head) : std::nullopt;
  return split ? std::make_shared<const ScoreSplit>(std::move(*split)) : nullptr;
}

}  // namespace

ScorePartsView::ScorePartsView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent),
      chooser_(new AttentionChooser(
          {.maps = split_maps, .first = AttentionMap::Kind::encoder_self, .layers = false, .words = false}, selection_,
          bar_row())),
      canvas_(new ScorePartsCanvas(this)) {
  bar_row()->addStretch(1);
  build(canvas_, {640, 460});
  set_table(&table_);
  connect(chooser_, &AttentionChooser::changed, this, &ScorePartsView::work_out);
  connect(canvas_, &ScorePartsCanvas::moved, this, &ScorePartsView::select);
  connect(canvas_, &ScorePartsCanvas::opened, this, [this](int row, int column) {
    if (map() && map()->has(row, column))
      emit requests_->open(map()->entry(row), map()->cell(chooser_->head(), row, column));
  });
  connect(canvas_, &ScorePartsCanvas::other_head_wanted, this, [this](int by) {
    if (!map()) return;
    chooser_->choose(map()->kind, map()->layer, std::clamp<Index>(chooser_->head() + by, 0, map()->heads - 1));
    work_out();
  });
  connect(selection_, &Selection::changed, this, &ScorePartsView::follow_selection);
  show_texts();
}

bool ScorePartsView::offers(const AnalysedRun& run) { return !split_maps(run).empty(); }

void ScorePartsView::refresh() {
  chooser_->set_run(run());
  if (map()) chooser_->follow(selection_->state());
  work_out();
}

void ScorePartsView::work_out() {
  maker_.stop();
  if (!map()) return show_split(nullptr);
  const LaneSide side = asking_side(*map());
  const Index head = chooser_->head();
  if (!isVisible() || !LivingMaker::is_long(*run())) return show_split(split_of(run()->living(), side, head));
  maker_.start(run(),
               [this, side, head](const std::shared_ptr<const LivingMap>& living,
                                  const CancelToken& cancel) -> LivingMaker::Done {
                 const auto split = split_of(living, side, head);
                 cancel.check();
                 return [this, split] { show_split(split); };
               });
  show_texts();
}

void ScorePartsView::show_split(std::shared_ptr<const ScoreSplit> split) {
  shown_ = nullptr;
  if (split && map() && split->scores.rows() == map()->row_count() &&
      split->scores.columns() == map()->column_count()) {
    auto head = std::make_shared<SplitHead>();
    head->split = *split;
    head->rows = axis_labels(map()->rows);
    head->columns = axis_labels(map()->columns);
    head->hidden = map()->hidden_cells();
    shown_ = head;
  }
  canvas_->set_head(shown_);
  show_texts();
  show_table();
  follow_selection();
}

void ScorePartsView::show_texts() {
  bar()->setVisible(map() && chooser_->offers_choice());
  show_message(
      shown_ || maker_.is_busy() ? QString()
      : result() && result()->only_shown
          ? tr("Measuring …")
          : reason(tr("Type a source to see what its tokens and their positions add to a score."),
                   tr("This model does not add positions to its embeddings, so its scores do not split. Choose "
                      "a Transformer with sinusoids or learned positions.")));
  set_note(canvas_->sentence());
}

void ScorePartsView::retranslate() {
  chooser_->retranslate();
  if (!shown_) return show_texts();
  auto anew = std::make_shared<SplitHead>(*shown_);
  anew->rows = axis_labels(map()->rows);
  anew->columns = axis_labels(map()->columns);
  shown_ = anew;
  canvas_->set_head(shown_);
  show_texts();
  show_table();
}

void ScorePartsView::show_table() {
  if (!shown_) return table_.clear();
  const int columns = shown_->column_count();
  std::vector<ColumnTable::Column> made = {
      {tr("query"), [shown = shown_, columns](int line) { return nth(shown->rows, line / columns).text; }},
      {tr("key"), [shown = shown_, columns](int line) { return nth(shown->columns, line % columns).text; }}};
  for (int each = 0; each < ScorePartsLayout::kMaps; ++each)
    if (canvas_->shows(each))
      made.push_back({ScorePartsCanvas::part_name(each), [shown = shown_, columns, each](int line) {
                        const int row = line / columns, column = line % columns;
                        return shown->is_hidden(row, column) ? QVariant() : QVariant(shown->value(each, row, column));
                      }});
  table_.set(shown_->row_count() * columns, std::move(made));
}

void ScorePartsView::select(int row, int column) {
  set_note(canvas_->sentence());
  if (!map() || !map()->has(row, column)) return;
  selecting_ = true;
  selection_->set(MapCursor(*map(), chooser_->head()).selection_at({row, column}));
  selecting_ = false;
}

void ScorePartsView::follow_selection() {
  if (selecting_ || !shown_ || !map()) return;
  const AttentionMap* before = map();
  const Index head = chooser_->head();
  if (is_fresh() && chooser_->follow(selection_->state()) && (map() != before || chooser_->head() != head))
    return work_out();
  const MapCell place = MapCursor(*map(), chooser_->head()).find(selection_->state());
  canvas_->set_place(place.row, place.column);
  set_note(canvas_->sentence());
}

ColourKey ScorePartsView::colour_key() const {
  return shown_ ? ColourKey{ColourKey::Kind::signs, canvas_->largest()} : ColourKey{};
}

// Into files goes the newest run, however long it takes.
Figure ScorePartsView::picture() {
  if (maker_.is_busy()) {
    maker_.stop();
    show_split(split_of(run()->living(), asking_side(*map()), chooser_->head()));
  }
  return ViewPanel::picture();
}

}  // namespace headlight
