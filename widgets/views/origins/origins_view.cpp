#include "widgets/views/origins/origins_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "model/core/errors.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/selection.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

using Side = LivingLane::Side;

namespace {

constexpr std::size_t kRows = 8;
constexpr int kBetween = 6;
constexpr int kWordsIn = space::kMedium;  // of a button: they stand on the grid, and its ground hangs out

}  // namespace

OriginsView::OriginsView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), ResultView(this), selection_(context.selection), requests_(context.requests) {
  build();
  set_table(&table_);
  connect(selection_, &Selection::changed, this, &OriginsView::follow_selection);
  connect(list_, &OriginsList::laneClicked, this, &OriginsView::laneWanted);
  connect(list_, &OriginsList::laneHovered, this, &OriginsView::laneHovered);
  connect(cut_, &QPushButton::clicked, this, &OriginsView::cut);
  connect(goes_, &QPushButton::clicked, this, [this] {
    if (!map_ || choice_.lane < 0 || choice_.lane + 1 >= static_cast<int>(map_->lanes.size())) return;
    const int next = choice_.lane + 1;
    set_choice({next, -1});
    emit outputWanted(next);
  });
  connect(before_, &QToolButton::clicked, this, [this] { go_to_output(-1); });
  connect(after_, &QToolButton::clicked, this, [this] { go_to_output(1); });
  theme().restyles(this, [this] { show_choice(); });
  retranslates(this, [this] { show_choice(); });
  show_choice();
}

void OriginsView::build() {
  auto* whole = column_in(this, 0);
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  page_ = new QWidget(scroll_);
  scroll_->setWidget(page_);
  scroll_->setFocusPolicy(Qt::NoFocus);
  empty_ = text_label(this);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setMargin(space::kMargin);
  whole->addWidget(scroll_);
  whole->addWidget(empty_);

  scroll_->viewport()->installEventFilter(this);
  auto* column = column_in(page_, kBetween);
  fit_margins();
  const auto part = [&](int inset) {
    auto* rows = new QVBoxLayout;
    rows->setSpacing(kBetween);
    rows->setContentsMargins(inset, 0, inset, 0);
    column->addLayout(rows);
    return rows;
  };
  question_ = text_label(page_);
  auto* row = new QHBoxLayout;
  row->setSpacing(10);
  number_ = text_label(page_, false);
  sure_ = text_label(page_, false);
  row->addWidget(number_);
  row->addWidget(sure_, 1, Qt::AlignBottom);
  for (QToolButton** button : {&before_, &after_}) {
    *button = new QToolButton(page_);
    (*button)->setArrowType(button == &before_ ? Qt::LeftArrow : Qt::RightArrow);
    (*button)->setAutoRaise(true);
    row->addWidget(*button, 0, Qt::AlignVCenter);
  }
  sentence_ = text_label(page_);
  list_ = new OriginsList(page_);
  else_title_ = text_label(page_);
  else_ = new QWidget(page_);
  new FlowLayout(else_, 4, 2);
  goes_title_ = text_label(page_);
  goes_ = new QPushButton(page_);
  goes_->setFlat(true);
  goes_->setMinimumWidth(60);  // it gives way where the panel is narrow
  hairline_ = new QWidget(page_);
  hairline_->setFixedHeight(1);
  hairline_->setAutoFillBackground(true);
  hairline_->setBackgroundRole(QPalette::Midlight);
  cut_title_ = text_label(page_);
  what_ = text_label(page_);
  true_ = text_label(page_);
  cut_ = new QPushButton(page_);
  cut_->setDefault(false);
  warning_ = text_label(page_);
  sum_ = text_label(page_);
  sum_->setWordWrap(false);  // its line is as high as that of what stands beside it
  auto* cut_row = new QHBoxLayout;
  cut_row->addWidget(what_, 1);
  cut_row->addWidget(cut_);
  auto* last = new QHBoxLayout;
  last->addWidget(warning_, 1);
  last->addWidget(sum_, 0, Qt::AlignTop);
  QVBoxLayout* rows = part(kWordsIn);
  rows->addWidget(question_);
  rows->addLayout(row);
  rows->addWidget(sentence_);
  part(kWordsIn - OriginsList::kHang)->addWidget(list_);
  column->addStretch(1);
  part(kWordsIn)->addWidget(else_title_);
  column->addWidget(else_);
  part(kWordsIn)->addWidget(goes_title_);
  column->addWidget(goes_, 0, Qt::AlignLeft);
  rows = part(kWordsIn);
  rows->addWidget(hairline_);
  rows->addWidget(cut_title_);
  rows->addLayout(cut_row);
  rows->addWidget(true_);
  rows->addLayout(last);
}

