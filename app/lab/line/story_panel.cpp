#include "app/lab/line/story_panel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "app/lab/line/story_words.h"
#include "app/parts.h"
#include "model/recording/story.h"
#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr int kStoryWidth = 200;  // pixels at 100 %
constexpr double kGradientBar = 6;

QLabel* story_label(QWidget* parent, QColor Tokens::*ink, Qt::TextFormat format = Qt::PlainText) {
  auto* label = new QLabel(parent);
  label->setTextFormat(format);
  make_running_text(label);
  set_ink(label, ink);
  return label;
}

// With the words that changed in bold letters.
QString story_html(const std::vector<StoryWord>& words, bool characters) {
  QStringList all;
  for (const StoryWord& word : words) {
    const QString text = word.text.toHtmlEscaped();
    all << (word.changed ? QStringLiteral("<b>%1</b>").arg(text) : text);
  }
  return all.join(characters ? QString() : QStringLiteral(" "));
}

}  // namespace

// --- gradients

GradientBars::GradientBars(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void GradientBars::set(const std::vector<Bar>& bars) {
  if (bars == bars_) return;
  const bool other = bars.size() != bars_.size();
  bars_ = bars;
  QStringList said;
  for (const Bar& bar : bars_) said << with_colon(bar.layer, short_number(bar.norm, 3));
  setAccessibleDescription(said.join('\n'));
  if (other) updateGeometry();
  update();
}

QSize GradientBars::sizeHint() const {
  const double line = Theme::line_height(digit_font());
  return {qRound(kStoryWidth * theme().font_scale()), qRound(line * static_cast<double>(bars_.size()))};
}

void GradientBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Tokens& t = tokens();
  const double line = Theme::line_height(digit_font()), high = kGradientBar * theme().font_scale();
  double names = 0, numbers = 0, most = 0;
  for (const Bar& bar : bars_) {
    names = std::max(names, text_width(bar.layer, digit_font()));
    numbers = std::max(numbers, text_width(short_number(bar.norm, 3), digit_font()));
    if (std::isfinite(bar.norm)) most = std::max(most, bar.norm);
  }
  names = std::min(names, width() / 2.0);
  const double left = names + space::kSmall, room = std::max(0.0, width() - left - numbers - space::kSmall);
  double top = 0;
  for (const Bar& bar : bars_) {
    write_line(painter, {0, top, names, line}, kLeft, bar.layer, digit_font(), t.ink2);
    const double part = most > 0 && std::isfinite(bar.norm) ? bar.norm / most : 0;
    painter.fillRect(QRectF(left, top + (line - high) / 2, room * part, high), t.bank);
    write(painter, {width() - numbers, top, numbers, line}, kRight, short_number(bar.norm, 3), digit_font(), t.ink);
    top += line;
  }
}

// --- the panel

StoryPanel::StoryPanel(LabShown* shown, QWidget* parent) : QWidget(parent), shown_(shown) {
  make_parts();
  const auto changed = [this] {
    stale_ = true;
    if (isVisible()) refresh();
  };
  connect(shown_, &LabShown::runsChanged, this, changed);
  connect(shown_, &LabShown::moved, this, changed);
  connect(shown_, &LabShown::chosenChanged, this, changed);
  connect(previous_, &QToolButton::clicked, this, [this] { shown_->go_to_mark(-1); });
  connect(next_, &QToolButton::clicked, this, [this] { shown_->go_to_mark(1); });
  connect(more_, &QToolButton::toggled, this, [this](bool open) { details_->setVisible(open); });
  connect(moments_, &QToolButton::clicked, this, &StoryPanel::momentsWanted);
  connect(recorded_, &QPushButton::clicked, this, &StoryPanel::recordedWanted);
  restyle();
  retranslate();
  theme().restyles(this, [this] { restyle(); });
  retranslates(this, [this] { retranslate(); });
}

void StoryPanel::make_parts() {
  title_ = story_label(this, &Tokens::ink);
  before_name_ = story_label(this, &Tokens::ink2);
  before_ = story_label(this, &Tokens::ink2);
  now_name_ = story_label(this, &Tokens::ink2);
  now_ = story_label(this, &Tokens::ink, Qt::RichText);
  sentence_ = story_label(this, &Tokens::ink);
  problem_ = story_label(this, &Tokens::ink);
  recorded_ = new QPushButton(this);
  previous_ = sign_button(this, Sign::left);
  next_ = sign_button(this, Sign::right);
  mark_ = story_label(this, &Tokens::ink);
  mark_->setAlignment(Qt::AlignCenter);
  more_ = new QToolButton(this);
  more_->setCheckable(true);
  moments_ = new QToolButton(this);
  moments_->setObjectName(QStringLiteral("then_and_now"));
  details_ = new QWidget(this);
  rates_ = story_label(details_, &Tokens::ink2);
  bars_ = new GradientBars(details_);
  auto* inside = column_in(details_, space::kTight);
  inside->addWidget(rates_);
  inside->addWidget(bars_);
  details_->hide();

  auto* column = column_in(this, space::kTight);
  for (QWidget* part : {title_, before_name_, before_, now_name_, now_}) column->addWidget(part);
  column->addSpacing(space::kSmall);
  for (QWidget* part : std::initializer_list<QWidget*>{sentence_, problem_, recorded_}) column->addWidget(part);
  column->addSpacing(space::kMedium);
  auto* way = new QHBoxLayout;
  way->setSpacing(space::kSmall);
  way->addWidget(previous_);
  way->addWidget(mark_, 1);
  way->addWidget(next_);
  column->addLayout(way);
  auto* acts = new QHBoxLayout;
  acts->setSpacing(space::kSmall);
  acts->addWidget(more_);
  acts->addWidget(moments_);
  acts->addStretch(1);
  column->addLayout(acts);
  column->addWidget(details_);
  column->addStretch(1);
}

