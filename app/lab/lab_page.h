// The page of the lab: left the probe, the picture with its heading, the time line and a line that says what to do;
// right the panel "What is trained", which folds away; then the story stands beside the picture.
//
// The page knows neither the training nor the other bands: Lab (lab.h) makes all of them and connects them. What it is
// given stands in its slots: everything here is a QWidget that follows the LabShown it was made with
// (`TimeLine(LabShown*, QWidget* parent = nullptr)` and so on).
//
// Keys, wherever nothing else wants them: left and right one moment, PageUp and PageDown one mark, Home and End, Space
// pauses, O opens this moment, P the panel, Escape leaves; Ctrl+Enter starts and Ctrl+. stops.
#pragma once

#include <QWidget>
#include <span>

#include "app/lab/lab_probe.h"
#include "app/lab/lab_training.h"

class QAction;
class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace headlight {

class KeyOfColours;
class LabPicture;
class PanelHost;
class ProbeBand;
class Segments;

class LabPage : public QWidget {
  Q_OBJECT
 public:
  // What stands between the probe and the time line. `sentences` and `text` have the whole page.
  enum class Mode { run, two, sentences, text };

  struct KeyRow {
    const char* keys;
    const char* what;  // untranslated: see key_text()
  };
  static std::span<const KeyRow> key_table();
  static QString key_text(const char* text) { return tr(text); }

  explicit LabPage(LabShown* shown, LabProbe* probe, QWidget* parent = nullptr);

  // The page owns what it is given.
  void set_top(QWidget* message);                // above everything
  void set_below(QWidget* time_line);            // TimeLine: below the picture
  void set_beside(QWidget* story);               // StoryPanel: beside the picture, where the panel is folded away
  void set_panel(QWidget* panel);                // LabPanel: right, 360 px
  void set_mode_page(Mode mode, QWidget* page);  // TwoRuns, SentencesPage, TextPage
  void set_in_head(QWidget* choice);             // which moments of two stand beside each other
  void set_picture_actions(const QList<QAction*>& actions);  // of its menu: table, export, copy

  void set_mode(Mode mode);
  Mode mode() const { return mode_; }
  void set_panel_shown(bool shown);
  bool panel_shown() const { return panel_shown_; }
  // The panel and what only the person at the desk needs are hidden.
  void set_presenting(bool presenting);
  void set_state(LabTraining::State state);
  void focus_first();  // what keys are for now
  void focus_probe();

  ProbeBand* probe_band() const { return band_; }
  LabPicture* picture() const { return picture_; }
  PanelHost* host() const { return host_; }  // of the picture and its table
  Segments* maps() const { return maps_; }
  QString heading() const;  // "Where it looked then"
  QString facts() const;    // "4,320 sentences read · 1.1 s · trained on this machine at 10:42 · seed 2 · …"
  QString caption() const;  // the line at the foot
  QString title() const;    // for the bar of the window: "The lab · our sentences"

 signals:
  void openAsked();   // Open this moment
  void leaveAsked();  // out of the lab
  void startAsked();
  void pauseAsked();  // pauses, and goes on
  void stopAsked();
  void againAsked();  // with another seed
  void keepAsked();
  void modeChanged();
  void panelShownChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* make_head();
  QWidget* make_foot();
  QWidget* make_left();
  void refresh();
  void show_maps();
  void show_words();
  void place();
  void retranslate();
  bool move_handle(int key);
  void go_back();

  LabShown* shown_;
  LabProbe* probe_;
  LabTraining::State state_ = LabTraining::State::idle;
  ProbeBand* band_;
  LabPicture* picture_;
  PanelHost* host_;
  Segments* maps_;
  QLabel *heading_, *facts_, *caption_, *todo_;
  QPushButton *open_, *again_, *keep_, *one_, *fold_;
  KeyOfColours* legend_;
  QStackedWidget *whole_, *middle_;
  QBoxLayout *left_, *run_, *across_;
  QWidget *head_, *foot_, *below_ = nullptr, *beside_ = nullptr, *panel_ = nullptr;
  QWidget* pages_[4] = {};
  const void* shown_run_ = nullptr;  // whose map was chosen
  Mode mode_ = Mode::run;
  bool panel_shown_ = true, presenting_ = false;
};

}  // namespace headlight
