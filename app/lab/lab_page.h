// The page of the lab: left the probe, the picture with its heading, the time line and a line that says what to do;
// right the panel "What is trained", which folds away; then the story stands beside the picture.
//
// The page knows neither the training nor the other bands: Lab (lab.h) makes all of them and connects them. What it is
// given stands in its slots: everything here is a QWidget that follows the LabShown it was made with
// (`TimeLine(LabShown*, QWidget* parent = nullptr)` and so on).
#pragma once

#include <QWidget>

#include "app/lab/lab_shown.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace headlight {

class LabPicture;
class ProbeBand;
class Segments;

class LabPage : public QWidget {
  Q_OBJECT
 public:
  // What stands between the probe and the time line. `sentences` has the whole left column.
  enum class Mode { run, two, sentences, text };

  explicit LabPage(LabShown* shown, QWidget* parent = nullptr);

  // The page owns what it is given.
  void set_below(QWidget* time_line);            // TimeLine: below the picture, in every mode but `sentences`
  void set_beside(QWidget* story);               // StoryPanel: beside the picture, where the panel is folded away
  void set_panel(QWidget* panel);                // LabPanel: right, 360 px
  void set_mode_page(Mode mode, QWidget* page);  // TwoRuns, SentencesPage, TextPage

  void set_mode(Mode mode);
  Mode mode() const { return mode_; }
  void set_panel_shown(bool shown);
  bool panel_shown() const { return panel_shown_; }
  void set_presenting(bool presenting);  // the panel and what only the person at the desk needs are hidden

  // What the state of the training says of the page: whether the moment in front is that of a training that runs
  // ("Where it looks now"), and the line at the foot ("Struck: not right. Bold: sure. Space pauses.").
  void set_running(bool running);
  void set_computing(bool computing);  // the answer to a typed probe is still awaited

  ProbeBand* probe_band() const { return band_; }
  LabPicture* picture() const { return picture_; }
  QString heading() const;  // "Where it looked then"
  QString facts() const;  // "4,320 sentences read · 1.1 s · trained on this machine at 10:42 · seed 2 · 24,170 numbers"
  QString caption() const;  // the line at the foot

 signals:
  void probeTyped(const QString& source);  // ask the model of this moment
  void openAsked();                        // Open this moment (O)
  void leaveAsked();                       // Escape
  void startAsked();                       // Ctrl+Enter
  void pauseAsked();                       // Space: pauses, and goes on
  void stopAsked();                        // Ctrl+.
  void modeChanged();
  void panelShownChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void place();
  LabShown* shown_;
  ProbeBand* band_;
  LabPicture* picture_;
  Segments* maps_;
  QLabel *heading_, *facts_, *caption_, *legend_;
  QToolButton* fold_;
  QPushButton* open_;
  QStackedWidget* middle_;
  QBoxLayout *left_, *whole_;
  QWidget *below_ = nullptr, *beside_ = nullptr, *panel_ = nullptr;
  QWidget* pages_[4] = {};
  Mode mode_ = Mode::run;
  bool panel_shown_ = true, running_ = false, computing_ = false, presenting_ = false;
};

}  // namespace headlight
