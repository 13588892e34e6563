// The training lab: makes its page, its bands, its panel and its pages of data, and connects them with the training.
// It goes on when it is not seen.
#pragma once

#include <QObject>
#include <QPointer>
#include <QVariantMap>
#include <memory>
#include <string>

#include "app/jobs/latest.h"
#include "app/lab/lab_page.h"
#include "app/lab/lab_probe.h"
#include "app/lab/lab_shown.h"
#include "app/lab/lab_training.h"
#include "widgets/canvas/figure.h"

class QAction;

namespace headlight {

class LabPanel;
class MessageBanner;
class NeededSizes;
class PanelHost;
class SentencesPage;
class StoryPanel;
class TextPage;
class TimeLine;
class TwoRuns;
struct ModelBundle;
struct FileOptions;

class Lab : public QObject {
  Q_OBJECT
 public:
  explicit Lab(QWidget* window);
  ~Lab() override;

  LabPage* page() const { return page_.data(); }
  LabShown& shown() { return shown_; }
  LabTraining& training() { return training_; }
  LabProbe& probe() { return *probe_; }
  LabPanel* panel() const { return panel_; }
  TimeLine* time_line() const { return line_; }
  StoryPanel* story() const { return story_; }
  TwoRuns* two_runs() const { return two_; }
  SentencesPage* sentences() const { return sentences_; }
  TextPage* texts() const { return texts_; }

  // A file, or the name of one that came with the program: in front. What is wrong with it is said in the page.
  void open_recording(const QString& name_or_path);
  void show_preset(const QString& name);
  void say(const QString& what, const QString& advice = {}, QAction* action = nullptr);
  // The remote while presenting: from mark to mark.
  void step(int direction) { shown_.go_to_mark(direction); }
  void set_presenting(bool presenting);
  void stop();
  void undo();                    // of our sentences
  void toggle_table();            // of what has the keyboard: the time line, else the picture
  Figure figure();                // the same; throws UsageError where there is none
  QString figure_name() const;    // for a file
  QString training_text() const;  // "training: 8 of 30 · 3 s left"; empty: nothing is trained
  // What is in front, for sessions; taking it believes nothing.
  QVariantMap choices() const;
  void set_choices(const QVariantMap& choices);

 signals:
  void left();          // out of the lab
  void titleChanged();  // LabPage::title()
  void trainingChanged();
  void written(const QString& path);
  // The model of the moment in front, with what is asked.
  void modelWanted(std::shared_ptr<const headlight::ModelBundle> model, const QString& source);

 private:
  void make_parts();
  void connect_page();
  void connect_panel();
  void connect_data();
  void connect_story();
  void show_run(const LabShown::Run& run);
  void compare_moments();
  void open_moment();
  void training_changed();
  void plan_changed();
  void offer_sentences();
  void train_sentences(const FileOptions& pairs, const Probe& probe);
  void export_film();
  PanelHost* host_in_use() const;

  LabShown shown_;
  LabTraining training_;
  LabProbe* probe_;
  QPointer<LabPage> page_;
  MessageBanner* banner_;
  LabPanel* panel_;
  TimeLine* line_;
  PanelHost* line_host_;
  StoryPanel* story_;
  TwoRuns* two_;
  SentencesPage* sentences_;
  TextPage* texts_;
  NeededSizes* needed_;
  QString opened_;             // the recording in front, as it was asked for; empty: it was trained here
  std::string recorded_same_;  // the name of the bundled one that shows the same
  double wanted_read_ = -1;    // of a session, until its recording is there
  bool was_running_ = false;
  Latest<LabShown::Run> opening_;
};

}  // namespace headlight
