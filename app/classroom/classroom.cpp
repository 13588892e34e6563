#include "app/classroom/classroom.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDateTime>
#include <QDialog>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMouseEvent>

#include "app/classroom/classroom_facts.h"
#include "app/classroom/glossary_dialog.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/stage/stage.h"
#include "app/text/output_column.h"
#include "widgets/base/controls.h"
#include "widgets/base/focus.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kWide = 348, kLow = 140, kClick = 400;  // pixels; milliseconds from a click to its selection
constexpr double kMostOfWindow = 0.3, kMostOfNarrow = 0.4, kStageLeast = 0.38;  // shares of the window

}  // namespace

Classroom::Classroom(const TaughtWindow& window, const QString& progress)
    : QObject(window.window), window_(window), progress_(progress), thread_([this](const QString& message, bool) {
        measuring_ = false;
        emit failed(message);
      }) {
  connect(window_.selection, &Selection::changed, this, [this](const SelectionState& state) {
    if (!lesson_) return;
    const bool click = clicked_.isValid() && clicked_.elapsed() < kClick;
    const bool cells = here().answer.kind == LessonAnswer::Kind::cells;
    if (asks() && panel_->answer_field() && (click || cells)) {
      panel_->answer_field()->pick(state.step, state.source_token, click);
      clicked_.invalidate();
      // Not chosen any more, so that a second click on the same place takes it back.
      if (click)
        QMetaObject::invokeMethod(
            this, [this] { window_.selection->set({}); }, Qt::QueuedConnection);
    }
    look();
  });
}

Classroom::~Classroom() { thread_.stop(); }

void Classroom::run_shown() {
  open_number();
  look();
}

void Classroom::make_widgets() {
  if (dock_) return;
  dock_ = new QDockWidget(window_.window);
  dock_->setObjectName(QStringLiteral("lesson_dock"));
  dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
  dock_->setTitleBarWidget(new QWidget(dock_));
  panel_ = new LessonPanel(dock_);
  dock_->setWidget(panel_);
  window_.window->addDockWidget(Qt::LeftDockWidgetArea, dock_);
  QWidget* stage = window_.panels->stage();
  overlay_ = new LessonOverlay(stage);
  connect(panel_, &LessonPanel::next, this, &Classroom::next);
  connect(panel_, &LessonPanel::back, this, &Classroom::back);
  connect(panel_, &LessonPanel::chosen, this, &Classroom::go);
  connect(panel_, &LessonPanel::closed, this, &Classroom::close);
  connect(panel_, &LessonPanel::exploreToggled, this, [this] { explore(!exploring()); });
  connect(panel_, &LessonPanel::answered, this, &Classroom::answer);
  connect(panel_, &LessonPanel::followed, this, &Classroom::follow);
  connect(panel_, &LessonPanel::languageChosen, this, &Classroom::languageWanted);
  connect(panel_, &LessonPanel::notesWanted, this, &Classroom::open_notes);
  connect(panel_, &LessonPanel::heightChanged, this, &Classroom::fit, Qt::QueuedConnection);
  connect(panel_, &LessonPanel::measureToggled, this, &Classroom::measure);
  connect(panel_, &LessonPanel::slid, this, &Classroom::slide);
  connect(panel_, &LessonPanel::voted, this, [this](const auto& hands) {
    if (lesson_) progress_.vote(name_, {from_utf8(here().id), hands, right_choice()});
  });
  overlay_->set_source([this] {
    cover();
    return picture();
  });
  qApp->installEventFilter(this);
  fit();
}

bool Classroom::eventFilter(QObject* watched, QEvent* event) {
  if (!lesson_) return QObject::eventFilter(watched, event);
  const auto kind = event->type();
  const bool tells = kind == QEvent::ToolTip || kind == QEvent::ContextMenu || kind == QEvent::WhatsThis;
  if (tells && watched == static_cast<QObject*>(window_.views->column()) && withholds()) return true;
  if (tells && covers()) {
    // Over what is closed nothing says what it is; buttons go on saying what they do.
    const auto* widget = qobject_cast<const QWidget*>(watched);
    if (widget && window_.panels->stage()->isAncestorOf(widget) && !qobject_cast<const QAbstractButton*>(widget))
      return true;
  }
  if (event->type() == QEvent::MouseButtonPress) {
    const auto* widget = qobject_cast<const QWidget*>(watched);
    if (widget && window_.panels->stage()->isAncestorOf(widget)) {
      clicked_.start();
      pick_name(widget, static_cast<QMouseEvent*>(event)->position());
      if (std::exchange(spot_, false)) overlay_->refresh();  // who works does not want the veil
    }
  } else if (event->type() == QEvent::KeyPress && notes_window_) {
    // The remote goes on wherever the keyboard is.
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const int key = static_cast<const QKeyEvent*>(event)->key();
    if (widget && widget->window() == notes_window_ && (key == Qt::Key_PageDown || key == Qt::Key_PageUp)) {
      key == Qt::Key_PageUp ? back() : presenting_ ? forward() : next();
      return true;
    }
  } else if (event->type() == QEvent::Resize && watched == window_.window) {
    fit();
  }
  return QObject::eventFilter(watched, event);
}

