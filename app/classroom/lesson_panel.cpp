#include "app/classroom/lesson_panel.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "app/classroom/lesson_chart_picture.h"
#include "app/classroom/lesson_dots.h"
#include "app/classroom/lesson_finish.h"
#include "app/classroom/lesson_vote.h"
#include "app/language.h"
#include "app/parts.h"
#include "app/stage/panel_frame.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/focus.h"
#include "widgets/base/spoken.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

QLabel* label(QWidget* parent, double size, bool strong = false) {
  QLabel* made = text_label(parent);
  made->setFont(strong ? strong_font(size) : Theme::instance().ui_font(size));
  return made;
}

QString joined(QStringList parts) {
  parts.removeAll(QString());
  return parts.join(QLatin1Char('\n'));
}

void say(QLabel* label, const QString& text) {
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

}  // namespace

LessonPanel::LessonPanel(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("lesson"));
  setAutoFillBackground(true);
  const auto button = [this](const char* name) {
    auto* made = new QPushButton(this);
    made->setObjectName(QString::fromUtf8(name));
    made->setAutoDefault(false);
    return made;
  };
  title_ = label(this, type::kQuestion, true);
  title_->setObjectName(QStringLiteral("lesson_title"));
  explore_ = button("lesson_explore");
  explore_->setCheckable(true);
  close_ = sign_button(this, Sign::close);
  close_->setObjectName(QStringLiteral("lesson_close"));
  text_ = new LessonText(this);
  text_->setObjectName(QStringLiteral("lesson_text"));
  question_ = new LessonText(this);
  hints_text_ = new LessonText(this);
  reveal_ = new LessonText(this);
  how_ = label(this, type::kSource);
  mine_ = label(this, type::kText);
  truth_ = label(this, type::kText, true);
  distance_ = label(this, type::kText, true);
  distance_->setObjectName(QStringLiteral("lesson_distance"));
  notes_ = label(this, type::kText);
  notes_->setObjectName(QStringLiteral("lesson_notes"));
  chart_note_ = label(this, type::kSource);
  sources_ = label(this, type::kSource);
  fallback_ = label(this, type::kSource);
  fallback_->setObjectName(QStringLiteral("lesson_fallback"));
  fallback_->hide();
  for (QLabel* each : {how_, chart_note_, sources_, fallback_}) set_ink(each, &Tokens::ink2);
  language_ = new QToolButton(this);
  language_->setObjectName(QStringLiteral("lesson_language"));
  language_->setPopupMode(QToolButton::InstantPopup);
  language_->setFocusPolicy(Qt::StrongFocus);
  language_->setMenu(new QMenu(language_));
  language_->hide();
  show_ = button("lesson_show");
  show_->setProperty(kLook, QByteArray("main"));
  unknown_ = button("lesson_unknown");
  hint_ = button("lesson_hint");
  skip_ = button("lesson_skip");
  vote_button_ = button("lesson_vote_button");
  notes_button_ = button("lesson_notes_button");
  measure_ = button("lesson_measure");
  back_ = button("lesson_back");
  next_ = button("lesson_next");
  dots_ = new LessonDots(this);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  chart_ = new LessonChartPicture(this);
  dots_->chosen = [this](int step) { emit chosen(step); };

  lay_out();
  connect_parts();
  retranslate();
}

void LessonPanel::connect_parts() {
  connect(explore_, &QPushButton::clicked, this, &LessonPanel::exploreToggled);
  connect(close_, &QToolButton::clicked, this, &LessonPanel::closed);
  connect(back_, &QPushButton::clicked, this, &LessonPanel::back);
  connect(next_, &QPushButton::clicked, this, &LessonPanel::next);
  connect(skip_, &QPushButton::clicked, this, &LessonPanel::next);
  connect(show_, &QPushButton::clicked, this, [this] { emit answered(true); });
  connect(unknown_, &QPushButton::clicked, this, [this] { emit answered(false); });
  connect(hint_, &QPushButton::clicked, this, [this] { show_hints(hints_ + 1); });
  connect(notes_button_, &QPushButton::clicked, this, &LessonPanel::notesWanted);
  connect(vote_button_, &QPushButton::clicked, this, &LessonPanel::voteWanted);
  connect(measure_, &QPushButton::clicked, this, &LessonPanel::measureToggled);
  for (LessonText* each : {text_, question_, hints_text_, reveal_})
    connect(each, &LessonText::followed, this, &LessonPanel::followed);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    for (const auto& [each, size] : {std::pair(how_, type::kSource),
                                     {chart_note_, type::kSource},
                                     {sources_, type::kSource},
                                     {fallback_, type::kSource},
                                     {mine_, type::kText},
                                     {notes_, type::kText}})
      each->setFont(Theme::instance().ui_font(size));
    for (const auto& [each, size] :
         {std::pair(title_, type::kQuestion), {truth_, type::kText}, {distance_, type::kText}})
      each->setFont(strong_font(size));
    fit_buttons();
  });
}

