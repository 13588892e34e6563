// "What is trained": data, model, what it learns and all settings as fields; starting, pausing, stopping, once more
// with another seed, keeping. It drives the training and tells LabShown which runs there are; where the handle stands
// is nothing to it.
#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "app/lab/lab_data.h"
#include "app/lab/lab_shown.h"
#include "app/lab/lab_training.h"

namespace headlight {

class InterruptedTraining;
class LabActs;
class LabFields;
class LabRuns;
class MessageBanner;
class Sheet;

struct LabSetup {
  TrainingSettings settings;
  LiveOptions options;
};

class LabPanel : public QWidget {
  Q_OBJECT
 public:
  LabPanel(LabTraining* training, LabShown* shown, QWidget* parent = nullptr);
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
  void offer(const LabData& data);
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
  void keep();            // asks where
  void show_command();
  // Deletes what the lab has kept of our own sentences and texts: recordings, weights, runs. The data are the page's.
  void forget_own();

 signals:
  void started();
  void dataWanted(headlight::LabData::Kind kind);  // chosen, and there are none yet, or they are to be changed
  // "Compare with…" has shown two runs beside each other in LabShown.
  void compared();
  void setupChanged();
  void problem(const QString& sentence);  // for whoever reads aloud
  void kept(const QString& path);         // a model folder, or a recording

 private:
  void make_layout();
  void retranslate();
  void follow_training();
  void tell_trouble();
  void go_on_interrupted();

  LabTraining* training_;
  LabShown* shown_;
  LabRuns* runs_;
  Sheet* sheet_;
  LabFields* fields_;
  LabActs* acts_;
  MessageBanner* banner_;
  std::unique_ptr<InterruptedTraining> interrupted_;
  std::vector<Probe> probes_;
  std::vector<std::string> starts_;
  bool told_slow_ = false, told_thinned_ = false;
};

}  // namespace headlight