void Classroom::fit() {
  if (!dock_) return;
  const double scale = Theme::instance().font_scale();
  const bool strip = presenting_ || window_.window->width() < kNarrow;
  const auto area = strip ? Qt::TopDockWidgetArea : Qt::LeftDockWidgetArea;
  if (window_.window->dockWidgetArea(dock_) != area) {
    window_.window->removeDockWidget(dock_);
    window_.window->addDockWidget(area, dock_);
    dock_->setVisible(lesson_ != nullptr);
  }
  panel_->set_strip(strip);
  panel_->setMinimumSize(0, 0);
  panel_->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
  if (strip) {
    const double high = window_.window->height();
    const int least = static_cast<int>(presenting_ ? kStageLeast * high : kLow * scale);
    const int most = static_cast<int>((presenting_ ? most_of_stage() : kMostOfNarrow) * high);
    const int wanted = std::clamp(panel_->strip_height(), std::min(least, most), most);
    panel_->setFixedHeight(wanted);
    // Else the window would grow by what the rest of it lacks, and this with it.
    if (const int lacking = window_.window->minimumSizeHint().height() - static_cast<int>(high); lacking > 0)
      panel_->setFixedHeight(std::max(wanted - lacking, kLow));
  } else {
    panel_->setFixedWidth(
        std::min(static_cast<int>(kWide * scale), static_cast<int>(kMostOfWindow * window_.window->width())));
  }
}

// In front of a room words must be whole: those of a card have no picture to leave room for, a chart is one.
double Classroom::most_of_stage() const {
  const auto kind = lesson_ ? here().kind : LessonStep::Kind::show;
  return kind == LessonStep::Kind::card ? 0.75 : kind == LessonStep::Kind::chart ? 0.64 : 0.46;
}