// A scroll bar stands in the margin: what is beside it does not move.
void OriginsView::fit_margins() {
  const int bar = std::max(0, scroll_->width() - scroll_->viewport()->width());
  page_->layout()->setContentsMargins(space::kMargin - kWordsIn, space::kMedium, space::kMargin - kWordsIn - bar,
                                      space::kMedium);
}

bool OriginsView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == scroll_->viewport()) fit_margins();
  return QWidget::eventFilter(watched, event);
}

// The list loses the keyboard while it is destroyed, after this view's own part is gone.
OriginsView::~OriginsView() { list_->disconnect(this); }

bool OriginsView::offers(const AnalysedRun& run) { return run.result()->trace && has_living_map(*run.result()); }

void OriginsView::refresh() {
  // Of a long text in a worker; what is there stays until then.
  if (run() && isVisible() && LivingMaker::is_long(*run()))
    return maker_.start(run(), [this](const auto&, const CancelToken&) { return [this] { take_map(); }; });
  maker_.stop();
  take_map();
}

void OriginsView::take_map() {
  map_ = run() ? run()->living() : nullptr;
  if (!map_ || choice_.lane >= static_cast<int>(map_->lanes.size())) choice_ = {};
  words_.clear();
  places_.clear();
  special_.clear();
  if (map_) {
    std::vector<std::string> texts;
    for (const LivingLane& lane : map_->lanes) texts.push_back(lane.text);
    std::map<QString, int> often;
    const std::vector<TokenText> names = token_texts(texts);
    for (const TokenText& name : names) ++often[name.text];
    for (std::size_t i = 0; i < names.size(); ++i) {
      words_.push_back(names[i].text);
      places_.push_back(often[names[i].text] > 1 ? QString::number(map_->place(static_cast<int>(i))) : QString());
      special_.push_back(names[i].special);
    }
    if (coming_ && coming_->lane < static_cast<int>(map_->lanes.size())) choice_ = *coming_;
    if (const auto& step = selection_->state().step) choice_ = {map_->lane_of_step(*step), -1};
  }
  coming_.reset();
  set_choice(choice_);
}

void OriginsView::follow(LivingChoice choice, const std::shared_ptr<const LivingMap>& map) {
  if (map == map_) return set_choice(choice);
  coming_ = choice;
}

void OriginsView::follow_selection() {
  if (!is_fresh() || !map_) return;
  const auto& step = selection_->state().step;
  if (step && map_->lane_of_step(*step) != choice_.lane) set_choice({map_->lane_of_step(*step), -1});
}

void OriginsView::set_choice(LivingChoice choice) {
  choice_ = choice;
  flow_ = nullptr;
  origins_.clear();
  guess_.reset();
  if (map_ && choice_.lane >= 0 && choice_.lane < static_cast<int>(map_->lanes.size())) {
    try {
      flow_ = std::make_shared<const LivingFlow>(living_flow(*map_, choice_));
      origins_ = living_origins(*map_, *flow_);
      if (const LivingLane& lane = nth(map_->lanes, choice_.lane); lane.written.empty() && !map_->result->steps.empty())
        if (const std::vector<LivingLens> lens = living_lens(*map_, choice_); !lens.empty() && !lens.back().top.empty())
          guess_ = lens.back().top.front();
    } catch (const UsageError&) {
      choice_ = {};
    }
  }
  show_choice();
}

void OriginsView::set_ribbon(const std::optional<LivingShare>& share) {
  ribbon_ = share;
  show_cut();
}