void LessonPanel::retranslate() {
  explore_->setText(exploring_ ? tr("Back to the lesson") : tr("Explore freely"));
  explore_->setToolTip(tr("Leave the lesson's rails, or come back to its step (F9)"));
  close_->setToolTip(tr("End the lesson; it is remembered where you were"));
  close_->setAccessibleName(tr("End the lesson"));
  show_->setText(tr("Show me"));
  unknown_->setText(tr("I don’t know"));
  hint_->setText(tr("A hint"));
  skip_->setText(tr("Skip this"));
  vote_button_->setText(tr("Room vote"));
  notes_button_->setText(tr("Teacher's notes"));
  language_->setAccessibleName(tr("Language of the lesson"));
  language_->setToolTip(tr("The lesson is there in other languages than the window, too"));
  notes_button_->setToolTip(tr("What the lesson says to the teacher, in a window of its own"));
  measure_->setText(tr("Measure"));
  progress_->setAccessibleName(tr("Progress of the measurement"));
  back_->setText(tr("Back"));
  next_->setText(tr("Next"));
  fit_buttons();
}

void LessonPanel::set_title(const QString& title) {
  title_->setText(title);
  fit_head();
}

void LessonPanel::set_languages(const QStringList& all, const QString& shown, const QString& wanted) {
  const auto is_other = [](const QString& each) {
    return std::ranges::find(kLessonLanguages, each.toStdString()) == kLessonLanguages.end();
  };
  other_languages_ = std::ranges::any_of(all, is_other);
  language_->setVisible(other_languages_ && !presenting_);
  language_->setText(language_name(shown));
  language_->menu()->clear();
  for (const QString& each : all) {
    QAction* action =
        language_->menu()->addAction(language_name(each), this, [this, each] { emit languageChosen(each); });
    action->setCheckable(true);
    action->setChecked(each == shown);
  }
  say(fallback_,
      shown == wanted
          ? QString()
          : tr("This lesson is not there in %1 yet: it is in %2.").arg(language_name(wanted), language_name(shown)));
  fit_columns();
}

