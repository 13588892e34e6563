// "What changed here": what the model made of the probe a moment before and now, a sentence about the word that
// changed, and the way from mark to mark. What follows from the numbers is made in story_words.h.
#pragma once

#include <QWidget>

#include "app/lab/lab_shown.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace headlight {

class GradientBars;

class StoryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit StoryPanel(LabShown* shown, QWidget* parent = nullptr);

  // There is a recorded run that shows the same: it is offered where this one does not learn.
  void set_recorded_offered(bool offered);
  // As they stand there, without bold letters.
  QString before() const;
  QString now() const;
  QString sentence() const;
  QString problem() const;    // it does not learn yet, or has no numbers any more; empty: all is well
  QString mark_text() const;  // "mark 6 of 7"
  QToolButton* previous() const { return previous_; }
  QToolButton* next() const { return next_; }
  QToolButton* more() const { return more_; }
  QToolButton* moments() const { return moments_; }
  QPushButton* recorded() const { return recorded_; }

  QSize sizeHint() const override;

 signals:
  void recordedWanted();
  void momentsWanted();  // this moment beside the newest one

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void make_parts();
  void refresh();  // when it is seen
  void show_story(const Recording& run, int moment);
  void show_marks(const Recording& run, int moment);
  void show_rates(const Recording& run, int moment);
  void show_problem(const Recording& run);
  void retranslate();
  void restyle();

  LabShown* const shown_;
  bool offered_ = false, stale_ = true;
  QLabel *title_, *before_name_, *before_, *now_name_, *now_, *sentence_, *problem_, *mark_, *rates_;
  QToolButton *previous_, *next_, *more_, *moments_;
  QPushButton* recorded_;
  QWidget* details_;
  GradientBars* bars_;
  QString before_text_, now_text_;
};

// A bar for each layer, as long as the norm of its gradient at this moment.
class GradientBars : public QWidget {
  Q_OBJECT
 public:
  struct Bar {
    QString layer;
    double norm = 0;
    bool operator==(const Bar&) const = default;
  };
  explicit GradientBars(QWidget* parent = nullptr);
  void set(const std::vector<Bar>& bars);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<Bar> bars_;
};

}  // namespace headlight
