#include "widgets/canvas/attention_chooser.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>
#include <array>
#include <tuple>

#include "model/analysis/word_groups.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/text/attention_words.h"

namespace headlight {

namespace {

using Kind = AttentionMap::Kind;

Kind kind_of(const AttentionMap& map) { return map.kind == Kind::summary ? Kind::cross : map.kind; }

struct Choice {
  QString text;
  Index value;
  QString help;
};

void show_in(QComboBox* box, const std::vector<Choice>& choices, Index now) {
  if (!box) return;
  const auto is_there = [box, at = 0](const Choice& each) mutable {
    const int i = at++;
    return box->itemText(i) == each.text && box->itemData(i).toInt() == each.value;
  };
  // At most keystrokes it is: nothing is laid out again.
  if (box->count() != static_cast<int>(choices.size()) || !std::ranges::all_of(choices, is_there)) {
    box->clear();
    for (const Choice& each : choices) {
      box->addItem(each.text, static_cast<int>(each.value));
      if (!each.help.isEmpty()) box->setItemData(box->count() - 1, each.help, Qt::ToolTipRole);
    }
  }
  box->setCurrentIndex(box->findData(static_cast<int>(now)));
  box->setVisible(box->count() > 1);
}

}  // namespace

AttentionChooser::Maps AttentionChooser::all_but_summaries(const AnalysedRun& run) {
  Maps found;
  for (const AttentionMap& map : run.maps())
    if (map.kind != Kind::summary) found.push_back(&map);
  return found;
}

AttentionChooser::AttentionChooser(const Offers& offers, Selection* selection, QHBoxLayout* bar)
    : QObject(bar->parentWidget()), offers_(offers), selection_(selection), kind_(offers.first) {
  kind_box_ = add_box(bar, offers.kinds, 7, &AttentionChooser::set_kind);
  layer_box_ = add_box(bar, offers.layers, 6, &AttentionChooser::set_layer);
  head_box_ = add_box(bar, offers.heads != Heads::none, 6, &AttentionChooser::set_head);
  if (offers.words) {
    words_box_ = new QCheckBox(bar->parentWidget());
    connect(words_box_, &QCheckBox::clicked, selection, &Selection::set_whole_words);
    connect(selection, &Selection::wholeWordsChanged, this, &AttentionChooser::changed);
  }
  if (selection)
    connect(selection, &Selection::headChanged, this, [this] {
      if (!take_head()) return;
      show_choices();
      emit changed();
    });
  retranslate();
}

QComboBox* AttentionChooser::add_box(QHBoxLayout* bar, bool offered, int letters,
                                     void (AttentionChooser::*set)(Index)) {
  if (!offered) return nullptr;
  QComboBox* box = choice_box(bar->parentWidget(), letters);
  box->setMinimumWidth(44);  // a narrow panel keeps all of them
  bar->addWidget(box);
  connect(box, &QComboBox::activated, this, [this, box, set](int at) {
    (this->*set)(box->itemData(at).toInt());
    find();
    share();
    show_choices();
    emit changed();
  });
  return box;
}

void AttentionChooser::set_run(std::shared_ptr<const AnalysedRun> run) {
  run_ = std::move(run);
  maps_ = run_ ? offers_.maps(*run_) : Maps{};
  find();
  take_head();
  show_choices();
}

void AttentionChooser::choose(Kind kind, std::optional<Index> layer, Index head) {
  wanted_kind_ = kind;
  wanted_layer_ = layer;
  wanted_head_ = head;
  find();
  if (layer) share();
  show_choices();
}

void AttentionChooser::share() {
  if (!selection_ || !chosen_ || offers_.heads == Heads::none || (head_ < 0 && chosen_->heads > 1)) return;
  taken_ = HeadPlace{kind_, layer_, std::max<Index>(head_, 0)};
  selection_->set_head(taken_);
}

bool AttentionChooser::take_head() {
  const std::optional<HeadPlace>& head = selection_ ? selection_->head() : taken_;
  if (!head) taken_.reset();
  if (!head || head == taken_) return false;
  const auto is_of = [&](const AttentionMap* map) {
    return map->kind == head->kind && map->layer == head->layer && head->head < map->heads;
  };
  if (std::ranges::none_of(maps_, is_of)) return false;
  taken_ = head;
  wanted_kind_ = head->kind;
  wanted_layer_ = head->layer;
  wanted_head_ = head->head;
  // Of what it offers: all that hangs on it is shown anew.
  const auto offered = [this] {
    return std::tuple(kind_, offers_.layers ? layer_ : 0, offers_.heads != Heads::none ? head_ : 0);
  };
  const auto before = offered();
  find();
  return before != offered();
}

namespace {

constexpr std::array kKinds = {std::pair{"encoder", Kind::encoder_self}, std::pair{"decoder", Kind::decoder_self},
                               std::pair{"cross", Kind::cross}};
constexpr int kMostLayers = 1 << 16;

std::optional<Index> number_in(const QVariantMap& map, const char* key, int least) {
  bool is_number = false;
  const double found = map.value(QLatin1String(key)).toDouble(&is_number);
  if (!is_number || !(found >= least && found <= kMostLayers)) return std::nullopt;
  return static_cast<Index>(found);
}

}  // namespace

QVariantMap AttentionChooser::choices() const {
  QVariantMap made;
  for (const auto& [name, kind] : kKinds)
    if (wanted_kind_ == kind) made[QStringLiteral("kind")] = QString::fromUtf8(name);
  if (wanted_layer_) made[QStringLiteral("layer")] = static_cast<int>(*wanted_layer_);
  if (wanted_head_) made[QStringLiteral("head")] = static_cast<int>(*wanted_head_);
  return made;
}

void AttentionChooser::set_choices(const QVariantMap& choices) {
  wanted_kind_.reset();
  for (const auto& [name, kind] : kKinds)
    if (choices.value(QStringLiteral("kind")).toString() == QLatin1String(name)) wanted_kind_ = kind;
  wanted_layer_ = number_in(choices, "layer", -1);
  wanted_head_ = number_in(choices, "head", offers_.heads == Heads::or_mean ? -1 : 0);
  find();
  show_choices();
}

bool AttentionChooser::follow(const SelectionState& state) {
  if (!state.entry || !state.cell) return false;
  for (const AttentionMap* each : maps_) {
    Index head = 0, row = 0, column = 0;
    if (!each->find(*state.entry, *state.cell, &head, &row, &column)) continue;
    choose(kind_of(*each), each->layer, head);
    return true;
  }
  return false;
}

void AttentionChooser::find() {
  const auto has = [this](Kind kind) {
    return std::ranges::any_of(maps_, [kind](const AttentionMap* map) { return kind_of(*map) == kind; });
  };
  kind_ = wanted_kind_ && has(*wanted_kind_)    ? *wanted_kind_
          : has(offers_.first) || maps_.empty() ? offers_.first
                                                : kind_of(*maps_.front());
  chosen_ = nullptr;
  const auto rank = [this](const AttentionMap& map) {
    return map.layer == wanted_layer_ ? 2 : map.kind == Kind::summary ? 1 : 0;
  };
  for (const AttentionMap* each : maps_)
    if (kind_of(*each) == kind_ && (!chosen_ || rank(*each) >= rank(*chosen_))) chosen_ = each;
  layer_ = chosen_ ? chosen_->layer : -1;
  const Index heads = chosen_ ? chosen_->heads : 1;
  const bool mean = offers_.heads == Heads::or_mean;
  head_ = mean && heads == 1 ? AttentionMap::kMean
                             : std::clamp<Index>(wanted_head_.value_or(mean ? AttentionMap::kMean : 0),
                                                 mean ? AttentionMap::kMean : 0, heads - 1);
  map_ = chosen_ ? in_words(*chosen_) : nullptr;
}

std::shared_ptr<const AttentionMap> AttentionChooser::in_words(const AttentionMap& map) const {
  if (words_box_ && selection_->whole_words() && has_pieces(*run_->result(), map))
    return std::make_shared<const AttentionMap>(between_words(*run_->result(), map));
  return {run_, &map};
}

std::vector<AttentionMap> AttentionChooser::maps_of_kind() const {
  std::vector<AttentionMap> found;
  for (const AttentionMap* each : maps_)
    if (kind_of(*each) == kind_) found.push_back(*in_words(*each));
  return found;
}

void AttentionChooser::show_choices() {
  std::vector<Choice> kinds, layers, heads;
  bool several_heads = false;
  for (const AttentionMap* each : maps_) {
    const Kind kind = kind_of(*each);
    if (kinds.empty() || kinds.back().value != static_cast<Index>(kind))
      kinds.push_back({kind_name(kind), static_cast<Index>(kind), kind_help(kind)});
    if (kind != kind_) continue;
    const bool summary = each->kind == Kind::summary;
    several_heads = several_heads || each->heads > 1;
    // Of layers with heads the model's own summary is that of the last one.
    const QString mean = several_heads ? tr("last layer") : kind_name(Kind::summary);
    const QString help =
        tr("The mean shows where the model looks on the whole; a single layer shows what that layer looks for. Often "
           "only some of them follow the words.");
    layers.insert(summary ? layers.begin() : layers.end(),
                  {summary ? mean : layer_name(each->layer), each->layer, summary ? help : QString()});
  }
  if (chosen_ && offers_.heads == Heads::or_mean && chosen_->heads > 1)
    heads.push_back({head_name(AttentionMap::kMean), AttentionMap::kMean, {}});
  for (Index head = 0; chosen_ && head < chosen_->heads; ++head) heads.push_back({head_name(head), head, {}});
  show_in(kind_box_, kinds, static_cast<Index>(kind_));
  show_in(layer_box_, layers, layer_);
  show_in(head_box_, heads, head_);
  if (kind_box_) kind_box_->setToolTip(kind_help(kind_));
  if (!words_box_) return;
  words_box_->setChecked(selection_->whole_words());
  words_box_->setVisible(chosen_ && has_pieces(*run_->result(), *chosen_));
}

bool AttentionChooser::offers_choice() const {
  const auto shown = [](const QComboBox* box) { return box && box->count() > 1; };
  return shown(kind_box_) || shown(layer_box_) || shown(head_box_) || (words_box_ && !words_box_->isHidden());
}

void AttentionChooser::retranslate() {
  if (kind_box_) kind_box_->setAccessibleName(tr("Kind of attention that is shown"));
  if (layer_box_) {
    layer_box_->setAccessibleName(tr("Layer whose attention is shown"));
    layer_box_->setToolTip(tr("A model of several layers looks anew in each of them."));
  }
  if (head_box_) {
    head_box_->setAccessibleName(tr("Head whose attention is shown"));
    head_box_->setToolTip(tr("Each head has its own queries and keys (Ctrl+↑, Ctrl+↓)."));
  }
  if (words_box_) {
    words_box_->setText(words_name());
    words_box_->setToolTip(words_help());
    words_box_->setAccessibleDescription(words_help());
  }
  show_choices();
}

}  // namespace headlight
