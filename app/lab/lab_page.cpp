#include "app/lab/lab_page.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>

#include "app/lab/lab_picture.h"
#include "app/lab/line/story_words.h"
#include "app/lab/probe_band.h"
#include "app/panels/status_panel.h"
#include "app/parts.h"
#include "app/stage/panel_host.h"
#include "widgets/base/controls.h"
#include "widgets/base/segments.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/attention_words.h"

namespace headlight {

namespace {

constexpr int kPanel = 360;                     // its width at 100 % of the type
constexpr double kMostPanel = 0.45;             // of the width of the page
constexpr int kStory = 220, kLeastForIt = 620;  // the story's width; that of the picture beside it
const QString kSeparator = QStringLiteral(" · ");

// The mean largest weight of a row of a probe's map.
double concentration_of(const ProbeRun& run, std::size_t map) {
  if (map >= run.attention.size() || run.attention[map].rank() != 2 || run.attention[map].dim(0) == 0) return 0;
  return static_cast<double>(run.attention[map].matrix().rowwise().maxCoeff().mean());
}

// What is looked at first: where the output looks at the source, of several the map that looks most at one place at the
// end; while it trains the first one.
int first_map(const Recording& recording) {
  int best = 0;
  double most = -1;
  for (int k = 0; k < static_cast<int>(recording.maps.size()); ++k) {
    if (recording.maps[static_cast<std::size_t>(k)].self) continue;
    const bool known = recording.whole && !recording.moments.empty() && !recording.moments.back()->probes.empty();
    const double here =
        known ? concentration_of(recording.moments.back()->probes.front(), static_cast<std::size_t>(k)) : 0;
    if (here > most) most = here, best = k;
  }
  return best;
}

}  // namespace

LabPage::LabPage(LabShown* shown, LabProbe* probe, QWidget* parent)
    : QWidget(parent), shown_(shown), probe_(probe), whole_(new QStackedWidget(this)) {
  setObjectName(QStringLiteral("lab"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  setFocusPolicy(Qt::ClickFocus);
  auto* lab = new QWidget(whole_);
  across_ = row_in(lab, 0);
  across_->addWidget(make_left(), 1);
  whole_->addWidget(lab);
  pages_[0] = lab;
  column_in(this, 0)->addWidget(whole_);
  connect(shown_, &LabShown::runsChanged, this, &LabPage::refresh);
  connect(shown_, &LabShown::chosenChanged, this, &LabPage::refresh);
  connect(shown_, &LabShown::moved, this, &LabPage::show_words);
  connect(&theme(), &Theme::changed, this, &LabPage::retranslate);
  retranslates(this, [this] { retranslate(); });
  retranslate();
}

QWidget* LabPage::make_left() {
  auto* left = new QWidget(this);
  left_ = column_in(left, space::kSmall);
  left_->setContentsMargins(0, space::kMedium, 0, space::kSmall);  // the time line has margins of its own
  band_ = new ProbeBand(shown_, probe_, left);
  auto* ruled = new QWidget(left);
  auto* line = new QWidget(ruled);
  column_in(ruled, 0)->addWidget(line);
  line->setFixedHeight(space::kHair);
  line->setAutoFillBackground(true);
  line->setBackgroundRole(QPalette::Midlight);
  picture_ = new LabPicture(shown_, 0);
  picture_->set_probe(probe_);
  host_ = new PanelHost(picture_);
  middle_ = new QStackedWidget(left);
  auto* run = new QWidget(middle_);
  run_ = row_in(run, space::kMargin);
  run_->addWidget(host_, 1);
  middle_->addWidget(run);
  head_ = make_head();
  foot_ = make_foot();
  for (QWidget* each : {static_cast<QWidget*>(band_), ruled, head_, static_cast<QWidget*>(middle_), foot_})
    each->setContentsMargins(space::kMargin, 0, space::kMargin, 0);
  left_->addWidget(band_);
  left_->addWidget(ruled);
  left_->addWidget(head_);
  left_->addWidget(middle_, 1);
  left_->addWidget(foot_);
  return left;
}

QWidget* LabPage::make_head() {
  auto* head = new QWidget(this);
  QHBoxLayout* row = row_in(head, space::kMedium);
  heading_ = text_label(head, false);
  facts_ = line_label(head);
  set_ink(facts_, &Tokens::ink2);
  maps_ = new Segments(head);
  maps_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  const auto button = [&](void (LabPage::*asked)()) {
    auto* made = new QPushButton(head);
    made->setFlat(true);
    connect(made, &QPushButton::clicked, this, asked);
    return made;
  };
  one_ = new QPushButton(head);
  one_->setFlat(true);
  connect(one_, &QPushButton::clicked, this, &LabPage::go_back);
  again_ = button(&LabPage::againAsked);
  keep_ = button(&LabPage::keepAsked);
  open_ = button(&LabPage::openAsked);
  open_->setObjectName(QStringLiteral("open_moment"));
  fold_ = new QPushButton(head);
  fold_->setFlat(true);
  fold_->setObjectName(QStringLiteral("fold_lab_panel"));
  connect(fold_, &QPushButton::clicked, this, [this] { set_panel_shown(!panel_shown_); });
  connect(maps_, &Segments::chosen, shown_, &LabShown::set_map);
  row->addWidget(heading_);
  row->addWidget(facts_, 1);
  for (QWidget* each : {static_cast<QWidget*>(maps_), static_cast<QWidget*>(one_), static_cast<QWidget*>(again_),
                        static_cast<QWidget*>(keep_), static_cast<QWidget*>(open_), static_cast<QWidget*>(fold_)})
    row->addWidget(each);
  return head;
}

QWidget* LabPage::make_foot() {
  auto* foot = new QWidget(this);
  QHBoxLayout* row = row_in(foot, space::kSmall);
  caption_ = text_label(foot, false);
  set_ink(caption_, &Tokens::ink2);
  todo_ = line_label(foot);
  set_ink(todo_, &Tokens::ink);
  legend_ = new KeyOfColours(foot);
  row->addWidget(caption_);
  row->addWidget(todo_, 1);
  row->addWidget(legend_);
  return foot;
}

// --- what stands where

void LabPage::set_top(QWidget* message) { static_cast<QBoxLayout*>(layout())->insertWidget(0, message); }

void LabPage::set_below(QWidget* time_line) {
  below_ = time_line;
  below_->setParent(this);
  below_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  left_->insertWidget(left_->indexOf(foot_), below_);
  place();
}

void LabPage::set_beside(QWidget* story) {
  beside_ = story;
  run_->addWidget(story);
  place();
}

void LabPage::set_panel(QWidget* panel) {
  panel_ = panel;
  across_->addWidget(panel);
  place();
}

void LabPage::set_mode_page(Mode mode, QWidget* page) {
  if (mode == Mode::two) {
    middle_->addWidget(page);
    pages_[static_cast<int>(mode)] = page;
    return;
  }
  // Pages that have everything: with the way back above them.
  auto* box = new QWidget(whole_);
  QVBoxLayout* rows = column_in(box, 0);
  QHBoxLayout* row = row_in(nullptr, 0);
  row->setContentsMargins(space::kMedium, space::kSmall, space::kMargin, 0);
  auto* back = new QPushButton(box);
  back->setFlat(true);
  connect(back, &QPushButton::clicked, this, &LabPage::go_back);
  const auto say = [back] {
    back->setText(tr("Back to the training"));
    back->setToolTip(tr("The probe, the picture and the time line again (Esc)"));
  };
  on_language(back, say);
  say();
  row->addWidget(back);
  row->addStretch(1);
  rows->addLayout(row);
  if (mode == Mode::text) page->setContentsMargins(space::kMargin, 0, space::kMargin, space::kSmall);
  rows->addWidget(page, 1);
  whole_->addWidget(box);
  pages_[static_cast<int>(mode)] = box;
}

void LabPage::set_in_head(QWidget* choice) {
  auto* row = static_cast<QBoxLayout*>(head_->layout());
  row->insertWidget(row->indexOf(one_), choice);
}

void LabPage::set_picture_actions(const QList<QAction*>& actions) { host_->addActions(actions); }

void LabPage::set_mode(Mode mode) {
  if (!pages_[static_cast<int>(mode)] || mode_ == mode) return;
  mode_ = mode;
  const bool lab = mode == Mode::run || mode == Mode::two;
  whole_->setCurrentWidget(lab ? pages_[0] : pages_[static_cast<int>(mode)]);
  if (lab) middle_->setCurrentIndex(mode == Mode::two ? middle_->indexOf(pages_[static_cast<int>(mode)]) : 0);
  place();
  refresh();
  emit modeChanged();
}

void LabPage::set_panel_shown(bool shown) {
  if (panel_shown_ == shown) return;
  // Whoever had the keyboard in it gets it back where it goes on.
  const bool had = panel_ && panel_->isAncestorOf(window()->focusWidget());
  panel_shown_ = shown;
  place();
  if (had) focus_first();
  emit panelShownChanged();
}

void LabPage::set_presenting(bool presenting) {
  presenting_ = presenting;
  place();
  show_words();
}

void LabPage::set_state(LabTraining::State state) {
  state_ = state;
  show_words();
}

void LabPage::focus_first() {
  QWidget* wanted = shown_->empty() ? static_cast<QWidget*>(band_->field()) : below_ ? below_ : picture_;
  if (mode_ == Mode::sentences || mode_ == Mode::text) wanted = pages_[static_cast<int>(mode_)];
  wanted->setFocus(Qt::OtherFocusReason);
}

void LabPage::focus_probe() {
  band_->field()->setFocus(Qt::ShortcutFocusReason);
  band_->field()->selectAll();
}

void LabPage::place() {
  const double scale = theme().font_scale();
  // The page that is seen says how much room the window needs, not the largest of all.
  for (int i = 0; i < whole_->count(); ++i) {
    const auto policy = i == whole_->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
    whole_->widget(i)->setSizePolicy(policy, policy);
  }
  const bool panel = panel_ && panel_shown_ && !presenting_;
  if (panel_) {
    panel_->setVisible(panel);
    panel_->setFixedWidth(std::min(static_cast<int>(kPanel * scale), static_cast<int>(kMostPanel * width())));
  }
  if (beside_) {
    beside_->setFixedWidth(static_cast<int>(kStory * scale));
    beside_->setVisible(!panel && width() >= (kStory + kLeastForIt) * scale && !shown_->empty());
  }
  const bool desk = !presenting_, two = mode_ == Mode::two;
  const bool there = panel_ && !shown_->empty();  // and a lab around it
  band_->set_output_shown(!two);
  heading_->setVisible(!two);
  one_->setVisible(two && desk);
  again_->setVisible(desk && there && !panel && !two);
  keep_->setVisible(desk && there && !panel && !two);
  open_->setVisible(desk && there && !two);
  fold_->setVisible(desk && panel_);
  fold_->setText(panel_shown_ ? tr("Fold away") : tr("What is trained"));
  foot_->setVisible(desk);
  // Nobody scrolls a wall: there the time line, which then says how far the training is, gives what the rows need.
  head_->setVisible(desk || two || maps_->isVisibleTo(head_));
  if (below_ && left_->indexOf(below_) >= 0)  // a lesson may have it elsewhere
    below_->setSizePolicy(QSizePolicy::Expanding, desk ? QSizePolicy::Fixed : QSizePolicy::Maximum);
  middle_->setSizePolicy(QSizePolicy::Preferred, desk ? QSizePolicy::Preferred : QSizePolicy::Ignored);
  middle_->setMinimumHeight(presenting_ && !two ? std::min(picture_->whole_height(), height() / 2) : 0);
}

void LabPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place();
}

// --- words

QString LabPage::heading() const { return heading_->text(); }
QString LabPage::facts() const { return facts_->text(); }
QString LabPage::caption() const { return caption_->text() + QLatin1Char(' ') + todo_->text(); }

QString LabPage::title() const {
  switch (mode_) {
    case Mode::two:
      return shown_->together() == LabShown::Together::apart ? tr("The lab · then and now") : tr("The lab · two runs");
    case Mode::sentences:
      return tr("The lab · our sentences");
    case Mode::text:
      return tr("The lab · a text of your own");
    case Mode::run:
      break;
  }
  if (shown_->runs().empty() || shown_->runs()[0]->title.empty()) return tr("The lab");
  return tr("The lab · %1").arg(from_utf8(shown_->runs()[0]->title));
}

void LabPage::refresh() {
  const void* run = shown_->empty() ? nullptr : shown_->runs()[0]->moments.front().get();
  if (run != shown_run_) {
    shown_run_ = run;
    if (run) shown_->set_map(first_map(*shown_->runs()[0]));
  }
  show_maps();
  place();
  show_words();
}

void LabPage::show_maps() {
  QList<Segments::Choice> choices;
  if (!shown_->empty()) {
    const std::vector<RecordedMap>& maps = shown_->runs()[0]->maps;
    const bool mixed = std::ranges::any_of(maps, &RecordedMap::self) && !std::ranges::all_of(maps, &RecordedMap::self);
    for (const RecordedMap& map : maps) {
      QStringList words;
      if (mixed) words << (map.self ? tr("looks at itself") : tr("looks at the source"));
      if (map.layer >= 0) words << layer_name(map.layer);
      if (map.head >= 0) words << head_name(map.head);
      choices.push_back({words.join(QStringLiteral(", ")), from_utf8(map.name)});
    }
  }
  maps_->setVisible(choices.size() > 1 && picture_->content() == LabPicture::Content::attention);
  maps_->set_choices(choices);
  maps_->set_current(shown_->map());
}

namespace {

struct Headings {
  Q_DECLARE_TR_FUNCTIONS(headlight::LabPage)
 public:
  // Now: of a training that runs, at its newest moment; then: of any other.
  static QString of(LabPicture::Content content, bool now) {
    switch (content) {
      case LabPicture::Content::attention:
        return now ? tr("Where it looks now") : tr("Where it looked then");
      case LabPicture::Content::words:
        return now ? tr("How sure it is now") : tr("How sure it was then");
      case LabPicture::Content::written:
        return now ? tr("What it writes now") : tr("What it wrote then");
      case LabPicture::Content::nothing:
        break;
    }
    return tr("Where it looks");
  }
  // "trained on this machine at 10:42"; of what came with the program, that it was recorded.
  static QString origin(const Recording& run) {
    if (run.bundled) return tr("recorded");
    const QDateTime when = QDateTime::fromString(from_utf8(run.recorded_at), Qt::ISODate);
    if (!when.isValid()) return tr("trained before");
    return when.date() == QDate::currentDate()
               ? tr("trained on this machine at %1").arg(when.time().toString(QStringLiteral("HH:mm")))
               : tr("trained on %1").arg(when.date().toString(Qt::ISODate));
  }
};

}  // namespace

void LabPage::show_words() {
  using State = LabTraining::State;
  const bool running = state_ == State::running || state_ == State::preparing;
  const bool there = !shown_->empty(), newest = running && shown_->at_end();
  heading_->setText(Headings::of(picture_->content(), newest));
  again_->setEnabled(!running && state_ != State::paused);
  QStringList facts;
  if (there && mode_ == Mode::run) {
    const Recording& run = *shown_->runs()[0];
    const Moment& now = shown_->now();
    facts << read_words(run, static_cast<double>(now.read)) << seconds_words(now.seconds);
    if (now.update == 0) facts = {tr("untrained")};
    if (!running && state_ != State::paused)
      facts << Headings::origin(run) << tr("seed %1").arg(run.settings.seed)
            << tr("%1 numbers").arg(grouped_number(static_cast<double>(run.numbers)));
  }
  facts_->setText(facts.join(kSeparator));
  facts_->setToolTip(wrapped_tooltip(facts.join(kSeparator)));
  QString what, todo;
  if (mode_ == Mode::two) {
    const bool apart = shown_->together() == LabShown::Together::apart;
    what = apart ? tr("Each moment has a handle.") : tr("One handle for both.");
    todo = apart ? tr("Drag either.") : tr("Drag it: both pictures follow.");
  } else if (!there) {
    what = tr("Change the probe by typing; it is taken out of the data.");
    todo = tr("Ctrl+Enter starts.");
  } else if (running || state_ == State::paused) {
    what = tr("Struck: not right. Bold: sure.");
    todo = running ? tr("Space pauses.") : tr("Space goes on.");
  } else {
    what = tr("A mark: from here on, this word stays as it ends.");
    todo = tr("Drag the handle; PageDown goes to the next mark.");
  }
  if (there && shown_->runs()[0]->thinned) what += QLatin1Char(' ') + tr("Memory was full: every second moment went.");
  caption_->setText(what);
  todo_->setText(todo);
  legend_->set({ColourKey::Kind::shares, 1});
  legend_->setVisible(picture_->content() == LabPicture::Content::attention);
}

void LabPage::retranslate() {
  setAccessibleName(tr("The lab"));
  heading_->setFont(strong_font());
  todo_->setFont(strong_font(type::kSource));
  for (QLabel* each : {facts_, caption_}) each->setFont(theme().ui_font(type::kSource));
  one_->setText(tr("One run alone"));
  again_->setText(tr("Again with another seed"));
  again_->setToolTip(tr("The same training from other initial weights; this one stays as a thin line"));
  keep_->setText(tr("Keep it…"));
  keep_->setToolTip(tr("Write the model of this training, or all of its moments, to a folder or a file"));
  open_->setText(tr("Open this moment"));
  open_->setToolTip(tr("Show the model as it was here, with the probe, in all pictures of the window (O)"));
  fold_->setToolTip(tr("Show or hide data, model and settings (P)"));
  maps_->set_words(tr("Which attention"), tr("Each layer and head looks in its own way."));
  refresh();
}

}  // namespace headlight
