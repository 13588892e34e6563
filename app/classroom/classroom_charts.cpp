// What the charts of a lesson measure: beside the window, whatever step one goes to meanwhile; what is measured is kept
// as long as the lesson is open.

#include <QElapsedTimer>

#include "app/classroom/classroom_facts.h"
#include "app/classroom/lesson_panel.h"
#include "app/language.h"

namespace headlight {

void Classroom::show_chart() {
  if (const auto made = charts_.find(step_); made != charts_.end()) return show_measured(*made->second);
  if (measuring_ == step_) return measure_on();
  here().asks_first(words()) ? panel_->set_chart(nullptr, -1, {}) : measure();
}

void Classroom::show_measured(const Measured& made) {
  panel_->set_chart(&made.chart, -1, made.note);
  if (!made.failed.empty()) panel_->set_notes(notes_of(made.failed, words()));
  if (here().chart.slides())
    slid_ = made.values;  // what it says follows the first move
  else
    tell_done(made.values);
}

// How far it is; and whoever wants to go on is told that nothing is lost.
void Classroom::measure_on() {
  panel_->set_chart(nullptr, measured_part_,
                    !said_measuring_ ? tr("Measuring on this machine…")
                    : step_ + 1 < static_cast<int>(lesson_->steps.size())
                        ? tr("Measuring… The next key goes on, and what is measured is kept.")
                        : tr("Measuring… The next key goes on when it is there."));
}

void Classroom::measure() {
  if (measuring_ == step_) return stop_measuring();
  if (measuring_ >= 0) {
    const bool waited = std::exchange(waits_to_measure_, waits_to_measure_ == step_ ? -1 : step_) == step_;
    return panel_->set_chart(nullptr, waited ? -1 : 0,
                             waited ? tr("Stopped.") : tr("Waits for the measurement of step %1.").arg(measuring_ + 1));
  }
  measuring_ = step_;
  measured_part_ = 0;
  measure_on();
  const auto runs = std::make_shared<LessonRuns>(lesson_);  // those of the steps go on meanwhile
  measurer_.start([this, runs, step = step_](std::uint64_t, const BackgroundThread::Report& report) {
    const auto progress = [this, report, step](double done) {
      report([this, step, done] {
        measured_part_ = std::min(done, 0.999);
        if (facts_ && measuring_ == step && step_ == step) measure_on();
      });
    };
    return [this, runs, step, progress](const CancelToken& cancel) -> BackgroundThread::Delivery {
      const std::shared_ptr<const Measured> made = measured(*runs, step, cancel, progress);
      return [this, step, made] { take_measured(step, made); };
    };
  });
}

std::shared_ptr<const Classroom::Measured> Classroom::measured(LessonRuns& runs, int step, const CancelToken& cancel,
                                                               const std::function<void(double)>& progress) {
  runs.set_cancel(cancel);
  const LessonStep& here = runs.lesson().steps[static_cast<std::size_t>(step)];
  auto made = std::make_shared<Measured>();
  made->note = tr("Measured just now, on this machine.");
  QElapsedTimer time;
  time.start();
  struct TooSlow {};
  try {
    runs.measure(step, [&](double done) {
      cancel.check();
      // A machine that would take much longer than was promised shows what was recorded.
      const double seconds = static_cast<double>(time.elapsed()) / 1000;
      if (!here.chart.recorded.empty() && seconds > here.chart.seconds) throw TooSlow();
      progress(done);
    });
  } catch (const TooSlow&) {
    runs.use_recorded(step);
    made->note =
        tr("Recorded before (%1): this machine would take too long.").arg(QString::fromStdString(here.chart.machine));
  }
  made->chart = *runs.chart(step);
  const ExpressionScope scope = runs.scope(step);
  made->values = values_in(here, scope, cancel);
  made->failed = failing_in(here, scope, true, cancel);
  return made;
}

void Classroom::take_measured(int step, const std::shared_ptr<const Measured>& made) {
  measuring_ = -1;
  charts_[step] = made;
  if (step == step_ && facts_) return show_measured(*made);
  if (std::exchange(waits_to_measure_, -1) == step_) measure();
}

void Classroom::stop_measuring() {
  measurer_.stop();
  measuring_ = -1;
  const LessonChart& chart = here().chart;
  if (chart.recorded.empty()) return panel_->set_chart(nullptr, -1, tr("Stopped."));
  auto made = std::make_shared<Measured>();
  made->chart.series = chart.recorded;
  made->chart.live = false;
  made->note = tr("Stopped. This was recorded before (%1).").arg(QString::fromStdString(chart.machine));
  if (facts_) made->values = facts_->values;
  charts_[step_] = made;
  show_measured(*made);
}

void Classroom::slide(const std::map<std::string, double>& sliders) {
  thread_.start([this, runs = runs_, step = step_, sliders](const CancelToken& cancel) -> BackgroundThread::Delivery {
    runs->set_cancel(cancel);
    return [this, runs, step, made = runs->slid(step, sliders)] {
      if (!lesson_ || step != step_ || runs != runs_) return;
      panel_->set_chart(&made, -1, {});
      if (!revealed_) tell_done(slid_);
    };
  });
}

}  // namespace headlight