void LessonPanel::show_step(const LessonStep& step, const StepWords& words, int at, int count,
                            LessonText::Value value) {
  const KeepKeyboard keyboard(this, [this] { return next_stop(); });
  step_ = &step;
  words_ = words;
  value_ = std::move(value);
  at_ = at;
  count_ = count;
  hints_ = 0;
  highest_ = 0;
  tells_after_ = false;
  revealed_ = false;
  set_answer_field(nullptr);
  delete std::exchange(vote_, nullptr);
  delete std::exchange(sliders_, nullptr);
  delete std::exchange(finish_, nullptr);
  left_->show();
  text_->set_words(words.text, value_, type::kTitle);
  question_->set_words(words.question, value_, type::kTitle, true);
  question_->setVisible(!words.question.empty());
  hints_text_->set_words({}, nullptr, type::kText);
  reveal_->set_words({}, nullptr, type::kText);
  using Kind = LessonStep::Kind;
  using Answer = LessonAnswer::Kind;
  const bool asks = step.asks(), acts = step.kind == Kind::act;
  say(how_, acts ? tr("Do it in the window: the lesson notices when it is done.")
            : asks && step.answer.kind == Answer::tokens ? tr("Click them here or over the picture.")
            : asks && step.answer.kind == Answer::cells
                ? tr("Click squares of the picture. A second click takes one back.")
            : asks && step.answer.kind == Answer::weights ? tr("Draw how high each bar is. Together they make 100 %.")
            : asks && step.answer.kind == Answer::curve   ? tr("Draw it over the time line, or here.")
            : step.kind == Kind::chart && step.chart.measure == LessonChart::Measure::sliders
                ? tr("Move the sliders; the bars follow.")
            : step.kind == Kind::chart && step.chart.slides() ? tr("Move the sliders; the curve follows.")
                                                              : QString());
  told_right_.clear();
  place_after();
  show_->setVisible(asks && !presenting_);  // there the remote shows it
  show_->setEnabled(false);
  unknown_->setVisible(asks && !presenting_);
  unknown_->setEnabled(false);
  hint_->setVisible(!words.hints.empty());
  hint_->setEnabled(true);
  skip_->setVisible(acts);
  vote_button_->setVisible(asks && presenting_);
  notes_button_->setVisible(!presenting_ && (at == 0 || !words.teacher.empty()));
  for (QLabel* each : {mine_, truth_, distance_, notes_, chart_note_, sources_}) say(each, {});
  chart_->hide();
  progress_->hide();
  measure_->hide();
  dots_->set(at, count);
  back_->setEnabled(at > 0);
  next_->setText(at + 1 < count ? tr("Next") : tr("Finish"));
  scroll_->verticalScrollBar()->setValue(0);
  setAccessibleName(tr("Lesson: %1, step %2 of %3").arg(title_->text()).arg(at + 1).arg(count));
  setAccessibleDescription(all_text());
  fit_columns();
}

void LessonPanel::leave_step() {
  step_ = nullptr;
  set_answer_field(nullptr);
  delete std::exchange(vote_, nullptr);
}

void LessonPanel::show_vote(const std::map<QString, std::array<int, 2>>& counted) {
  if (!step_ || !presenting_ || !step_->asks()) return;
  const KeepKeyboard keyboard(this, [this] { return next_stop(); });
  delete std::exchange(vote_, new LessonVote(*step_, words_, counted, answer_place_));
  answer_rows_->addWidget(vote_);
  if (revealed_) vote_->reveal(told_right_);
  vote_->show(), vote_button_->hide();
  connect(vote_, &LessonVote::changed, this, [this] {
    if (revealed_) say_distance();
    emit voted(vote_->hands());
  });
  connect(vote_, &LessonVote::roomWanted, this, &LessonPanel::roomWanted);
  show_answers();
  if (revealed_) say_distance();
  fit_columns();
}

// The bars of a vote are the choices; and to a room, what was to be chosen from is said once it is told.
void LessonPanel::show_answers() {
  if (!field_ || !step_) return;
  using Answer = LessonAnswer::Kind;
  const Answer kind = step_->answer.kind;
  const bool drawn = kind == Answer::weights || kind == Answer::number || kind == Answer::curve;
  field_->setVisible(!presenting_ || !((vote_ && kind == Answer::choice) || (revealed_ && !drawn)));
  place_after();
}

// One filled button a page: what one does next.
void LessonPanel::fill_main() {
  const bool measures = !measure_->isHidden() && measure_->property(kLook).toByteArray() == "main";
  const QByteArray look = show_->isHidden() && !measures ? QByteArray("main") : QByteArray();
  if (next_->property(kLook).toByteArray() == look) return;
  next_->setProperty(kLook, look);
  next_->updateGeometry();
  next_->update();
}

QWidget* LessonPanel::next_stop() const { return next_->isVisible() && next_->isEnabled() ? next_ : explore_; }

void LessonPanel::set_answer_field(AnswerField* field) {
  const KeepKeyboard keyboard(this, [this] { return next_stop(); });
  delete std::exchange(field_, field);
  if (!field) return;
  answer_rows_->addWidget(field);
  unknown_->setEnabled(true);
  const auto enable = [this] { show_->setEnabled(!revealed_ && field_->value().has_value()); };
  connect(field, &AnswerField::changed, this, enable);
  enable();
  show_answers();
  fit_columns();
}

