// A lesson in front of a room: what comes next, where its words stand, what the room votes, and what only the teacher
// sees.

#include <QApplication>
#include <QDateTime>
#include <QDockWidget>
#include <QFileInfo>
#include <QGuiApplication>
#include <QScreen>
#include <algorithm>

#include "app/classroom/classroom_facts.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/lesson_panel.h"
#include "app/classroom/lesson_vote.h"
#include "app/classroom/speaker_window.h"
#include "app/classroom/training/lesson_training.h"
#include "app/language.h"
#include "app/lessons/lesson_list.h"
#include "app/presentation/presenter.h"
#include "app/stage/stage.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kWide = 348, kLow = 140;                      // pixels
constexpr double kMostOfWindow = 0.3, kMostOfNarrow = 0.4;  // shares of the window
constexpr int kLongestBeginning = 48;                       // letters, of a step in a list

// The first words of a step that are known without a run.
QString beginning_of(const StepWords& words) {
  for (const RichText* each : {&words.question, &words.text})
    for (const TextBlock& block : *each) {
      if (std::ranges::any_of(block.spans, &TextSpan::value)) continue;
      const QString text = from_utf8(plain_text(block));
      return text.size() > kLongestBeginning ? text.left(kLongestBeginning - 1).trimmed() + QStringLiteral("…") : text;
    }
  return {};
}

QString title_of_lesson(const QString& lesson) {
  for (const Course& each : courses())
    for (const ListedLesson& listed : each.lessons)
      if (from_utf8(listed.name) == lesson)
        return from_utf8(in_language(listed.title, lesson_language().toStdString()));
  return QFileInfo(lesson).fileName();  // a folder
}

}  // namespace

// --- what comes next

std::optional<LessonPlace> Classroom::comes(int direction) const {
  if (!lesson_) return std::nullopt;
  if (is_led()) return order_.comes({opened_, step_}, direction);
  const int step = step_ + direction;
  if (step >= 0 && step < static_cast<int>(lesson_->steps.size())) return LessonPlace{opened_, step};
  const std::string beside = lesson_beside(lesson_->name, direction);
  if (beside.empty()) return std::nullopt;
  return LessonPlace{from_utf8(beside), direction > 0 ? 0 : LessonPlace::kLast};
}

void Classroom::go_on(const std::optional<LessonPlace>& to) {
  if (!to) return window_.status->say(tr("There is nothing behind this page."));
  to->lesson == opened_ ? go(to->step) : open(to->lesson, to->step);
}

// At home a lesson ends where it ends; in front of a room there is a next one.
void Classroom::next() {
  if (!lesson_) return;
  const std::optional<LessonPlace> to = comes(1);
  if (presenting_ || (to && (to->lesson == opened_ || is_led()))) return go_on(to);
  if (!at_end_) return finish();
  to ? open(to->lesson, to->step) : close();
}

void Classroom::back() {
  if (!lesson_) return;
  if (at_end_) return go(step_);
  const std::optional<LessonPlace> to = comes(-1);
  if (to && (presenting_ || to->lesson == opened_ || is_led())) go_on(to);
}

// What has no room yet is read before anything else. The room has answered by hands, if at all.
void Classroom::forward() {
  if (presenting_ && panel_ && panel_->scroll_on()) return;
  if (holds_measurement()) return;
  if (!waits()) return next();
  if (!asks()) return measure();
  answer(panel_->answer_field() && panel_->answer_field()->is_given());
}

// The first press says that something is measured, the next one goes on beside it; nobody leaves the lesson before it
// is there.
bool Classroom::holds_measurement() {
  if (!lesson_ || measuring_ < 0) return false;
  const std::optional<LessonPlace> to = comes(1);
  const bool leaves = !to || to->lesson != opened_;
  if (!leaves && (measuring_ != step_ || said_measuring_)) return false;
  said_measuring_ = true;
  if (measuring_ == step_)
    measure_on();
  else
    window_.status->say(tr("The measurement of step %1 is not there yet.").arg(measuring_ + 1));
  return true;
}

// --- where the words stand

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
    // What the words do not need belongs to the picture.
    const int least = presenting_ ? 0 : static_cast<int>(kLow * scale);
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

// It goes on in the lesson where what had it is put away; the remote needs none there. Hands are typed.
void Classroom::free_keyboard() {
  const QWidget* at = QApplication::focusWidget();
  if (!presenting_ || !panel_->isAncestorOf(at) || panel_->vote()) return;
  if (!at->testAttribute(Qt::WA_InputMethodEnabled)) window_.panels->stage()->setFocus(Qt::OtherFocusReason);
}