void OriginsView::show_choice() {
  const bool any = map_ && flow_;
  scroll_->setVisible(any);
  empty_->setVisible(!any);
  empty_->setText(map_ ? tr("Click a word at the right of the map to see where it comes from.")
                       : tr("Of this model it is not known where a word comes from."));
  setAccessibleName(tr("Where it comes from"));
  if (!any) return table_.clear();
  show_texts();
  show_rows();
  show_cut();
  fill_table();
}

QString OriginsView::question() const { return question_->text(); }
QString OriginsView::sentence() const { return sentence_->text(); }
QString OriginsView::cut_words() const { return what_->text() + QLatin1Char('\n') + true_->text(); }

void OriginsView::style_texts() {
  const auto style = [](QLabel* label, double size, bool bold, QColor Tokens::*ink) {
    label->setFont(bold ? bold_font(size) : theme().ui_font(size));
    set_ink(label, ink);
  };
  style(question_, type::kQuestion, true, &Tokens::ink);
  style(number_, type::kNumber, true, &Tokens::accent);
  style(sure_, type::kText, false, &Tokens::ink2);
  style(sentence_, type::kText, false, &Tokens::ink);
  for (QLabel* title : {else_title_, goes_title_, cut_title_}) style(title, type::kText, true, &Tokens::ink);
  style(what_, type::kText, false, &Tokens::ink);
  style(true_, type::kText, false, &Tokens::edited);
  style(warning_, type::kSource, false, &Tokens::ink2);
  style(sum_, type::kSource, false, &Tokens::ink2);
}

// The largest shares in words. `of_another`: of a candidate that was not written.
void OriginsView::show_sentence(bool of_another) {
  std::vector<LivingOrigin> order = origins_;
  std::ranges::stable_sort(order, [](const LivingOrigin& a, const LivingOrigin& b) { return a.share > b.share; });
  QStringList said;
  for (const LivingOrigin& each : order) {
    if (said.size() >= 3 || (each.percent < 10 && !said.isEmpty())) break;
    if (each.lane < 0)
      said << tr("no word (%1 %)").arg(each.percent);
    else if (each.lane == choice_.lane)
      said << tr("%2 itself (%1 %)").arg(each.percent).arg(word(each.lane));
    else
      said << tr("%2 (%1 %)").arg(each.percent).arg(word(each.lane));
  }
  const bool rest = order.size() > static_cast<std::size_t>(said.size());
  const bool below = rest && nth(order, said.size()).percent < 10;
  sentence_->setText(tr("It came from %1.").arg(said.join(tr(", "))) +
                     (below ? tr(" Nothing else reaches 10 %.") : QString()) +
                     (of_another && map_->stations.back().kind != LivingStation::Kind::readout
                          ? tr(" Every candidate is read off this same state.")
                          : QString()));
}

void OriginsView::show_texts() {
  style_texts();
  const LivingLane& lane = nth(map_->lanes, choice_.lane);
  const Result& result = *map_->result;
  const OutputStep* step =
      lane.step >= 0 && lane.step < static_cast<int>(result.steps.size()) ? &nth(result.steps, lane.step) : nullptr;
  // Another one that it might have been.
  const Candidate* other = nullptr;
  if (step && choice_.candidate >= 0 && choice_.candidate != step->id)
    for (const Candidate& each : step->top)
      if (each.id == choice_.candidate) other = &each;
  if (result.steps.empty())  // a model that only reads
    question_->setText(tr("What is the last state of %1 made of?").arg(word(choice_.lane)));
  else if (other)
    question_->setText(tr("And %1 after %2?").arg(in_quotes(token_text(other->text).text), word(choice_.lane)));
  else
    question_->setText(lane.side == Side::source
                           ? tr("Why %1 at %2?").arg(written(choice_.lane), word(choice_.lane))
                           : tr("Why %1 after %2?").arg(written(choice_.lane), word(choice_.lane)));
  const double sure = step ? (other ? other->probability : step->probability) : guess_ ? guess_->probability : -1;
  number_->setText(sure < 0 ? QString() : bare_percent(sure) + QStringLiteral(" %"));
  number_->setVisible(sure >= 0);
  sure_->setVisible(sure >= 0);
  sure_->setText(tr("sure"));

  show_sentence(other != nullptr);
  show_candidates();

  // Only what was written is read next: a guess within what somebody typed goes nowhere.
  const bool goes =
      lane.side == Side::target && !lane.written.empty() && choice_.lane + 1 < static_cast<int>(map_->lanes.size()) &&
      nth(map_->lanes, choice_.lane + 1).side == Side::target && !nth(map_->lanes, choice_.lane + 1).written.empty();
  goes_title_->setText(tr("Where it goes"));
  goes_title_->setVisible(goes);
  goes_->setVisible(goes);
  show_next();
  describe(before_, tr("Previous output"), tr("Where the previous output comes from."));
  describe(after_, tr("Next output"), tr("Where the next output comes from."));
  warning_->setText(tr("A large share need not matter. Cut it to see."));
  sum_->setText(tr("sum 100 %"));
}