void LessonPanel::show_finish(const FinishedLesson& lesson) {
  const KeepKeyboard keyboard(this, [this] { return next_stop(); });
  delete std::exchange(finish_, new LessonFinish(lesson, body_));
  columns_->insertWidget(0, finish_, 1);
  left_->hide();
  right_->hide();
  finish_->show();
  connect(finish_, &LessonFinish::again, this, &LessonPanel::chosen, Qt::QueuedConnection);
  connect(finish_, &LessonFinish::nextWanted, this, &LessonPanel::next, Qt::QueuedConnection);
  back_->setEnabled(true);
  next_->setText(lesson.next.isEmpty() ? tr("Close") : tr("Next"));
  scroll_->verticalScrollBar()->setValue(0);
  setAccessibleDescription(finish_->words());
  Spoken::instance().say(this, finish_->words());
  if (strip_) emit heightChanged();
}

void LessonPanel::show_hints(int count) {
  const KeepKeyboard keyboard(this);
  RichText all;
  hints_ = std::min(count, static_cast<int>(words_.hints.size()));
  for (int i = 0; i < hints_; ++i) {
    const RichText& each = words_.hints[static_cast<std::size_t>(i)];
    all.insert(all.end(), each.begin(), each.end());
  }
  hints_text_->set_words(all, value_, type::kText);
  Spoken::instance().say(this, hints_text_->words());
  hint_->setEnabled(hints_ < static_cast<int>(words_.hints.size()));
  fit_columns();
}

void LessonPanel::reveal(const QString& mine, const QString& truth, const QString& distance, LessonText::Value value,
                         const std::string& right) {
  const KeepKeyboard keyboard(this, [this] { return next_stop(); });
  revealed_ = true;
  value_ = std::move(value);
  show_->hide();
  unknown_->hide();
  hint_->hide();
  say(how_, {});
  say(mine_, !mine.isEmpty() ? tr("You said: %1").arg(mine) : presenting_ ? QString() : tr("You did not say."));
  set_ink(mine_, &Tokens::ink);
  say(truth_, truth.isEmpty() ? QString() : tr("The answer: %1").arg(truth));
  own_distance_ = distance;
  told_right_ = right;
  if (vote_) vote_->reveal(right);
  say_distance();
  show_answers();
  reveal_->set_words(words_.reveal, value_, type::kText);
  setAccessibleDescription(all_text());
  Spoken::instance().say(this, joined({mine_->text(), truth_->text(), distance_->text(), reveal_->words()}));
  fit_columns();
  show_after();
}

// What is told afterwards is seen without scrolling, from its beginning and as far as it fits.
void LessonPanel::show_after() {
  tells_after_ = true;
  QTimer::singleShot(0, this, [this] {
    if (!revealed_ || !tells_after_) return;
    // What was drawn or typed stays in sight beside the truth: it begins the page then.
    if (field_ && field_->compares() && !strip_)
      return scroll_->verticalScrollBar()->setValue(field_->mapTo(body_, QPoint()).y() - space::kSmall);
    if (after_->height() + space::kSmall <= scroll_->viewport()->height())
      return scroll_->ensureWidgetVisible(after_, 0, space::kSmall);
    scroll_->verticalScrollBar()->setValue(after_->mapTo(body_, QPoint()).y() - space::kSmall);
  });
}

bool LessonPanel::scroll_on() {
  QScrollBar* bar = scroll_->verticalScrollBar();
  const int line = QFontMetrics(Theme::instance().ui_font(type::kText)).lineSpacing();
  if (bar->maximum() - bar->value() < line) return false;
  bar->setValue(bar->value() + std::max(line, bar->pageStep() - line));
  return true;
}

// One's own, and that of the room, which may go on counting.
void LessonPanel::say_distance() { say(distance_, joined({own_distance_, vote_ ? vote_->summary() : QString()})); }

void LessonPanel::set_done(LessonText::Value value) {
  if (revealed_) return;
  const KeepKeyboard keyboard(this, [this] { return next_stop(); });
  revealed_ = true;
  hint_->hide();
  skip_->hide();
  if (!sliders_) say(how_, {});
  if (step_ && step_->kind == LessonStep::Kind::act) say(distance_, tr("✓ Done."));
  reveal_->set_words(words_.reveal, value, type::kText);
  setAccessibleDescription(all_text());
  Spoken::instance().say(this, joined({distance_->text(), reveal_->words()}));
  fit_columns();
  if (!step_ || step_->kind != LessonStep::Kind::chart) show_after();  // a chart is looked at first
}

