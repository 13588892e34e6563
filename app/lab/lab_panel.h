// "What is trained": data, model, what it learns and all settings as fields; starting, pausing, stopping, once more
// with another seed, keeping. It drives the training and tells LabShown which runs there are; where the handle stands
// is nothing to it.
#pragma once

#include <QString>
#include <QWidget>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/lab/lab_data.h"
#include "app/lab/lab_shown.h"
#include "app/lab/lab_training.h"

class QAction;
class QLabel;

namespace headlight {

class InterruptedOffer;
class KeptTraining;
class LabActs;
class LabFields;
class LabRuns;
class MessageBanner;
class RunList;
class TrainingEstimate;
struct TrainingMeasured;

struct LabSetup {
  TrainingSettings settings;
  LiveOptions options;
};

class LabPanel : public QWidget {
  Q_OBJECT
 public:
  // `folder`: where trainings are kept while they run; empty: in the person's data.
  LabPanel(LabTraining* training, LabShown* shown, QWidget* parent = nullptr, const QString& folder = {});
  ~LabPanel() override;

  // What the fields say. With a wrong value the last right one of that field; see is_valid().
  LabSetup setup() const;
  bool is_valid() const;
  // Fills all fields: of a lesson, of a recording that is opened, of a preset.
  void set_setup(const LabSetup& setup);
  void set_preset(const std::string& name);  // throws UsageError
  // Of the next start; the page of the probe tells it.
  void set_probes(std::vector<Probe> probes);
  void set_starts(std::vector<std::string> starts);
  // Again for the same kind: in the place of what was offered before.
  void offer(const LabData& offered);
  void choose_data(LabData::Kind kind);

  LabRuns& runs() { return *runs_; }
  LabFields& fields() { return *fields_; }
  LabActs& acts() { return *acts_; }
  // What was interrupted, offered in a banner; called once by whoever opens the lab.
  void offer_interrupted();

 public slots:
  void start();           // Ctrl+Enter; a wrong value gets the keyboard instead
  void pause_or_go_on();  // Space
  void stop();            // Ctrl+.
  void again();           // with the next seed; the run before stays as a thin line
  void keep();            // asks what, and where
  void show_command();
  // Deletes what the lab has kept of our own sentences and texts: recordings, weights, runs. The data are the page's.
  void forget_own();

 signals:
  void started();
  void dataWanted(headlight::LabData::Kind kind);  // chosen, and there are none yet, or they are to be changed
  // Two runs were put beside each other in LabShown; or one alone again.
  void compared();
  void chosen();
  void setupChanged();
  void problem(const QString& sentence);  // for whoever reads aloud
  void kept(const QString& path);         // a model folder, or a recording

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void make_layout();
  void ask_estimate();
  void connect_parts();
  void retranslate();
  void begin(LabSetup setup);
  void settings_changed();
  void show_estimate(const TrainingMeasured& measured);
  void state_changed();
  void moment_kept();
  void tell(const QString& what, const QString& advice, QAction* action = nullptr);
  void show_recorded();
  void go_on_interrupted(const std::filesystem::path& folder);
  void ask_where_to_keep(bool recording);
  void save(bool recording, const QString& path);

  LabTraining* training_;
  LabShown* shown_;
  QString folder_;
  LabRuns* runs_;
  QLabel* title_;
  MessageBanner* banner_;
  InterruptedOffer* interrupted_;
  LabFields* fields_;
  RunList* list_;
  LabActs* acts_;
  TrainingEstimate* estimate_;
  QAction* recorded_;
  std::unique_ptr<KeptTraining> kept_;
  std::vector<Probe> probes_;
  std::vector<std::string> starts_;
  std::string preset_;  // that filled the fields, as long as nothing was changed
  bool told_slow_ = false, told_thinned_ = false, filling_ = false, forgetting_ = false;
  Latest<QString> saver_;
};

}  // namespace headlight