void Classroom::open(const QString& name_or_folder, int step) {
  try {
    const std::shared_ptr<const Lesson> lesson = load_lesson(bytes_of(name_or_folder));
    open(lesson, step);
    // A bundled one is in the list as it is.
    if (const QFileInfo folder(name_or_folder); folder.isDir())
      progress_.opened({folder.canonicalFilePath(), from_utf8(lesson->in(lesson_language().toStdString()).title)});
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void Classroom::open(const std::shared_ptr<const Lesson>& lesson, int step) {
  if (!lesson_) {
    document_before_ = window_.runs->session().document().model
                           ? std::make_shared<const Document>(window_.runs->session().document())
                           : nullptr;
    layout_before_ = window_.panels->save_state();
  }
  thread_.stop();
  make_widgets();
  lesson_ = lesson;
  runs_ = std::make_shared<LessonRuns>(lesson);
  name_ = from_utf8(lesson->name);
  const LessonRecord* record = progress_.find(name_);
  const int count = static_cast<int>(lesson->steps.size());
  if (step < 0) step = record && record->step + 1 < count ? record->step : 0;
  dock_->show();
  overlay_->show();
  fit();
  panel_->next_stop()->setFocus(Qt::OtherFocusReason);
  go(std::clamp(step, 0, count - 1));
}

void Classroom::close() {
  if (!lesson_) return;
  thread_.stop();
  const bool keyboard = panel_->isAncestorOf(QApplication::focusWidget());
  lesson_.reset();
  runs_.reset();
  facts_.reset();
  measuring_ = false;
  layout_shown_.clear();
  cover();
  dock_->hide();
  overlay_->hide();
  if (notes_window_) notes_window_->close();
  if (glossary_) glossary_->close();
  window_.panels->restore_state(layout_before_);
  if (document_before_) window_.runs->session().start(*document_before_);
  if (keyboard) window_.panels->focus_panel(window_.panels->front(), Qt::OtherFocusReason);
  emit changed();
}

bool Classroom::asks() const {
  return lesson_ && !revealed_ && !exploring() && here().kind == LessonStep::Kind::predict;
}

bool Classroom::exploring() const { return panel_ && panel_->exploring(); }

bool Classroom::waits() const {
  if (!lesson_ || revealed_ || exploring() || !facts_) return false;
  return asks() || (here().kind == LessonStep::Kind::chart && here().asks_first(words()) && !measuring_);
}

void Classroom::set_presenting(bool on) {
  presenting_ = on;
  if (panel_) panel_->set_presenting(on);
  fit();
  // The window has the pictures of before again: those of another step are wrong.
  if (const int before = std::exchange(presented_from_, on ? step_ : -1); !on && lesson_ && before != step_) {
    layout_shown_.clear();
    if (!exploring()) show_views();
  }
  // The room sees one screen; whoever has another one finds the notes there.
  if (on && lesson_ && notes_place(notes_size())) open_notes();
}

void Classroom::next() {
  if (!lesson_) return;
  if (step_ + 1 < static_cast<int>(lesson_->steps.size())) return go(step_ + 1);
  if (presenting_) return;
  if (!at_end_) return finish();
  const QString name = next_lesson();
  name.isEmpty() ? close() : open(name);
}

// What has no room yet is read before anything else. The room has answered by hands, if at all.
void Classroom::forward() {
  if (presenting_ && panel_ && panel_->scroll_on()) return;
  if (!waits()) return next();
  if (!asks()) return measure();
  answer(panel_->answer_field() && panel_->answer_field()->is_given());
}

void Classroom::back() {
  if (lesson_ && at_end_) return go(step_);
  if (lesson_ && step_ > 0) go(step_ - 1);
}

std::function<std::optional<std::string>(const TextSpan&)> Classroom::value_of(Values values) const {
  return [values = std::move(values)](const TextSpan& span) -> std::optional<std::string> {
    const auto found = values.find(span.text);
    return found == values.end() ? std::nullopt : std::optional(value_text(found->second, span.decimals));
  };
}

void Classroom::go(int step) {
  if (!lesson_ || step < 0 || step >= static_cast<int>(lesson_->steps.size())) return;
  thread_.stop();
  measuring_ = false;
  step_ = step;
  at_end_ = false;
  revealed_ = false;
  given_.reset();
  facts_.reset();
  number_.reset();
  measured_.clear();
  told_.clear();
  look_again_ = false;
  panel_->set_exploring(false);
  show_words();
  const std::string language = lesson_language().toStdString();
  progress_.reach(name_, from_utf8(lesson_->in(language).title), step, static_cast<int>(lesson_->steps.size()),
                  QDateTime::currentSecsSinceEpoch());
  thread_.start([this, runs = runs_, step](const CancelToken& cancel) -> BackgroundThread::Delivery {
    return [this, facts = facts_of(*runs, step, cancel)] { show_facts(facts); };
  });
  show_notes();
  emit changed();
}

void Classroom::show_views() {
  Arrangements wanted;
  if (!here().arrangement.empty()) wanted.current = from_utf8(here().arrangement);
  // The picture in front stays from step to step.
  for (int i = 0; i <= step_; ++i)
    if (const auto& each = lesson_->steps[static_cast<std::size_t>(i)]; !each.view.empty())
      wanted.front = from_utf8(each.view);
  Arrangement open = Arrangements::first(wanted.current);
  for (const std::string& each : here().side)
    if (!open[Slot::side].contains(from_utf8(each))) open[Slot::side] << from_utf8(each);
  for (const std::string& each : here().below)
    if (!open[Slot::below].contains(from_utf8(each))) open[Slot::below] << from_utf8(each);
  wanted.all[wanted.current] = open;
  const QByteArray layout = wanted.json();
  // What was opened beside the picture would say what is asked for.
  const bool stays = !covers() && window_.panels->front() == wanted.front;
  if (std::exchange(layout_shown_, layout) == layout && stays) return;
  window_.panels->restore_state(layout);
}

void Classroom::show_facts(const std::shared_ptr<const Facts>& facts) {
  if (!lesson_ || facts->step != step_) return;
  facts_ = facts;
  const StepWords& words = this->words();
  if (!facts->problem.isEmpty()) {
    panel_->set_notes({facts->problem});
    emit shown(step_);
    return;
  }
  fill_panel();
  if (facts->document) {
    window_.selection->set({});
    if (!(*facts->document == window_.runs->session().document())) window_.runs->session().start(*facts->document);
  }
  show_views();
  if (facts->select)
    show_target(*facts->select);
  else if (facts->document && (facts->selection.step || facts->selection.source_token || facts->selection.entry))
    window_.selection->set(facts->selection);
  if (facts->spot && here().kind != LessonStep::Kind::predict) want_number(*facts->spot);
  spot_ = true;
  overlay_->light_up();
  panel_->speak_step();
  if (here().kind == LessonStep::Kind::chart) here().asks_first(words) ? panel_->set_chart(nullptr, -1, {}) : measure();
  emit shown(step_);
}

// All that the facts of the step say, in the language of now.
void Classroom::fill_panel() {
  const StepWords& words = this->words();
  panel_->show_step(here(), words, step_, static_cast<int>(lesson_->steps.size()), value_of(facts_->values));
  if (here().kind == LessonStep::Kind::predict)
    panel_->set_answer_field(make_answer_field(here(), words, facts_->answers, panel_));
  const LessonRecord* record = progress_.find(name_);
  if (const RoomVote* vote = record ? record->vote(from_utf8(here().id)) : nullptr) panel_->show_vote(vote->hands);
  notes_ = notes_of(facts_->failed, words);
  panel_->set_notes(here().kind == LessonStep::Kind::predict ? QStringList() : notes_);
  if (step_ + 1 < static_cast<int>(lesson_->steps.size())) return;
  QStringList sources;
  for (const std::string& each : lesson_->sources_in(lesson_language().toStdString())) sources << from_utf8(each);
  panel_->set_sources(sources);
}

QStringList Classroom::notes_of(const FoundConditions& failed, const StepWords& words) {
  QStringList notes;
  for (const auto& [expectation, checked] : failed)
    notes << tr("Not so on this machine: %1 (%2)").arg(claim_text(*expectation, words), from_utf8(checked.found));
  return notes;
}

void Classroom::explore(bool on) {
  if (!lesson_ || on == exploring()) return;
  if (!on) return go(step_);
  panel_->set_exploring(true);
  spot_ = false;
  overlay_->refresh();
  look();
  emit changed();
}

// Another language keeps the step, what was answered, measured and done there, and what is explored.
void Classroom::retranslate() {
  if (!lesson_) return;
  const KeepKeyboard keyboard(panel_);
  const std::optional<ExpressionValue> typed =
      asks() && panel_->answer_field() && panel_->answer_field()->is_given() ? panel_->answer_field()->value() : given_;
  const int hints = panel_->hints_shown();
  show_words();
  show_notes();
  if (glossary_ && glossary_->isVisible()) follow(QStringLiteral("word:") + glossary_->entry());
  emit changed();
  if (at_end_) return finish();
  if (!facts_ || !facts_->problem.isEmpty()) return;
  fill_panel();
  if (AnswerField* field = panel_->answer_field(); field && typed) field->set(*typed);
  const bool asked = here().kind == LessonStep::Kind::predict;
  panel_->show_hints(hints);
  if (const ChartResult* chart = runs_->chart(step_); chart && !thread_.busy())
    panel_->set_chart(chart, -1, chart->live ? tr("Measured just now, on this machine.") : tr("Recorded before."));
  if (revealed_ && asked) tell_answer();
  if (revealed_ && !asked) panel_->set_done(value_of(told_));
  panel_->set_exploring(exploring());
}

QStringList Classroom::titles() const {
  if (!lesson_ || exploring()) return {};
  const std::string language = lesson_language().toStdString();
  const QString step = tr("step %1 of %2").arg(step_ + 1).arg(lesson_->steps.size());
  const QString title = from_utf8(lesson_->in(language).title), dot = QStringLiteral(" · ");
  QStringList all = {title + dot + step, title, step};
  for (const Course& each : courses())
    if (lesson_->name.starts_with(each.name + "/"))
      if (const auto found = each.words.find(language); found != each.words.end())
        all.prepend(from_utf8(found->second.title) + dot + QString::number(lesson_->order) + QLatin1Char(' ') + title +
                    dot + step);
  return all;
}

const LessonStep& Classroom::here() const { return lesson_->steps[static_cast<std::size_t>(step_)]; }

const StepWords& Classroom::words() const {
  return lesson_->in(lesson_language().toStdString()).steps[static_cast<std::size_t>(step_)];
}

void Classroom::show_words() {
  panel_->retranslate();
  const std::string language = lesson_language().toStdString();
  const LessonWords& words = lesson_->in(language);
  panel_->set_title(from_utf8(words.title));
  QStringList languages;
  for (const LessonWords& each : lesson_->words) languages << from_utf8(each.language);
  panel_->set_languages(languages, from_utf8(words.language), lesson_language());
  const auto at = static_cast<std::size_t>(step_);
  panel_->show_step(lesson_->steps[at], words.steps[at], step_, static_cast<int>(lesson_->steps.size()), nullptr);
}

}  // namespace headlight