void LessonPanel::set_notes(const QStringList& notes) {
  if (notes_->text() != notes.join(QLatin1Char('\n'))) Spoken::instance().say(this, joined(notes));
  say(notes_, notes.join(QStringLiteral("\n")));
  setAccessibleDescription(all_text());
  fit_columns();
}

void LessonPanel::set_sources(const QStringList& sources) {
  say(sources_, sources.isEmpty() ? QString() : tr("Sources: %1").arg(sources.join(QStringLiteral("; "))));
  fit_columns();
}

void LessonPanel::set_chart(const ChartResult* result, double progress, const QString& note) {
  const KeepKeyboard keyboard(this, [this] { return next_stop(); });
  const bool running = progress >= 0 && progress < 1;
  progress_->setVisible(running);
  progress_->setRange(0, 1000);
  progress_->setValue(static_cast<int>(1000 * std::clamp(progress, 0., 1.)));
  measure_->setVisible(!result || running || !result->live);
  measure_->setText(running ? tr("Stop") : tr("Measure"));
  measure_->setProperty(kLook, !result && !running && !revealed_ ? QByteArray("main") : QByteArray());
  measure_->update();
  say(chart_note_, note);
  const bool slides = step_ && step_->chart.slides();
  const bool drawn = !slides || step_->chart.measure == LessonChart::Measure::curve;
  chart_->setVisible(result && drawn);
  fit_columns();
  if (!result) return;
  if (drawn) chart_->set(*result, step_->chart, words_);
  if (!slides) {
    return Spoken::instance().say(this, joined({note, chart_->accessibleDescription()}));
  }
  if (!sliders_) {
    sliders_ = new LessonSliders(step_->chart, words_, answer_place_);
    answer_rows_->addWidget(sliders_);
    connect(sliders_, &LessonSliders::moved, this, [this] { emit slid(sliders_->values()); });
    connect(chart_, &LessonChartPicture::asked, sliders_, [this](double x) { sliders_->move("x", x); });
  }
  sliders_->show_result(*result);
  say(chart_note_, {});
  measure_->setText(tr("Reset"));
  measure_->show();
  fit_columns();
}

void LessonPanel::set_exploring(bool exploring) {
  const KeepKeyboard keyboard(this, [this] { return explore_; });
  exploring_ = exploring;
  explore_->setChecked(exploring);
  explore_->setText(exploring ? tr("Back to the lesson") : tr("Explore freely"));
  scroll_->setEnabled(!exploring);
  next_->setEnabled(!exploring);
  back_->setEnabled(!exploring && at_ > 0);
}

void LessonPanel::set_presenting(bool presenting) {
  presenting_ = presenting;
  // The remote goes on.
  for (QWidget* each : std::initializer_list<QWidget*>{title_, explore_, close_, back_, dots_, next_})
    each->setVisible(!presenting);
  if (presenting) notes_button_->hide();
  const bool asks = step_ && step_->asks();
  show_->setVisible(asks && !presenting && !revealed_);
  unknown_->setVisible(asks && !presenting && !revealed_);
  vote_button_->setVisible(asks && presenting && !vote_);
  if (!presenting && vote_) {
    delete std::exchange(vote_, nullptr);
    if (revealed_) say_distance();
  }
  show_answers();
  language_->setVisible(other_languages_ && !presenting);
  fit_columns();
}

void LessonPanel::speak_step() const { Spoken::instance().say(this, all_text()); }

QString LessonPanel::all_text() const {
  QStringList all;
  for (const LessonText* each : {text_, question_, hints_text_}) all << each->words();
  for (const QLabel* each : {mine_, truth_, distance_}) all << each->text();
  all << reveal_->words();
  all << notes_->text();
  return joined(all);
}

void LessonPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_head();
  if (event->size().width() != event->oldSize().width() && std::exchange(highest_, 0) > 0 && strip_)
    emit heightChanged();          // other lines
  if (tells_after_) show_after();  // a strip grows with what is told
}

void LessonPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_PageDown && next_->isEnabled()) return emit next();
  if (event->key() == Qt::Key_PageUp && back_->isEnabled()) return emit back();
  QWidget::keyPressEvent(event);
}

}  // namespace headlight
