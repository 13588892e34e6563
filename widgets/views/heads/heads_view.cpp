#include "widgets/views/heads/heads_view.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/canvas/what_if_menu.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/matrix/weight_drag.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

// Of a text that the model went on with, the first row behind what it was given; -1: there is none.
int first_written_row(const AttentionMap& map) {
  if (map.kind != AttentionMap::Kind::decoder_self) return -1;
  const auto given = std::ranges::find_if(map.rows, [](const AttentionToken& row) { return row.token >= 0; });
  const auto found = std::find_if(given, map.rows.end(), [](const AttentionToken& row) { return row.token < 0; });
  return found == map.rows.end() ? -1 : static_cast<int>(found - map.rows.begin());
}

}  // namespace

// The large head and all of them: one of both, side by side, or all of them in the corner of the large one.
class HeadsPages : public QWidget {
 public:
  HeadsPages(const HeadsModel* model, QWidget* parent)
      : QWidget(parent), heatmap_(new Heatmap(this)), grid_(new HeadsGrid(model, this)) {}
  Heatmap* heatmap() const { return heatmap_; }
  HeadsGrid* grid() const { return grid_; }

  // Whether all heads have room above what a large one shows.
  bool has_corner(const HeadChoice& opened) {
    if (!heatmap_->heatmap_layout().rising) return false;
    grid_->set_opened(opened);
    heatmap_->setGeometry(rect());
    return !in_corner().isEmpty();
  }

  void set_measures(QWidget* measures) { measures_ = measures; }

  void arrange() {
    QRect first = rect();
    measures_->setGeometry(first);
    if (!heatmap_->isHidden() && !grid_->isHidden()) {
      const bool rising = heatmap_->heatmap_layout().rising;
      if (rising) heatmap_->setGeometry(first);
      const QRect corner = rising ? in_corner() : QRect();
      const int wide = std::clamp(grid_->least_width(), 3 * width() / 10, 9 * width() / 20);
      grid_->setGeometry(corner.isEmpty() ? QRect(width() - wide, 0, wide, height()) : corner);
      if (corner.isEmpty()) first.setWidth(width() - wide);
    } else {
      grid_->setGeometry(first);
    }
    heatmap_->setGeometry(first);
  }

 protected:
  void resizeEvent(QResizeEvent*) override { arrange(); }

 private:
  // Where all heads have room, as large as they can be.
  QRect in_corner() const {
    constexpr int kStep = 12;
    const HeatmapLayout& layout = heatmap_->heatmap_layout();
    std::vector<QRectF> rooms;
    for (int wide = grid_->least_width(); wide < 2 * width() / 3; wide += kStep)
      if (const QRectF room = layout.corner(wide); !room.isEmpty()) rooms.push_back(room);
    return grid_->largest_in(rooms).translated(heatmap_->viewport()->mapTo(this, QPoint())).toRect();
  }

  Heatmap* heatmap_;
  HeadsGrid* grid_;
  QWidget* measures_ = nullptr;
};

HeadsView::HeadsView(const ViewContext& context, QWidget* parent)
    : ViewPanel(context, parent), bench_(context.bench ? context.bench : new HeadBench(this)) {
  build_bar();
  pages_ = new HeadsPages(&model_, this);
  heatmap_ = pages_->heatmap();
  grid_ = pages_->grid();
  pages_->set_measures(measures_ = new HeadsMeasures(bench_, pages_));
  build(pages_, {560, 360});
  connect(grid_, &HeadsGrid::activated, this, &HeadsView::open);
  connect(grid_, &HeadsGrid::arranged, this, [this] { set_note(note()); });
  connect(grid_, &HeadsGrid::menuRequested, this,
          [this](HeadChoice choice, const QPoint& position) { open_menu(choice, position); });
  connect(grid_, &HeadsGrid::groupRequested, this, &HeadsView::open_group_menu);
  drag_ = new WeightDrag(heatmap_, selection_, requests_);
  connect(heatmap_, &Heatmap::contextMenuRequested, this,
          [this](int row, int column, const QPoint& position) { open_menu(opened_, position, row, column); });
  for (const auto chosen : {&Heatmap::cellActivated, &Heatmap::cursorMoved})
    connect(heatmap_, chosen, this, [this](int row, int column) {
      if (opened_.map >= 0 && shown_.is_fold(column)) return;
      if (opened_.map >= 0 && row >= 0 && column >= 0) selection_->set(cursor().selection_at({row, column}));
    });
  connect(heatmap_, &Heatmap::cellActivated, this, [this](int, int column) {
    if (opened_.map >= 0 && shown_.is_fold(column)) set_show_padding(true);
  });
  connect(heatmap_, &Heatmap::cellHovered, this, [this](int row, int column) {
    if (opened_.map >= 0) cursor().hover({row, shown_.is_fold(column) ? -1 : column}, selection_);
  });
  const auto arrange_again = [this] {
    arrange();
    emit stateShown();  // what there is to click is told anew
  };
  connect(heatmap_, &Heatmap::painted, this, [this, arrange_again] {
    const bool whole = !heatmap_->rises() || heatmap_->heatmap_layout().rising;
    if (opened_.map >= 0 && whole != whole_) QMetaObject::invokeMethod(this, arrange_again, Qt::QueuedConnection);
  });
  theme().restyles(this, arrange_again);
  connect(back_, &QPushButton::clicked, this, [this] { open({}); });
  connect(chooser_, &AttentionChooser::changed, this, [this] { show_again(); });
  connect(colours_box_, &QComboBox::activated, this, [this](int at) { set_colours(static_cast<MapColours>(at)); });
  connect(selection_, &Selection::changed, this, &HeadsView::follow_selection);
  connect(selection_, &Selection::headChanged, this, [this] {
    if (is_fresh() && take_head()) show_state();
  });
  build_shown();
  show_texts();
  show_state();
}