// What it is read as: shorter where the panel is narrow, and whole in the tip.
void OriginsView::show_next() {
  if (!map_ || !goes_->isVisibleTo(page_) || choice_.lane + 1 >= static_cast<int>(map_->lanes.size())) return;
  const int place = map_->place(choice_.lane + 1);
  const QString next = written(choice_.lane + 1);
  const QString whole = tr("read next as word %1, which gives %2").arg(place).arg(next);
  constexpr int kAround = 2 * space::kMargin + 2;
  goes_->setText(goes_->fontMetrics().horizontalAdvance(whole) + kAround <= width()
                     ? whole
                     : tr("word %1: %2").arg(place).arg(next));
  goes_->setToolTip(wrapped_tooltip(whole));
}

void OriginsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  show_next();
}

void OriginsView::show_candidates() {
  const LivingLane& lane = nth(map_->lanes, choice_.lane);
  const auto& steps = map_->result->steps;
  std::vector<Candidate> offered;
  if (lane.step >= 0 && lane.step < static_cast<int>(steps.size())) {
    const OutputStep& step = nth(steps, lane.step);
    offered.push_back({step.id, step.text, step.probability});
    for (const Candidate& each : step.top)
      if (each.id != step.id && offered.size() < 5) offered.push_back(each);
  }
  // The same buttons for the same candidates: whoever has the keyboard keeps it.
  const auto same = [&] {
    if (offered.size() != offered_.size()) return false;
    for (std::size_t i = 0; i < offered.size(); ++i)
      if (offered[i].id != offered_[i]) return false;
    return true;
  };
  if (!same()) {
    qDeleteAll(else_->findChildren<QPushButton*>(Qt::FindDirectChildrenOnly));
    offered_.clear();
    for (const Candidate& each : offered) {
      auto* button = new QPushButton(else_);
      button->setFlat(true);
      button->setCheckable(true);
      button->setFocusPolicy(Qt::StrongFocus);
      else_->layout()->addWidget(button);
      const TokenId id = each.id;
      connect(button, &QPushButton::clicked, this, [this, id] {
        const LivingChoice choice{choice_.lane, id == offered_.front() ? -1 : id};
        set_choice(choice);
        emit choiceWanted(choice);
      });
      offered_.push_back(each.id);
    }
  }
  const auto buttons = candidates();
  for (std::size_t i = 0; i < buttons.size(); ++i) {
    const QString text = token_text(offered[i].text).text;
    buttons[i]->setText(
        QString(tr("%1 %2")).arg(text, bare_percent(offered[i].probability)).replace('&', QLatin1String("&&")));
    buttons[i]->setChecked(choice_.candidate < 0 ? i == 0 : offered[i].id == choice_.candidate);
    describe(buttons[i], tr("%1, %2 %").arg(text, bare_percent(offered[i].probability)),
             tr("Shows where this candidate would have come from."));
    buttons[i]->show();
  }
  else_title_->setText(tr("What it might have been (%)"));
  else_title_->setVisible(offered.size() > 1);
  else_->setVisible(offered.size() > 1);
}

