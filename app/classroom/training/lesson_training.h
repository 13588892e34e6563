// The training that a step of a lesson shows: the page of the lab with a recording at its moment, over the views.
// Before the answer it shows no more than the step says; then a training plays from its beginning, and can be trained
// on this machine instead.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <vector>

#include "app/lab/lab_shown.h"
#include "app/lessons/expressions/shown_training.h"
#include "app/lessons/lesson.h"

class QLabel;
class QPushButton;

namespace headlight {

class LabPage;
class LabProbe;
class LabTraining;
class TimeLine;
class TwoRuns;

class LessonTrainingPage : public QWidget {
  Q_OBJECT
 public:
  // Over all of `views`.
  explicit LessonTrainingPage(QWidget* views);
  ~LessonTrainingPage() override;

  // A step: what it tells, and what is seen before the answer (null: nothing). `waits`: an answer comes first.
  void show_step(const LessonStep& step, std::shared_ptr<const ShownTraining> told,
                 std::shared_ptr<const ShownTraining> before, bool waits);
  void reveal();
  void leave();  // another step, or none: what is trained here ends
  void set_presenting(bool presenting);

  bool waits() const { return waits_; }
  bool plays() const { return player_.isActive(); }
  void finish();  // it stands where it will
  const LabShown& shown() const { return *shown_; }
  TimeLine* time_line() const { return line_; }
  QString note() const;  // where it comes from

  // A curve that was drawn over the time line, as the answer says it; and an answer that was drawn elsewhere.
  std::vector<double> drawn() const;
  void draw(const std::vector<double>& shares);

 signals:
  void drew();  // drawn() is another

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void make_page();
  void put(const ShownTraining& shown, bool cut);
  void give_room();    // to what the step is about
  bool draws() const;  // a curve, over an empty time line
  void play();
  void play_on();
  void train();  // here
  void show_recorded();
  void take_live();
  void retranslate();
  void say();

  LabShown* shown_;
  LabProbe* probe_;
  LabPage* page_ = nullptr;
  TimeLine* line_ = nullptr;
  TwoRuns* two_ = nullptr;
  QLabel *covered_, *note_;
  QPushButton *train_, *recorded_;
  QWidget* foot_;
  LessonStep step_;
  std::shared_ptr<const ShownTraining> told_, before_;
  bool waits_ = false, live_shown_ = false, presenting_ = false;
  QTimer player_;
  int from_ = 0;
  qint64 began_ = 0;
  std::unique_ptr<LabTraining> live_;
};

// The same on paper and on slides, in (0, 0, size): picture and time line at their moment. `told`: after the answer.
void paint_lesson_training(QPainter& painter, QSize size, const LessonStep& step, const ShownTraining& shown,
                           bool told);
double lesson_training_height(const ShownTraining& shown);  // what it needs at least, in letters of usual size

}  // namespace headlight