// In front of a room words must be whole: those of a card have no picture to leave room for, a chart is one, and while
// the room votes its bars are.
double Classroom::most_of_stage() const {
  const auto kind = lesson_ ? here().kind : LessonStep::Kind::show;
  if (kind == LessonStep::Kind::card) return 0.75;
  if (kind == LessonStep::Kind::chart && !here().state) return 0.9;  // no model is shown
  return kind == LessonStep::Kind::chart || panel_->vote() ? 0.64 : 0.5;
}

void Classroom::set_presenting(bool on) {
  presenting_ = on;
  if (panel_) panel_->set_presenting(on);
  if (training_) training_->set_presenting(on);
  if (on) begin_room(false);
  fit();
  const LessonPlace now{opened_, step_};
  const LessonPlace before = std::exchange(presented_from_, on ? now : LessonPlace());
  // The window has the pictures of before again: those of another step are wrong. And the room sees what it would see
  // if the step had come in front of it.
  const bool beside = lesson_ && !(here().side.empty() && here().below.empty());
  if (lesson_ && (on ? beside : before != now)) {
    layout_shown_.clear();
    if (!exploring()) show_views();
  }
  fit_notes();
}

// --- what the room votes

void Classroom::begin_room(bool another) {
  const QDateTime now = QDateTime::currentDateTime();
  if (!another) room_ = progress_.room(now.toSecsSinceEpoch());
  if (another || room_.isEmpty()) room_ = now.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
  if (!another) return show_vote();
  LessonVote* shown = panel_ ? panel_->vote() : nullptr;
  if (!shown) return;
  LessonVote::Hands none = shown->hands();
  for (auto& [id, rounds] : none) rounds = {};
  shown->set_hands(none);
  shown->set_round(0);
}

// What this class has voted before.
void Classroom::show_vote() {
  if (!lesson_ || !presenting_ || !facts_ || !here().asks()) return;
  const LessonRecord* record = progress_.find(name_);
  const RoomVote* vote = record ? record->vote(from_utf8(here().id), room_) : nullptr;
  if (!vote) return;
  panel_->show_vote(vote->hands);
  panel_->vote()->set_fields_shown(!window_.presenter->has_own_screen());
}

void Classroom::vote() {
  if (!lesson_ || !presenting_ || exploring() || !facts_ || !here().asks()) return;
  LessonVote* shown = panel_->vote();
  if (!shown)
    panel_->show_vote({});
  else
    shown->set_round(1 - shown->round());
  shown = panel_->vote();
  if (!shown) return;
  const bool elsewhere = window_.presenter->has_own_screen() && notes_window_;
  shown->set_fields_shown(!elsewhere);
  fit();
  show_notes();
  elsewhere ? notes_window_->focus_vote(shown->round()) : shown->focus_first();
}

void Classroom::keep_vote(const std::map<QString, std::array<int, 2>>& hands) {
  if (!lesson_) return;
  progress_.vote(name_, {from_utf8(here().id), hands, right_choice(), room_, QDateTime::currentSecsSinceEpoch()});
  show_notes();
}

// --- what the teacher sees

QRect place_beside(const QList<QRect>& screens, const QRect& taken, QSize size) {
  for (const QRect& each : screens) {
    if (each.intersects(taken)) continue;
    QRect place(QPoint(), size.boundedTo(each.size()));
    place.moveCenter(each.center());
    return place;
  }
  return {};
}

QSize Classroom::notes_size() { return {420, 360}; }

std::optional<QRect> Classroom::notes_place(QSize size) const {
  QList<QRect> screens;
  for (const QScreen* each : QGuiApplication::screens()) screens << each->availableGeometry();
  const QRect place = place_beside(screens, window_.window->screen()->availableGeometry(), size);
  return place.isNull() ? std::nullopt : std::optional(place);
}

void Classroom::make_notes() {
  if (notes_window_) return;
  notes_window_ = new SpeakerWindow(window_.window, window_.window);
  connect(notes_window_, &SpeakerWindow::acted, window_.presenter, &Presenter::act);
  connect(notes_window_, &SpeakerWindow::roomWanted, this, [this] { begin_room(true); });
  connect(notes_window_, &SpeakerWindow::finished, this, [this] { notes_wanted_ = notes_wanted_ && presenting_; });
  connect(notes_window_, &SpeakerWindow::counted, this, [this](const LessonVote::Hands& hands) {
    if (!panel_->vote()) panel_->show_vote({});
    LessonVote* vote = panel_->vote();
    if (!vote) return;
    vote->set_fields_shown(!window_.presenter->has_own_screen());
    vote->set_hands(hands);
  });
}