std::vector<QPushButton*> OriginsView::candidates() const {
  std::vector<QPushButton*> buttons;
  for (int i = 0; i < else_->layout()->count(); ++i)
    if (auto* button = qobject_cast<QPushButton*>(else_->layout()->itemAt(i)->widget())) buttons.push_back(button);
  return buttons;
}

void OriginsView::go_to_output(int by) {
  if (!map_ || choice_.lane < 0) return;
  for (int lane = choice_.lane + by; lane >= 0 && lane < static_cast<int>(map_->lanes.size()); lane += by) {
    const LivingLane& at = nth(map_->lanes, lane);
    if (at.step < 0 && at.written.empty()) continue;
    set_choice({lane, -1});
    emit outputWanted(lane);
    return;
  }
}

void OriginsView::show_rows() {
  std::vector<LivingOrigin> order = origins_;
  std::ranges::stable_sort(order, [](const LivingOrigin& a, const LivingOrigin& b) { return a.share > b.share; });
  std::vector<OriginRow> rows;
  int others = 0, sum = 0;
  double share = 0;
  for (const LivingOrigin& each : order) {
    if (each.lane < 0) continue;
    if (rows.size() < kRows && each.percent > 0) {
      OriginRow row;
      row.name = nth(words_, each.lane);
      row.place = nth(places_, each.lane);
      row.share = each.share;
      row.percent = each.percent;
      row.way = way_of(each.lane);
      row.lane = each.lane;
      row.special = nth(special_, each.lane);
      row.chosen = each.lane == choice_.lane;
      rows.push_back(row);
      continue;
    }
    others += each.share > 0 ? 1 : 0;
    sum += each.percent;
    share += each.share;
  }
  const auto add = [&](const QString& name, double of, int whole, const QString& way, const QString& figure) {
    OriginRow row;
    row.name = name;
    row.share = of;
    row.percent = whole;
    row.way = way;
    row.figure = figure;
    row.summed = true;
    rows.push_back(row);
  };
  if (others > 0) add(tr("%n others", nullptr, others), share, sum, {}, {});
  for (const LivingOrigin& each : order)
    if (each.lane < 0 && each.percent > 0) add(tr("no word"), each.share, each.percent, way_of(-1), {});
  if (flow_->against < -0.0005)
    add(tr("worked against it"), 0, 0, tr("in the states on the way"), QChar(0x2212) + share_percent(-flow_->against));
  list_->setAccessibleName(tr("Words and their shares"));
  list_->set_rows(
      std::move(rows),
      map_->lanes.front().text.size() <= 1 && map_->family == LivingMap::Family::recurrent ? tr("letter") : tr("word"),
      tr("share"), tr("how it got there"));
}

void OriginsView::fill_table() {
  table_.set(static_cast<int>(origins_.size()),
             {{tr("word"),
               [this](int row) {
                 const int lane = nth(origins_, row).lane;
                 return QVariant(lane < 0 ? tr("no word") : nth(words_, lane));
               }},
              {tr("number"),
               [this](int row) {
                 const int lane = nth(origins_, row).lane;
                 return lane < 0 ? QVariant() : QVariant(map_->place(lane));
               }},
              {tr("share"), [this](int row) { return QVariant(nth(origins_, row).share); }},
              {tr("percent"), [this](int row) { return QVariant(nth(origins_, row).percent); }},
              {tr("how it got there"), [this](int row) { return QVariant(way_of(nth(origins_, row).lane)); }}});
}

Figure OriginsView::drawn() {
  if (maker_.is_busy()) {
    run()->living();  // that which the worker has begun
    maker_.stop();
    take_map();
  }
  if (!map_ || !flow_) throw UsageError(bytes_of(empty_->text()));
  page_->resize(std::max(page_->width(), 330), std::max(page_->sizeHint().height(), page_->height()));
  QWidget* page = page_;
  return {page->size(),
          [page](QPainter& painter) { page->render(&painter, QPoint(), QRegion(), QWidget::DrawChildren); },
          accessibleName(), nullptr};
}

void OriginsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  bring_up_to_date();
}

}  // namespace headlight
