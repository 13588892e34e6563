#include "app/classroom/training/lesson_training.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <algorithm>

#include "app/lab/lab_page.h"
#include "app/lab/lab_picture.h"
#include "app/lab/lab_probe.h"
#include "app/lab/lab_training.h"
#include "app/lab/line/time_line.h"
#include "app/lab/probe_band.h"
#include "app/lab/two_runs.h"
#include "app/parts.h"
#include "model/recording/presets.h"
#include "widgets/base/controls.h"
#include "widgets/base/spoken.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kFrame = 33, kWhole = 4'000;  // milliseconds: of a picture, of all that is played

// Without what comes after this moment; the time line is as long as before.
std::shared_ptr<const Recording> cut_after(const Recording& run, int moment) {
  auto made = std::make_shared<Recording>(run);
  made->moments.resize(static_cast<std::size_t>(moment) + 1);
  made->whole = false;
  return made;
}

}  // namespace

LessonTrainingPage::LessonTrainingPage(QWidget* views)
    : QWidget(views), shown_(new LabShown(this)), probe_(new LabProbe(shown_, this)) {
  setObjectName(QStringLiteral("lesson_training"));
  covered_ = new QLabel(QStringLiteral("?"), this);
  covered_->setAlignment(Qt::AlignCenter);
  note_ = text_label(this);
  note_->setObjectName(QStringLiteral("lesson_training_note"));
  train_ = new QPushButton(this);
  train_->setObjectName(QStringLiteral("lesson_train_here"));
  recorded_ = new QPushButton(this);
  recorded_->setObjectName(QStringLiteral("lesson_show_recorded"));
  foot_ = new QWidget(this);
  auto* foot = new QHBoxLayout(foot_);
  foot->setContentsMargins(space::kMargin, 0, space::kMargin, space::kSmall);
  foot->addWidget(note_, 1);
  foot->addWidget(recorded_);
  foot->addWidget(train_);
  QVBoxLayout* rows = column_in(this, 0);
  rows->addWidget(covered_, 1);
  rows->addWidget(foot_);
  connect(train_, &QPushButton::clicked, this, [this] { live_ && live_->busy() ? live_->stop() : train(); });
  connect(recorded_, &QPushButton::clicked, this, &LessonTrainingPage::show_recorded);
  player_.setInterval(kFrame);
  connect(&player_, &QTimer::timeout, this, &LessonTrainingPage::play_on);
  views->installEventFilter(this);
  setGeometry(views->rect());
  Theme::instance().restyles(this, [this] {
    covered_->setFont(strong_font(type::kNumber));
    note_->setFont(Theme::instance().ui_font(type::kSource));
    set_ink(note_, &Tokens::ink2);
  });
  retranslate();
  hide();
}

LessonTrainingPage::~LessonTrainingPage() = default;

// Of one training or of two, with what they are beside.
void LessonTrainingPage::make_page() {
  delete line_;  // which may be out of the page
  delete page_;
  page_ = new LabPage(shown_, probe_, this);
  line_ = new TimeLine(shown_, page_);
  line_->set_facts_shown(false);
  page_->set_below(line_);
  two_ = nullptr;
  if (told_->runs.size() > 1) {
    two_ = new TwoRuns(shown_, page_);
    page_->set_mode_page(LabPage::Mode::two, two_);
  }
  page_->set_mode(two_ ? LabPage::Mode::two : LabPage::Mode::run);
  page_->set_panel_shown(false);
  page_->installEventFilter(this);
  static_cast<QVBoxLayout*>(layout())->insertWidget(0, page_, 1);
  connect(line_, &TimeLine::drew, this, &LessonTrainingPage::drew);
}

void LessonTrainingPage::show_step(const LessonStep& step, std::shared_ptr<const ShownTraining> told,
                                   std::shared_ptr<const ShownTraining> before, bool waits) {
  leave();
  step_ = step;
  told_ = std::move(told);
  before_ = std::move(before);
  waits_ = waits;
  live_shown_ = false;
  make_page();
  if (!waits) {
    put(*told_, false);
  } else if (before_) {
    put(*before_, true);
  } else {
    shown_->set_thin({});
    shown_->show({});
    if (draws())
      line_->set_plan({static_cast<double>(told_->run().reads), told_->run().settings.task == "text", false});
  }
  give_room();
  page_->setVisible(!waits || before_);
  covered_->setVisible(waits && !before_ && !draws());
  setGeometry(parentWidget()->rect());
  say();
  show();
  raise();
}

bool LessonTrainingPage::draws() const { return waits_ && !before_ && step_.answer.kind == LessonAnswer::Kind::curve; }

// What is drawn on has all of the page. In front of a room the words of the probe stand at the squares already; and
// without a time line there is no handle to speak of.
void LessonTrainingPage::give_room() {
  if (!page_) return;
  const bool lined = step_.training.curves || step_.answer.kind == LessonAnswer::Kind::curve;
  if (draws()) {
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, line_, 1);
    line_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  } else if (line_->parentWidget() == this) {
    page_->set_below(line_);
  }
  line_->setVisible(lined);
  const bool squares = two_ || page_->picture()->content() == LabPicture::Content::attention;
  page_->set_presenting(presenting_ || !lined);
  page_->probe_band()->setVisible(!(presenting_ && squares));
}

void LessonTrainingPage::put(const ShownTraining& shown, bool cut) {
  std::vector<LabShown::Run> runs;
  for (std::size_t side = 0; side < shown.runs.size(); ++side)
    runs.push_back(cut ? cut_after(*shown.runs[side], shown.moments[side]) : shown.runs[side]);
  shown_->set_thin(cut ? std::vector<LabShown::Run>() : shown.thin);
  shown_->show(std::move(runs));
  shown_->set_probe(shown.probe);
  shown_->set_side(0);
  shown_->go_to(shown.moments[0]);
  if (shown.runs.size() > 1) shown_->set_together(static_cast<LabShown::Together>(step_.training.together));
}

