// "What changed here": what the model made of the probe before this moment and now, a sentence about the word that
// changed, and the way from mark to mark. What follows from the numbers is made in story_words.h.
#pragma once

#include <QWidget>

#include "app/lab/lab_shown.h"

class QLabel;
class QToolButton;
class QPushButton;

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
  QString problem() const;    // does not learn yet, no numbers any more; empty: all is well
  QString mark_text() const;  // "mark 6 of 7"
  QToolButton* previous() const { return previous_; }
  QToolButton* next() const { return next_; }
  QToolButton* more() const { return more_; }
  QPushButton* recorded() const { return recorded_; }

  QSize sizeHint() const override;

 signals:
  void recordedWanted();

 private:
  void refresh();
  void retranslate();
  void restyle();
  LabShown* const shown_;
  bool offered_ = false;
  QLabel *title_, *before_name_, *before_, *now_name_, *now_, *sentence_, *problem_, *mark_, *rates_;
  QToolButton *previous_, *next_, *more_;
  QPushButton* recorded_;
  QWidget* details_;
  GradientBars* bars_;
  QString before_text_, now_text_, sentence_text_;
};

}  // namespace headlight