void Classroom::open_notes() {
  if (!lesson_) return;
  make_notes();
  notes_wanted_ = true;
  notes_window_->resize(notes_size());
  if (const std::optional<QRect> place = notes_place(notes_size())) notes_window_->setGeometry(*place);
  show_notes();
  notes_window_->show();
  notes_window_->raise();
  look_ahead();  // for who sees it
}

// The room sees one screen: whoever has another one finds the notes there. On the only one they would lie on top of
// what is presented.
void Classroom::fit_notes() {
  if (!lesson_) return;
  if (presenting_ && window_.presenter->has_own_screen()) {
    make_notes();
    notes_window_->set_presenting(true, window_.presenter->type_before());
    if (std::exchange(presented_, opened_) != opened_) notes_window_->begin();
    notes_window_->setGeometry(window_.presenter->screen_before()->availableGeometry());
    if (panel_->vote()) panel_->vote()->set_fields_shown(false);
    show_notes();
    notes_window_->show();
    return look_ahead();
  }
  if (!notes_window_) return;
  notes_window_->set_presenting(false, window_.presenter->type_before());
  if (presenting_) return notes_window_->hide();
  if (!notes_wanted_) {
    notes_window_->close();
    return notes_window_.clear();
  }
  open_notes();
}

// With its values, as soon as its run is there; computed while this step is talked about.
void Classroom::look_ahead() {
  ahead_.reset();
  const std::optional<LessonPlace> to = comes(1);
  if (!notes_window_ || !notes_window_->isVisible() || !to || to->lesson != opened_) return looker_.stop(), void();
  if (!ahead_runs_) ahead_runs_ = std::make_shared<LessonRuns>(lesson_);
  looker_.start([this, runs = ahead_runs_, step = to->step](const CancelToken& cancel) -> BackgroundThread::Delivery {
    return [this, runs, facts = facts_of(*runs, step, cancel)] {
      if (!lesson_ || runs != ahead_runs_) return;
      ahead_ = facts;
      show_notes();
    };
  });
}

void Classroom::show_notes() {
  if (!notes_window_ || !lesson_) return;
  const LessonWords& words = lesson_->in(lesson_language().toStdString());
  const auto at = static_cast<std::size_t>(step_);
  const auto answer_in = [&](const Facts& facts) {
    const auto step = static_cast<std::size_t>(facts.step);
    return facts.truth ? answer_text(*facts.truth, lesson_->steps[step], words.steps[step], facts.answers) : QString();
  };
  SpeakerWindow::Notes notes;
  notes.lesson = from_utf8(words.title);
  notes.place = tr("Step %1 of %2").arg(at + 1).arg(words.steps.size());
  notes.at = step_;
  notes.minutes = is_led() ? order_.minutes(opened_) : lesson_->minutes;
  if (is_led()) notes.place = order_.place(opened_) + QStringLiteral(" · ") + notes.place;
  for (const StepWords& each : words.steps) notes.steps << beginning_of(each);
  notes.now.text = words.steps[at].teacher.empty() ? words.teacher : words.steps[at].teacher;
  if (facts_ && facts_->problem.isEmpty()) {
    notes.now.value = value_of(facts_->values);
    notes.now.answer = answer_in(*facts_);
  }
  if (const std::optional<LessonPlace> to = comes(1); to && to->lesson == opened_) {
    const StepWords& next = words.steps[static_cast<std::size_t>(to->step)];
    notes.next.text = next.text;
    notes.next.text.insert(notes.next.text.end(), next.question.begin(), next.question.end());
    if (ahead_ && ahead_->step == to->step && ahead_->problem.isEmpty()) {
      notes.next.value = value_of(ahead_->values);
      notes.next.answer = answer_in(*ahead_);
    }
  } else if (to) {
    notes.next_title = is_led() ? order_.title(to->lesson) : title_of_lesson(to->lesson);
  }
  notes_window_->set_notes(notes);
  const bool votes = presenting_ && here().asks();
  notes_window_->set_vote(votes ? LessonVote::answers_of(here(), words.steps[at]) : std::vector<LessonVote::Answer>(),
                          panel_->vote() ? panel_->vote()->hands() : LessonVote::Hands());
}

}  // namespace headlight
