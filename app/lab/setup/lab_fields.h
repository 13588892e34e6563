// Everything that can be said of a training, as fields: data, model, what it learns, the five settings that people ask
// for, all others folded away, and presets that fill them.
#pragma once

#include <QHash>
#include <QWidget>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/lab_data.h"
#include "model/training/training_settings.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace headlight {

class LabChoice;
class PresetList;
class SettingRow;

class LabFields : public QWidget {
  Q_OBJECT
 public:
  explicit LabFields(QWidget* parent = nullptr);

  // The last right value of each field.
  const TrainingSettings& settings() const { return settings_; }
  void set_settings(const TrainingSettings& settings);
  void set_seed(std::uint64_t seed);
  bool is_valid() const;
  // The keyboard goes to the first field with a wrong value, and its sentence is returned; empty: there is none.
  QString show_first_wrong();

  void offer(const LabData& data);
  void choose_data(LabData::Kind kind);
  std::optional<LabData::Kind> data_kind() const;  // none: generated tasks
  // Own data with what they are kept in (LabData::put); nothing where the data are no offered ones.
  void put_own_data(TrainingSettings& settings, const std::filesystem::path& file) const;
  std::string own_text() const;

  // What was measured of the model: "32 units, 24,170 numbers".
  void set_numbers(Index numbers);
  void set_examples(Index examples, Index kept);

  SettingRow* row(const std::string& key) const;  // null: there is none of this name
  LabChoice* data() const { return data_; }
  LabChoice* model() const { return model_; }
  LabChoice* task() const { return task_; }
  QPushButton* more() const { return more_; }

 signals:
  void changed();
  void dataWanted(headlight::LabData::Kind kind);
  void presetChosen(const QString& name);

 private:
  SettingRow* add_row(const std::string& key, QWidget* parent);
  QString put(const std::string& key, const std::string& value);
  QString put_whole(const std::string& key, const std::string& value);
  void make_rows();
  void show_choices();
  void show_values();
  void choose_data_key(const QString& key);
  void choose_task(const std::string& task);
  void choose_architecture(const std::string& name);
  void retranslate();
  QString units_key() const;

  TrainingSettings settings_;
  std::map<std::string, Json> remembered_;  // settings of models that were in front before
  std::map<LabData::Kind, LabData> offered_;
  bool own_ = false;  // the data are those that are offered; else those of a lesson, a recording, a preset
  std::string generated_ = "date";
  LabChoice *data_, *model_, *task_;
  QLabel *data_label_, *model_label_, *task_label_, *presets_label_;
  QWidget *first_, *rest_;
  QVBoxLayout *first_rows_, *rest_rows_;
  QPushButton* more_;
  PresetList* presets_;
  std::vector<SettingRow*> rows_;
};

}  // namespace headlight