void LessonTrainingPage::reveal() {
  if (!waits_ || !told_) return;
  waits_ = false;
  const std::vector<QPointF> guess = line_->drawn();
  page_->show();
  covered_->hide();
  put(*told_, false);
  if (!guess.empty()) line_->set_drawn(guess);  // stays beside what came
  give_room();
  if (step_.kind == LessonStep::Kind::train) play();
  say();
}

// From where it was seen before, or from the beginning; at once where the desktop wants no motion.
void LessonTrainingPage::play() {
  const bool still = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0;
  from_ = before_ ? before_->moments[0] : 0;
  if (still || from_ >= told_->moments[0] || told_->runs.size() > 1) return;
  began_ = QDateTime::currentMSecsSinceEpoch();
  shown_->go_to(from_);
  player_.start();
}

void LessonTrainingPage::play_on() {
  const double way = std::min(1.0, static_cast<double>(QDateTime::currentMSecsSinceEpoch() - began_) / kWhole);
  shown_->go_to(from_ + static_cast<int>(way * (told_->moments[0] - from_)));
  if (way >= 1) player_.stop();
}

void LessonTrainingPage::finish() {
  if (!plays()) return;
  player_.stop();
  shown_->go_to(told_->moments[0]);
}

void LessonTrainingPage::leave() {
  player_.stop();
  live_.reset();
  hide();
}

void LessonTrainingPage::set_presenting(bool presenting) {
  presenting_ = presenting;
  give_room();
}

// --- on this machine

void LessonTrainingPage::train() {
  finish();
  try {
    const Preset& preset = find_preset(step_.training.preset);
    LiveOptions options;
    options.probes = {preset.probe()};
    live_ = std::make_unique<LabTraining>();
    connect(live_.get(), &LabTraining::momentKept, this, &LessonTrainingPage::take_live);
    connect(live_.get(), &LabTraining::stateChanged, this, &LessonTrainingPage::say);
    live_shown_ = false;
    live_->start(preset.settings(), options);
  } catch (const Error& error) {
    live_.reset();
    note_->setText(QString::fromUtf8(error.what()));
    return;
  }
  say();
}

void LessonTrainingPage::take_live() {
  if (!live_ || !live_->recording()) return;
  line_->set_running(live_->busy());
  if (std::exchange(live_shown_, true)) return shown_->grow(0, live_->recording());
  shown_->show({live_->recording()});
}

void LessonTrainingPage::show_recorded() {
  live_.reset();
  live_shown_ = false;
  line_->set_running(false);
  put(*told_, false);
  say();
}

// --- words

QString LessonTrainingPage::note() const { return note_->text(); }

void LessonTrainingPage::say() {
  const bool busy = live_ && live_->busy();
  train_->setVisible(!waits_ && !step_.training.preset.empty());
  train_->setText(busy ? tr("Stop") : tr("Train it here"));
  recorded_->setVisible(live_ != nullptr);
  QString said;
  if (live_ && live_->state() == LabTraining::State::failed && !live_->error().isEmpty())
    said = live_->error();
  else if (busy)
    said = tr("Training on this machine…");
  else if (live_)
    said = tr("Trained on this machine just now.");
  else if (!waits_ && told_)
    said = told_->run().machine.empty() ? tr("Recorded.")
                                        : tr("Recorded before (%1).").arg(from_utf8(told_->run().machine));
  if (busy && line_) line_->set_running(true);
  note_->setText(said);
  foot_->setVisible(!said.isEmpty() && !(presenting_ && !live_));
  if (isVisible() && !said.isEmpty()) Spoken::instance().say(this, said);
}

void LessonTrainingPage::retranslate() {
  covered_->setAccessibleName(tr("What comes is closed until the answer"));
  recorded_->setText(tr("Show the recorded one"));
  setAccessibleName(tr("The training"));
  say();
}

std::vector<double> LessonTrainingPage::drawn() const {
  const std::vector<QPointF> points = line_ ? line_->drawn() : std::vector<QPointF>();
  if (points.empty() || !told_) return {};
  std::vector<double> shares;
  const double reads = static_cast<double>(told_->run().reads);
  for (int k = 0; k < step_.answer.points; ++k) {
    const double read = reads * k / (step_.answer.points - 1);
    // Outside of what was drawn the curve stays where it begins and ends.
    const double at = value_at(points, std::clamp(read, points.front().x(), points.back().x()));
    shares.push_back(std::clamp(at, 0.0, 1.0));
  }
  return shares;
}

void LessonTrainingPage::draw(const std::vector<double>& shares) {
  if (!line_ || !told_ || shares.size() < 2 || shares == drawn()) return;
  std::vector<QPointF> points;
  const double reads = static_cast<double>(told_->run().reads);
  for (std::size_t k = 0; k < shares.size(); ++k)
    points.emplace_back(reads * static_cast<double>(k) / static_cast<double>(shares.size() - 1), shares[k]);
  const QSignalBlocker quiet(line_);
  line_->set_drawn(points);
}

bool LessonTrainingPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) {
    setGeometry(parentWidget()->rect());
    give_room();
  }
  // The words of the step are about this moment; without a time line nobody would see that it is another.
  if (watched == page_ && event->type() == QEvent::KeyPress && line_->isHidden()) {
    event->ignore();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void LessonTrainingPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) retranslate();
}

void LessonTrainingPage::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), tokens().paper); }

}  // namespace headlight