void StoryPanel::set_recorded_offered(bool offered) {
  offered_ = offered;
  refresh();
}

QString StoryPanel::before() const { return before_text_; }
QString StoryPanel::now() const { return now_text_; }
QString StoryPanel::sentence() const { return sentence_->text(); }
QString StoryPanel::problem() const { return problem_->text(); }
QString StoryPanel::mark_text() const { return mark_->text(); }

QSize StoryPanel::sizeHint() const {
  return {qRound(kStoryWidth * theme().font_scale()), QWidget::sizeHint().height()};
}

void StoryPanel::showEvent(QShowEvent* event) {
  if (stale_) refresh();
  QWidget::showEvent(event);
}

void StoryPanel::restyle() {
  title_->setFont(strong_font());
  for (QLabel* label : {before_name_, now_name_}) label->setFont(word_font());
  rates_->setFont(digit_font());
  bars_->updateGeometry();
  bars_->update();
  updateGeometry();
}

void StoryPanel::retranslate() {
  title_->setText(tr("What changed here"));
  before_name_->setText(tr("before"));
  now_name_->setText(tr("now"));
  describe(previous_, tr("To the mark before"),
           tr("The moment before from which on a word of the output stays as it ends (PageUp)."));
  describe(next_, tr("To the next mark"),
           tr("The next moment from which on a word of the output stays as it ends (PageDown)."));
  more_->setText(tr("More"));
  describe(more_, tr("More"), tr("The learning rate, and how large the gradients of each layer are."));
  moments_->setText(tr("Then and now"));
  describe(moments_, tr("Then and now"), tr("This moment beside the newest one, each with a handle of its own."));
  recorded_->setText(tr("Show the recorded run"));
  describe(recorded_, recorded_->text(), tr("A training of the same kind that came with the program, and learns."));
  rates_->setToolTip(wrapped_tooltip(tr(
      "The gradient says how each number in the model has to change for a smaller loss; its norm is how long it is.")));
  bars_->setToolTip(
      wrapped_tooltip(tr("The norm of the gradient of each layer, at the last update before this moment.")));
  bars_->setAccessibleName(tr("Gradient norms by layer"));
  refresh();
}

void StoryPanel::refresh() {
  stale_ = false;
  const bool empty = shown_->empty();
  for (QWidget* part : std::initializer_list<QWidget*>{before_name_, before_, now_name_, now_, previous_, next_, mark_,
                                                       more_, moments_, sentence_, problem_, recorded_})
    part->setVisible(!empty);
  details_->setVisible(!empty && more_->isChecked());
  if (empty) {
    before_text_.clear();
    now_text_.clear();
    for (QLabel* label : {before_, now_, sentence_, problem_, mark_}) label->clear();
    return;
  }
  const int side = shown_->side();
  const Recording& run = *shown_->runs()[static_cast<std::size_t>(side)];
  const int moment = shown_->moment(side);
  show_story(run, moment);
  show_marks(run, moment);
  show_rates(run, moment);
  show_problem(run);
}

void StoryPanel::show_story(const Recording& run, int moment) {
  const Story story = story_at(run, shown_->probe(), shown_->map(), moment);
  before_text_ = story_text(story.before, story.characters);
  now_text_ = story_text(story.now, story.characters);
  before_->setText(before_text_);
  now_->setText(story_html(story.now, story.characters));
  before_name_->setVisible(!story.first && !story.now.empty());
  before_->setVisible(!before_text_.isEmpty());
  now_name_->setVisible(!now_text_.isEmpty());
  now_->setVisible(!now_text_.isEmpty());
  sentence_->setText(story.sentence);
  sentence_->setVisible(!story.sentence.isEmpty());
}

void StoryPanel::show_marks(const Recording& run, int moment) {
  const bool asked = shown_->probe() < static_cast<int>(run.probes.size());
  mark_->setText(mark_place(run, shown_->probe(), moment));
  previous_->setEnabled(asked && next_mark(run, shown_->probe(), moment, -1) != moment);
  next_->setEnabled(asked && next_mark(run, shown_->probe(), moment, 1) != moment);
}

void StoryPanel::show_rates(const Recording& run, int moment) {
  const Moment& now = run.at(moment);
  QStringList rates = {tr("learning rate %1").arg(short_number(now.learning_rate, 3))};
  if (is_measured(now.gradient_norm)) rates << tr("gradient norm %1").arg(short_number(now.gradient_norm, 3));
  rates_->setText(rates.join(QStringLiteral(" · ")));
  std::vector<GradientBars::Bar> bars;
  for (std::size_t layer = 0; layer < std::min(run.layers.size(), now.layer_gradients.size()); ++layer)
    bars.push_back({layer_words(run.layers[layer]), now.layer_gradients[layer]});
  bars_->set(bars);
  bars_->setVisible(!bars.empty());
}

void StoryPanel::show_problem(const Recording& run) {
  const QString problem = problem_sentence(run);
  const bool offered = offered_ && !problem.isEmpty();
  problem_->setText(offered ? tr("%1 The recorded run learns.").arg(problem) : problem);
  problem_->setVisible(!problem.isEmpty());
  recorded_->setVisible(offered);
}

}  // namespace headlight
