#include "app/classroom/classroom.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDateTime>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMouseEvent>

#include "app/classroom/classroom_facts.h"
#include "app/classroom/glossary_dialog.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/speaker_window.h"
#include "app/classroom/training/lesson_training.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/panels/document_views.h"
#include "app/stage/stage.h"
#include "app/text/output_column.h"
#include "widgets/base/controls.h"
#include "widgets/base/focus.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kClick = 400;  // milliseconds from a click to its selection

}  // namespace

Classroom::Classroom(const TaughtWindow& window, const QString& progress)
    : QObject(window.window),
      window_(window),
      progress_(progress),
      thread_([this](const QString& message, bool) { emit failed(message); }),
      measurer_([this](const QString& message, bool) {
        if (const int step = std::exchange(measuring_, -1); step == step_) panel_->set_chart(nullptr, -1, {});
        emit failed(message);
      }),
      looker_(nullptr) {
  // What will not come is not waited for.
  connect(window_.runs, &RunController::stopped, this, [this] { arrived_ = true; });
  connect(window_.runs, &RunController::failed, this, [this] { arrived_ = true; });
  connect(window_.runs, &RunController::modelFailed, this, [this] { arrived_ = true; });
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

Classroom::~Classroom() {
  for (BackgroundThread* each : {&thread_, &measurer_, &looker_}) each->stop();
}

void Classroom::run_shown() {
  arrived_ = arrived_ || has_run();
  open_number();
  look();
}

bool Classroom::has_run() const {
  if (!facts_) return false;
  if (!facts_->document || !facts_->document->model) return true;
  const std::shared_ptr<const Result> run = window_.runs->result();
  return run && run->model->name == facts_->document->model->name && run->inputs() == facts_->document->inputs();
}

void Classroom::make_widgets() {
  if (dock_) return;
  dock_ = new QDockWidget(window_.window);
  dock_->setObjectName(QStringLiteral("lesson_dock"));
  dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
  dock_->setTitleBarWidget(new QWidget(dock_));
  panel_ = new LessonPanel(dock_);
  dock_->setWidget(panel_);
  panel_->set_presenting(presenting_);
  window_.window->addDockWidget(Qt::LeftDockWidgetArea, dock_);
  QWidget* stage = window_.panels->stage();
  training_ = new LessonTrainingPage(stage);
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
  connect(panel_, &LessonPanel::voteWanted, this, &Classroom::vote);
  connect(panel_, &LessonPanel::voted, this, &Classroom::keep_vote);
  connect(panel_, &LessonPanel::roomWanted, this, [this] { begin_room(true); });
  connect(training_, &LessonTrainingPage::drew, this, [this] {
    const std::vector<double> shares = training_->drawn();
    if (asks() && panel_->answer_field() && !shares.empty())
      panel_->answer_field()->set(NumberList{{static_cast<long>(shares.size())}, shares, false});
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
  } else if (event->type() == QEvent::KeyPress && notes_window_ && !presenting_) {
    // The lesson goes on wherever the keyboard is.
    const auto* widget = qobject_cast<const QWidget*>(watched);
    const int key = static_cast<const QKeyEvent*>(event)->key();
    if (widget && widget->window() == notes_window_ && (key == Qt::Key_PageDown || key == Qt::Key_PageUp)) {
      key == Qt::Key_PageUp ? back() : next();
      return true;
    }
  } else if (event->type() == QEvent::Resize && watched == window_.window) {
    fit();
  }
  return QObject::eventFilter(watched, event);
}

void Classroom::open(const QString& name_or_folder, int step) {
  try {
    const bool led = order_.has && order_.has(name_or_folder);
    const std::shared_ptr<const Lesson> lesson =
        led ? order_.load(name_or_folder) : load_lesson(bytes_of(name_or_folder));
    open(lesson, step, name_or_folder);
    // A bundled one is in the list as it is.
    if (const QFileInfo folder(name_or_folder); folder.isDir())
      progress_.opened({folder.canonicalFilePath(), from_utf8(lesson->in(lesson_language().toStdString()).title)});
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void Classroom::open(const std::shared_ptr<const Lesson>& lesson, int step, const QString& as) {
  if (!lesson_) {
    document_before_ = window_.runs->session().document().model
                           ? std::make_shared<const Document>(window_.runs->session().document())
                           : nullptr;
    layout_before_ = window_.panels->save_state();
    choices_before_ = choices_shown_ = window_.views->choices();
  }
  forget_runs();
  make_widgets();
  const std::shared_ptr<const Lesson> before = std::exchange(lesson_, lesson);  // the panel shows it until go()
  runs_ = std::make_shared<LessonRuns>(lesson);
  name_ = from_utf8(lesson->name);
  opened_ = as.isEmpty() ? name_ : as;
  const LessonRecord* record = progress_.find(name_);
  const int count = static_cast<int>(lesson->steps.size());
  if (step < 0) step = record && record->step + 1 < count ? record->step : 0;
  step_ = std::clamp(step, 0, count - 1);
  dock_->show();
  overlay_->show();
  fit();
  if (!presenting_) panel_->next_stop()->setFocus(Qt::OtherFocusReason);
  go(step_);
  if (presenting_) fit_notes();
}

// What runs for a lesson ends with it.
void Classroom::forget_runs() {
  for (BackgroundThread* each : {&thread_, &measurer_, &looker_}) each->stop();
  measuring_ = waits_to_measure_ = -1;
  charts_.clear();
  ahead_runs_.reset();
  for (auto* each : {&facts_, &ahead_}) each->reset();
}

void Classroom::close() {
  if (!lesson_) return;
  forget_runs();
  const bool keyboard = panel_->isAncestorOf(QApplication::focusWidget());
  panel_->leave_step();
  lesson_.reset();
  runs_.reset();
  facts_.reset();
  arrived_ = true;
  layout_shown_.clear();
  cover();
  dock_->hide();
  overlay_->hide();
  training_->leave();
  if (notes_window_) notes_window_->close();
  if (glossary_) glossary_->close();
  window_.panels->restore_state(layout_before_);
  window_.views->set_choices(choices_before_);
  if (document_before_) window_.runs->session().start(*document_before_);
  if (keyboard) window_.panels->focus_panel(window_.panels->front(), Qt::OtherFocusReason);
  emit changed();
}

bool Classroom::asks() const { return lesson_ && !revealed_ && !exploring() && here().asks(); }

bool Classroom::exploring() const { return panel_ && panel_->exploring(); }

bool Classroom::waits() const {
  if (!lesson_ || revealed_ || exploring() || !facts_) return false;
  return asks() || (here().kind == LessonStep::Kind::chart && here().asks_first(words()) && measuring_ != step_);
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
  waits_to_measure_ = -1;
  said_measuring_ = false;
  step_ = step;
  at_end_ = false;
  revealed_ = false;
  given_.reset();
  facts_.reset();
  number_.reset();
  slid_.clear();
  told_.clear();
  look_again_ = arrived_ = false;
  gone_.start();
  panel_->set_exploring(false);
  show_words();
  const std::string language = lesson_language().toStdString();
  progress_.reach(name_, from_utf8(lesson_->in(language).title), step, static_cast<int>(lesson_->steps.size()),
                  QDateTime::currentSecsSinceEpoch());
  std::map<int, ChartResult> charts;
  for (const auto& [at, made] : charts_) charts[at] = made->chart;
  thread_.start([this, runs = runs_, step, charts](const CancelToken& cancel) -> BackgroundThread::Delivery {
    for (const auto& [at, made] : charts)
      if (!runs->chart(at)) runs->keep(at, made);
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

// In each picture what the step chose there, else what was chosen before the lesson.
void Classroom::show_choices() {
  if (!here().state) return;
  QVariantMap wanted = choices_before_;
  wanted.insert(here().state->views);
  if (std::exchange(choices_shown_, wanted) != wanted) window_.views->set_choices(wanted);
}

void Classroom::show_facts(const std::shared_ptr<const Facts>& facts) {
  if (!lesson_ || facts->step != step_) return;
  facts_ = facts;
  if (!facts->problem.isEmpty()) {
    arrived_ = true;
    training_->leave();
    panel_->set_notes({facts->problem});
    emit shown(step_);
    return;
  }
  fill_panel();
  if (facts->document) {
    window_.selection->set({});
    if (!(*facts->document == window_.runs->session().document())) window_.runs->session().start(*facts->document);
  }
  show_choices();
  show_views();
  show_training();
  if (facts->select)
    show_target(*facts->select);
  else if (facts->document && (facts->selection.step || facts->selection.source_token || facts->selection.entry))
    window_.selection->set(facts->selection);
  if (facts->spot && !here().asks()) want_number(*facts->spot);
  spot_ = true;
  overlay_->light_up();
  panel_->speak_step();
  if (here().kind == LessonStep::Kind::chart) show_chart();
  arrived_ = arrived_ || has_run();
  show_notes();
  look_ahead();
  free_keyboard();
  emit shown(step_);
}

// Over the views; what is drawn there and what is drawn in the panel are one answer. A card behind trainings leaves the
// last one there.
void Classroom::show_training() {
  if (!facts_->training) return training_->leave();
  const int at = training_step(*lesson_, step_);
  training_->show_step(lesson_->steps[static_cast<std::size_t>(at)], facts_->training, facts_->training_before, asks());
}

// All that the facts of the step say, in the language of now.
void Classroom::fill_panel() {
  const StepWords& words = this->words();
  panel_->show_step(here(), words, step_, static_cast<int>(lesson_->steps.size()), value_of(facts_->values));
  if (here().asks()) panel_->set_answer_field(make_answer_field(here(), words, facts_->answers, panel_));
  if (AnswerField* field = panel_->answer_field(); field && here().answer.kind == LessonAnswer::Kind::curve)
    connect(field, &AnswerField::changed, training_, [this, field] {
      const std::optional<ExpressionValue> value = field->value();
      if (const auto* curve = value ? std::get_if<NumberList>(&*value) : nullptr) training_->draw(curve->values);
    });
  show_vote();
  notes_ = notes_of(facts_->failed, words);
  panel_->set_notes(here().asks() ? QStringList() : notes_);
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
  training_->leave();
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
  const bool asked = here().asks();
  panel_->show_hints(hints);
  if (const auto made = charts_.find(step_); made != charts_.end()) {
    const ChartResult& chart = made->second->chart;
    panel_->set_chart(&chart, -1, chart.live ? tr("Measured just now, on this machine.") : tr("Recorded before."));
  }
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