void HeadsView::build_bar() {
  QHBoxLayout* row = bar_row();
  chooser_ = new AttentionChooser({.maps = AttentionChooser::all_but_summaries,
                                   .first = AttentionMap::Kind::encoder_self,
                                   .layers = false,
                                   .heads = AttentionChooser::Heads::none},
                                  selection_, row);
  row->addWidget(back_ = new QPushButton(bar()));
  row->addWidget(title_ = new QLabel(bar()), 1);
  row->addWidget(what_box_ = choice_box(bar(), 10));
  row->addWidget(chooser_->words_box());
  row->addWidget(colours_box_ = choice_box(bar(), 10));
  title_->setTextFormat(Qt::PlainText);
  title_->setMinimumWidth(0);
  title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

bool HeadsView::offers(const AnalysedRun& run) {
  Index pictures = 0;
  for (const AttentionMap* map : AttentionChooser::all_but_summaries(run)) pictures += map->heads;
  // A model of one head needs no overview; what somebody stored is looked at here, however little it is.
  return pictures > 1 || (pictures == 1 && run.result()->model->stored);
}

AttentionMap::Kind HeadsView::kind() const { return chooser_->kind(); }

bool HeadsView::beside() const {
  const double scale = theme().font_scale();
  return window() != this && width() >= 820 * scale && height() >= 340 * scale;
}

void HeadsView::arrange() {
  const bool large = opened_.map >= 0 && !is_empty(), in_window = window() != this;
  heatmap_->set_bare(in_window);
  measures_->grid()->set_bare(in_window);
  heatmap_->setVisible(large && !shows_number());
  // What is seen larger has the whole room: its corner is not free.
  whole_ = !heatmap_->rises() || heatmap_->heatmap_layout().rising;
  const bool both = large && in_window && whole_ && (beside() || pages_->has_corner(opened_));
  measures_->setVisible(shows_number());
  grid_->setVisible((!large || both) && !shows_number());
  grid_->set_opened(both ? opened_ : HeadChoice{});
  back_->setVisible(large && !both && !shows_number());
  // A narrow panel has no room for it: there V chooses.
  const bool room = width() >= 64 * fontMetrics().averageCharWidth();
  what_box_->setVisible(has_bench() && room && back_->isHidden());
  pages_->arrange();
  setProperty("shows_text", large);
}

void HeadsView::resizeEvent(QResizeEvent* event) {
  ViewPanel::resizeEvent(event);
  const bool nothing = opened_.map < 0, alone = grid_->isHidden();
  if (is_fresh()) {
    open_telling();
    give_head();
  }
  if (nothing && opened_.map >= 0) return show_state();
  arrange();
  if (grid_->isHidden() != alone) emit stateShown();  // what there is to click is told anew
}

// Of the last layer, where a model decides: the head that is surest where to look, and not always at the same place.
void HeadsView::open_telling() {
  if (closed_ || opened_.map >= 0 || is_empty() || !beside()) return;
  const int last = static_cast<int>(model_.maps().size()) - 1;
  const AttentionMap& map = model_.maps().back();
  opened_ = {last, 0};
  double least = 2;
  for (Index head = 0; head < map.heads; ++head) {
    const HeadStatistics& each = model_.statistics(last, head);
    const double spread = each.entropy + (each.first >= kShareOfPattern ? 1 : 0);
    if (spread < least) {
      least = spread;
      opened_.head = head;
    }
  }
}

void HeadsView::refresh() {
  chooser_->set_run(run());
  show_maps();
  take_head();
  open_telling();
  give_head();
  show_choices();
  measures_->set_run(run());
  show_state();
}

void HeadsView::set_kind(AttentionMap::Kind kind) {
  chooser_->choose(kind, {}, 0);
  show_again();
}

// A head that is large stays so: that of the same kind, layer and number.
void HeadsView::show_maps() {
  std::vector<AttentionMap> weights = chooser_->maps_of_kind(), maps = other_numbers(weights);
  other_ = !maps.empty();
  if (!other_) maps = std::exchange(weights, {});
  if (maps.size() != weights.size()) weights.clear();
  const bool was_large = opened_.map >= 0;
  if (was_large) {
    const AttentionMap& before = large_map();
    const auto same = std::ranges::find_if(
        maps, [&](const AttentionMap& map) { return map.kind == before.kind && map.layer == before.layer; });
    const bool there = same != maps.end() && opened_.head < same->heads;
    opened_ = there ? HeadChoice{static_cast<int>(same - maps.begin()), opened_.head} : HeadChoice{};
  }
  constexpr Index kMany = 64;
  if (!colours_chosen_ && !maps.empty())
    show_colours(maps.front().column_count() > kMany ? MapColours::own : MapColours::whole);
  model_.set_maps(
      std::move(maps),
      [this](const AttentionMap& map, Index head) { return result() && !other_ && is_head_off(*result(), map, head); },
      std::move(weights));
  // Of another kind it is the chosen one that is large.
  if (was_large && opened_.map < 0) opened_ = choice_of(selection_->head());
  // Of a session, once there are heads to choose from.
  if (!wanted_ || model_.maps().empty()) return;
  const HeadChoice wanted = *std::exchange(wanted_, std::nullopt);
  if (wanted.map >= 0 && wanted.map < static_cast<int>(model_.maps().size()) && wanted.head >= AttentionMap::kMax &&
      wanted.head < nth(model_.maps(), wanted.map).heads)
    opened_ = wanted;
}

void HeadsView::show_texts() {
  back_->setText(tr("‹ All heads"));
  back_->setToolTip(tr("Back to the thumbnails of all heads (Esc)."));
  const std::pair<QString, QString> colours[] = {
      {tr("up to 1"), tr("The strongest colour is a weight of 1 in all pictures, so that they can be compared.")},
      {tr("stretched"), tr("The strongest colour of each picture is its own largest weight, so that faint "
                           "patterns can be seen.")},
      {tr("logarithmic"), tr("As much colour for each factor, from a thousandth to 1: small weights beside "
                             "large ones.")}};
  colours_box_->clear();
  for (const auto& [name, help] : colours) {
    colours_box_->addItem(name);
    colours_box_->setItemData(colours_box_->count() - 1, wrapped_tooltip(help), Qt::ToolTipRole);
  }
  colours_box_->setCurrentIndex(static_cast<int>(colours_));
  describe(colours_box_, tr("Colours"), tr("How much colour a weight has."));
  grid_->setToolTip(
      tr("Each picture is one attention head: a row for each token that looks, a column for each token it can look at. "
         "The stronger the colour, the more weight. The bar below is the entropy: the longer, the more the weight is "
         "spread.\nClick a head to see it large."));
  heatmap_->setToolTip(
      tr("Each row is a token that looks, each column a token that is looked at; a row sums to 1.\n"
         "Click a cell to open its number; drag the chosen cell up or down to change its weight, and the others of its "
         "row make room. Wheel: zoom, middle button: move, 0: show everything, Esc: all heads."));
}

void HeadsView::show_state() {
  const bool large = opened_.map >= 0 && !is_empty();
  show_message(is_empty() ? reason(tr("Type a source to see what each attention head looks at."),
                                   tr("This model has no attention, so there are no heads to show."))
                          : QString());
  arrange();
  if (!large) drag_->show(nullptr, 0);
  set_table(shows_number() ? static_cast<QAbstractItemModel*>(measures_->table_model())
            : large        ? heatmap_->table_model()
                           : static_cast<QAbstractItemModel*>(&model_));
  set_keyboard_target(shows_number() ? static_cast<QWidget*>(measures_->list())
                      : large        ? static_cast<QWidget*>(heatmap_)
                                     : grid_);
  colours_box_->setVisible(!is_empty() && !shows_number());
  if (shows_number()) show_measured();
  if (large)
    show_large();
  else
    heatmap_->clear();
  title_->setVisible(large);  // how many heads there are, their pictures say
  set_note(note());
  emit stateShown();
}

ColourKey HeadsView::colour_key() const {
  if (shows_number()) return measures_->colour_key();
  if (other_) return {};
  const bool shares = !is_empty() && std::ranges::all_of(model_.maps(), &AttentionMap::within_shares);
  return {!shares || colours_ == MapColours::own ? ColourKey::Kind::none : ColourKey::Kind::shares, 1,
          colours_ == MapColours::logarithmic};
}

QString HeadsView::caption() const {
  if (is_empty() || opened_.map < 0 || shows_number() || other_) return {};
  return (first_written_row(large_map()) >= 0
              ? tr("A row shows where that token looks: the stronger the colour, the more. Below the dashes: what it "
                   "wrote itself.")
              : tr("A row shows where that token looks: the stronger the colour, the more.")) +
         left_out_note(large_map());
}

QString HeadsView::what_to_do(bool changing) const {
  if (shows_number()) return tr("Click a head: it is the chosen one in every picture.");
  if (is_empty() || opened_.map < 0) return {};
  changing = changing && !result()->model->stored;
  if (!changing && !grid_->isHidden()) return tr("Click a square to see why, a small picture for another head.");
  return changing ? tr("Drag a square up or down to change its weight; Esc goes back to all heads.")
                  : tr("Click a square to see why, Esc goes back to all heads.");
}

ShownAttention HeadsView::attention() const {
  return is_empty() || opened_.map < 0 ? ShownAttention{} : ShownAttention{shown_.map.get(), opened_.head};
}

const AttentionMap* HeadsView::map_shown() {
  bring_up_to_date();
  return opened_.map < 0 || is_empty() ? nullptr : shown_.map.get();
}

void HeadsView::show_large() {
  const AttentionMap& map = large_map();
  QString title = head_place(map, opened_.head);
  QString help = title;
  if (opened_.head >= 0) {
    const HeadStatistics& statistics = model_.statistics(opened_.map, opened_.head);
    const bool off = model_.is_off(opened_.map, opened_.head);
    // Beside the names of the pictures there is no room for its habit.
    if (off || !grid_->isHidden())
      title = with_colon(title, off ? head_off_name() : habit_name(model_.kind(opened_.map, opened_.head)));
    help = head_description(map, opened_.head, statistics);
  }
  title_->setText(title);
  title_->setToolTip(help);
  // Which head it is always has room, unless the small pictures beside it say so.
  title_->setSizePolicy(grid_->isHidden() ? QSizePolicy::Preferred : QSizePolicy::Ignored, QSizePolicy::Preferred);
  heatmap_->set_off(model_.is_off(opened_.map, opened_.head));
  shown_ = FoldedMap::of(std::make_shared<const AttentionMap>(with_sink(map)), opened_.head, !show_padding_);
  drag_->show(other_ ? nullptr : shown_.map, opened_.head, result()->model && result()->model->stored);
  shown_.set_range(heatmap_, colours_);
  shown_.show(heatmap_, opened_.head, result()->id);
  std::vector<HeatmapCell> edited;
  if (!other_)
    for (const auto& [row, column] : edited_weights(*shown_.map, opened_.head, result()->interventions))
      edited.push_back({static_cast<int>(row), static_cast<int>(column)});
  heatmap_->set_edited_cells(std::move(edited));
  heatmap_->set_captions(row_caption(map), column_caption(map), other_ ? shown_name(what_) : value_caption(map));
  heatmap_->set_subject(head_place(map, opened_.head));
  heatmap_->set_labels(row_labels(*shown_.map), shown_.column_labels());
  heatmap_->set_own_rows(first_written_row(map));
  set_visible_rows(visible_steps_);
  arrange();  // the corner may have another size
  follow_selection();
}

void HeadsView::open(HeadChoice choice) {
  bring_up_to_date();
  const bool known = choice.map >= 0 && choice.map < static_cast<int>(model_.maps().size()) &&
                     choice.head < nth(model_.maps(), choice.map).heads;
  const HeadsHit before = grid_->place_of(opened_);
  opened_ = known ? choice : HeadChoice{};
  closed_ = !known;
  const bool had_focus = hasFocus() || grid_->hasFocus() || heatmap_->hasFocus() || back_->hasFocus();
  show_state();
  if (!known && before.row >= 0) grid_->set_cursor(before);
  if (had_focus) (known ? static_cast<QWidget*>(heatmap_) : grid_)->setFocus(Qt::OtherFocusReason);
  if (!known || choice.head < 0 || what_ == HeadsShown::alti || what_ == HeadsShown::rollout) return;
  taken_ = HeadPlace{kind(), nth(model_.maps(), choice.map).layer, choice.head};
  selection_->set_head(taken_);
}

void HeadsView::set_show_padding(bool show) {
  if (show == show_padding_) return;
  show_padding_ = show;
  grid_->set_show_padding(show);
  if (opened_.map >= 0 && is_fresh()) show_large();
}

void HeadsView::set_visible_rows(int steps) {
  visible_steps_ = steps;
  const auto done = [steps](const AttentionToken& row) { return row.step < 0 || row.step + row.steps <= steps; };
  heatmap_->set_visible_rows(
      steps < 0 || !shown_.map ? -1 : static_cast<int>(std::ranges::count_if(shown_.map->rows, done)));
}

QString HeadsView::note() const {
  if (is_empty() || shows_number()) return {};
  if (!waiting_.isEmpty()) return waiting_;
  if (opened_.map >= 0) return {};
  const QSize cells = grid_->cells_of_point();
  const auto left_out = std::ranges::find_if(model_.maps(), [](const AttentionMap& map) { return map.window > 0; });
  const QString bar = tr("Bar: entropy, how spread the weight is.") +
                      left_out_note(left_out == model_.maps().end() ? model_.maps().front() : *left_out);
  const QString scale = colours_ == MapColours::own           ? ' ' + tr("Each picture has its own scale.")
                        : colours_ == MapColours::logarithmic ? ' ' + tr("Colours are logarithmic, from .001 to 1.")
                                                              : QString();
  if (cells == QSize(1, 1)) return bar + scale;
  return bar + scale + ' ' +
         tr("Pictures are reduced: each point shows the largest of up to %1 × %2 weights.")
             .arg(cells.height())
             .arg(cells.width());
}

MapCursor HeadsView::cursor() const { return MapCursor(*shown_.map, opened_.head); }

void HeadsView::follow_selection() {
  if (opened_.map < 0 || !is_fresh() || !shown_.map) return;
  const MapCell place = cursor().find(selection_->state());
  heatmap_->set_place(place.row, place.column);
}

void HeadsView::open_menu(HeadChoice choice, const QPoint& global_position, int row, int column) {
  if (!requests_ || choice.map < 0 || choice.head < 0 || choice.map >= static_cast<int>(model_.maps().size())) return;
  if (model_.maps()[static_cast<std::size_t>(choice.map)].heads == 1 && other_) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  if (row >= 0 && column >= 0 && !other_) drag_->add_actions(menu, row, column);
  if (row >= 0 && column >= 0 && shown_.map)
    add_rank_action(menu, *run(), {shown_.map.get(), opened_.head}, row, column, requests_);
  // Of the tokens, even where words are shown: what is done to a head is done to it all.
  const Index layer = nth(model_.maps(), choice.map).layer;
  for (const AttentionMap* map : AttentionChooser::all_but_summaries(*run()))
    if (map->kind == kind() && map->layer == layer) add_head_actions(menu, *result(), *map, choice.head, requests_);
  add_head_over_texts(menu, {kind(), layer, choice.head}, selection_, requests_);
  if (row >= 0 && column >= 0 && shown_.map && !other_)
    add_weight_over_texts(menu, *result(), cursor().selection_at({row, column}), requests_);
  if (shown_.map && opened_.map >= 0 && (shown_.blanks > 0 || show_padding_))
    connect(add_padding_action(menu, show_padding_), &QAction::triggered, this, &HeadsView::set_show_padding);
  add_panel_actions(menu);
  menu->popup(global_position);
}

void HeadsView::open_group_menu(int group, const QPoint& global_position) {
  if (!requests_) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  for (const AttentionMap* map : AttentionChooser::all_but_summaries(*run())) {
    if (map->kind != kind() || map->shared() < 2) continue;
    QMenu* of_layer = model_.maps().size() > 1 ? menu->addMenu(layer_name(map->layer)) : menu;
    of_layer->setToolTipsVisible(true);
    add_group_actions(of_layer, *result(), *map, group, requests_);
  }
  menu->popup(global_position);
}

void HeadsView::keyPressEvent(QKeyEvent* event) {
  if (opened_.map >= 0 && (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Backspace)) return open({});
  if (event->key() == Qt::Key_V && event->modifiers() == Qt::NoModifier && has_bench())
    return set_what(what_ == HeadsShown::weights  ? HeadsShown::values
                    : what_ == HeadsShown::values ? HeadsShown::alti
                                                  : HeadsShown::weights);
  QWidget::keyPressEvent(event);
}

void HeadsView::retranslate() {
  chooser_->retranslate();
  model_.show();
  measures_->retranslate();
  show_choices();
  show_texts();
  show_state();
}

}  // namespace headlight
