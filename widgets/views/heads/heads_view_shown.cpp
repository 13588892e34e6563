// What the heads view shows of each head (HeadsShown), and the measuring of it.
#include <QAbstractItemView>
#include <QComboBox>
#include <QFontMetrics>
#include <QPainter>
#include <QShortcut>
#include <algorithm>

#include "model/core/json_library.h"
#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/canvas/what_if_menu.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/views/heads/heads_view.h"

namespace headlight {

void HeadsView::build_shown() {
  connect(what_box_, &QComboBox::activated, this,
          [this](int at) { set_what(static_cast<HeadsShown>(what_box_->itemData(at).toInt())); });
  connect(measures_, &HeadsMeasures::headChosen, this, [this](const HeadPlace& head) { selection_->set_head(head); });
  connect(measures_, &HeadsMeasures::menuRequested, this,
          [this](const HeadPlace& head, const QPoint& global) { open_menu(choice_of(head), global); });
  connect(bench_, &HeadBench::changed, this, &HeadsView::measured_changed);
  if (requests_)
    connect(requests_, &ViewRequests::rankHeads, this, [this](AttentionMap::Kind kind, Index query, Index key) {
      rank({kind, query, key});
    });
  auto* ranks = new QShortcut(QKeySequence(Qt::Key_R), heatmap_, nullptr, nullptr, Qt::WidgetShortcut);
  connect(ranks, &QShortcut::activated, this, [this] {
    const HeatmapCell cell = heatmap_->selected_cell();
    if (shown_.map && cell.row >= 0 && cell.column >= 0)
      rank_heads(*run(), {shown_.map.get(), opened_.head}, cell.row, cell.column, requests_);
  });
}

bool HeadsView::has_bench() const { return run() && HeadBench::offers(*run()); }

// What there is of this model; a pair of words only while it is shown.
void HeadsView::show_choices() {
  if (what_box_->view()->isVisible()) return;
  what_box_->clear();
  if (!has_bench()) return;
  const bool self = kind() != AttentionMap::Kind::cross;
  for (int i = 0; i <= static_cast<int>(HeadsShown::pair); ++i) {
    const auto what = static_cast<HeadsShown>(i);
    const bool of_self = what == HeadsShown::rollout || what == HeadsShown::without_first ||
                         (is_share(what) && what != HeadsShown::entropy);
    if ((of_self && !self) || (what == HeadsShown::pair && what_ != what)) continue;
    if (what == HeadsShown::previous || what == HeadsShown::effect) what_box_->insertSeparator(what_box_->count());
    what_box_->addItem(shown_name(what), i);
    what_box_->setItemData(what_box_->count() - 1, wrapped_tooltip(shown_help(what)), Qt::ToolTipRole);
  }
  what_box_->setCurrentIndex(std::max(0, what_box_->findData(static_cast<int>(what_))));
  describe(what_box_, tr("What is shown of each head"),
           tr("Weights, what heads bring, or one number of each (V: weights, with values, ALTI)."));
}

void HeadsView::set_what(HeadsShown what) {
  if (what_ == what) return;
  const bool maps = what_ == HeadsShown::alti || what == HeadsShown::alti || what_ == HeadsShown::rollout ||
                    what == HeadsShown::rollout;
  // Maps of layers have no heads: all of them are seen.
  if (maps) {
    opened_ = {};
    taken_.reset();
  }
  what_ = what;
  show_again();
}

void HeadsView::set_colours(MapColours colours) {
  colours_chosen_ = true;
  show_colours(colours);
  emit stateShown();  // the colours below the picture are others
}

void HeadsView::show_colours(MapColours colours) {
  colours_ = colours;
  colours_box_->setCurrentIndex(static_cast<int>(colours));
  grid_->set_colours(colours);
  if (opened_.map >= 0) shown_.set_range(heatmap_, colours);
  set_note(note());
}

void HeadsView::rank(const HeadPair& pair) {
  pair_ = pair;
  chooser_->choose(pair.kind, {}, 0);
  what_ = HeadsShown::pair;
  show_again();
}

HeadChoice HeadsView::choice_of(const std::optional<HeadPlace>& head) const {
  const std::vector<AttentionMap>& maps = model_.maps();
  if (!head || head->kind != kind()) return {};
  const auto found = std::ranges::find(maps, head->layer, &AttentionMap::layer);
  return found != maps.end() && head->head < found->heads
             ? HeadChoice{static_cast<int>(found - maps.begin()), head->head}
             : HeadChoice{};
}

// The chosen head of all views: large, where one is; among all of them it has its ring.
bool HeadsView::take_head() {
  const std::optional<HeadPlace>& head = selection_->head();
  const HeadChoice choice = choice_of(head);
  grid_->set_chosen(choice);
  measures_->set_chosen(head);
  if (!head) taken_.reset();
  if (choice.map < 0 || head == taken_) return false;
  taken_ = head;
  if (opened_.map >= 0 || (!closed_ && beside())) opened_ = choice;
  return true;
}

// The head that is large is the chosen one of all views, until somebody chooses.
void HeadsView::give_head() {
  const bool one = what_ != HeadsShown::alti && what_ != HeadsShown::rollout;  // of all heads together
  if (selection_->is_head_wanted() || opened_.map < 0 || opened_.head < 0 || !one) return;
  taken_ = HeadPlace{kind(), large_map().layer, opened_.head};
  selection_->set_head(taken_, true);
}

std::vector<AttentionMap> HeadsView::other_numbers(const std::vector<AttentionMap>& maps) {
  waiting_.clear();
  if (what_ == HeadsShown::weights || is_number(what_) || !has_bench()) return {};
  std::vector<AttentionMap> of_tokens;
  for (const AttentionMap* map : AttentionChooser::all_but_summaries(*run()))
    if (map->kind == kind()) of_tokens.push_back(*map);
  if (what_ == HeadsShown::without_first) {
    WithoutFirst without = without_first(of_tokens);
    waiting_ = tr("Without the first token, which gets %1 of all weight.").arg(share_percent(without.share));
    return without.maps;
  }
  const auto heads = bench_->heads(run());
  const SideHeads* side = heads ? heads->side(kind()) : nullptr;
  std::vector<AttentionMap> made =
      side && !maps.empty() ? maps_shown(what_, of_tokens, *side) : std::vector<AttentionMap>{};
  if (made.empty())
    waiting_ =
        side ? side->no_values.empty() ? tr("There are no such numbers of this text.") : from_utf8(side->no_values)
        : bench_->is_reading() ? tr("Measuring …")
                               : bench_->problem();
  return made;
}

void HeadsView::show_measured() {
  const auto heads = bench_->heads(run());
  const SideHeads* side = heads ? heads->side(kind()) : nullptr;
  MeasuredHeads measured;
  measured.title = tr("Measuring …");
  measured.is_effect = what_ == HeadsShown::effect;
  if (what_ == HeadsShown::pair) {
    std::vector<AttentionMap> maps;
    for (const AttentionMap* map : AttentionChooser::all_but_summaries(*run()))
      if (map->kind == pair_.kind) maps.push_back(*map);
    measured = measured_pair(pair_, maps, side);
  } else if (what_ == HeadsShown::effect) {
    if (const auto effects = bench_->effects(run())) measured = measured_effect(*effects, kind(), side);
  } else if (side) {
    measured = measured_share(what_, *side);
  }
  if (!bench_->problem().isEmpty() && measured.heads.empty()) measured.title = bench_->problem();
  if (!result()->interventions.empty() && what_ != HeadsShown::pair)
    measured.note += ' ' + tr("Measured without what was changed in this run.");
  measures_->show(std::move(measured));
  measures_->set_chosen(selection_->head());
}

// What was waited for has come.
void HeadsView::measured_changed() {
  if (what_ == HeadsShown::weights || what_ == HeadsShown::without_first || !is_fresh() || !run()) return;
  if (!shows_number()) return show_again();
  show_measured();
  emit stateShown();  // the colours below the picture are others
}

QVariantMap HeadsView::own_choices() const {
  QVariantMap made;
  const HeadChoice wanted = wanted_.value_or(opened_);
  if (wanted.map >= 0) {
    made[QStringLiteral("map")] = wanted.map;
    made[QStringLiteral("head")] = static_cast<int>(wanted.head);
  }
  if (show_padding_) made[QStringLiteral("padding")] = true;
  if (closed_) made[QStringLiteral("all")] = true;
  if (what_ != HeadsShown::weights && what_ != HeadsShown::pair)
    made[QStringLiteral("shown")] = QString::fromUtf8(kHeadsShownNames[static_cast<int>(what_)]);
  if (colours_chosen_) made[QStringLiteral("colours")] = QString::fromUtf8(kMapColours[static_cast<int>(colours_)]);
  return made;
}

void HeadsView::set_own_choices(const QVariantMap& choices) {
  opened_ = {};
  wanted_.reset();
  closed_ = choices.value(QStringLiteral("all")).toBool();
  set_show_padding(choices.value(QStringLiteral("padding")).toBool());
  what_ = HeadsShown::weights;
  for (int i = 0; i < static_cast<int>(HeadsShown::pair); ++i)
    if (choices.value(QStringLiteral("shown")).toString() == QLatin1String(kHeadsShownNames[i]))
      what_ = static_cast<HeadsShown>(i);
  if (choices.contains(QStringLiteral("map")))
    wanted_ = HeadChoice{choices.value(QStringLiteral("map")).toInt(), choices.value(QStringLiteral("head")).toInt()};
  colours_chosen_ = false;
  for (int i = 0; i < static_cast<int>(std::size(kMapColours)); ++i)
    if (choices.value(QStringLiteral("colours")).toString() == QLatin1String(kMapColours[i]))
      set_colours(static_cast<MapColours>(i));
}

std::string HeadsView::about() const {
  if (what_ == HeadsShown::effect) return bench_->about(*run());
  if (what_ == HeadsShown::weights) return {};
  Json about{{"method", what_ == HeadsShown::pair ? "rank"
                        : is_number(what_)        ? "patterns"
                                                  : "norm"},
             {"shown", kHeadsShownNames[static_cast<int>(what_)]},
             {"kind", kind_name(kind()).toStdString()}};
  if (what_ == HeadsShown::pair) about["pair"] = {pair_.query, pair_.key};
  return about.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Below the thumbnails what the window has around them: which attention it is, and what the picture leaves out.
Figure HeadsView::picture() {
  if (what_ != HeadsShown::weights) {
    bench_->finish();
    measured_changed();
  }
  if (shows_number() || opened_.map >= 0) {
    Figure figure = shows_number() ? measures_->grid()->figure() : heatmap_->figure();
    figure.about = about();
    return figure;
  }
  const QSize grid = grid_->picture_size();
  const QFont font = theme().ui_font(type::kSource);
  const QString text = QStringLiteral("%1 · %2").arg(kind_name(kind()), note());
  const QRect room(8, grid.height(), grid.width() - 16, 1000);
  const QRect needed = QFontMetrics(font).boundingRect(room, Qt::TextWordWrap, text);
  const auto paint = [=, this](QPainter& painter) {
    grid_->paint_picture(painter);
    write(painter, room, Qt::TextWordWrap, text, font, theme().muted_text());
  };
  return {QSize(grid.width(), grid.height() + needed.height() + 8), paint, grid_->accessibleName(), nullptr, about()};
}

}  // namespace headlight
