// How tokens are chosen, as fields that act at once: the search in the bar; the stages as switches beside the branches,
// and the setting of each as a field over its column; what the model's generation_config.json says of them.
//
// What a field says is a key of generation_config.json over those of the file (DecodeSettings::generation). A field
// that says what does nothing leaves its key out, or puts it over the one of the file.
#pragma once

#include <QWidget>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/core/json.h"
#include "model/decode/run.h"

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace headlight {

class Segments;
class ViewRequests;

class ChoosingBar : public QWidget {
  Q_OBJECT
 public:
  using Kind = DecodeSettings::Kind;
  struct Field {
    const char* key;
    enum class For { all, sample, beam } kind;
    double low, high, step;
    int decimals;
    double nothing;  // the value that does nothing
    double start;    // the value that switching it on gives it; of what is no stage: nothing
    bool main;       // shown also where it does nothing
    bool is_stage() const { return start != nothing; }
  };
  static std::span<const Field> fields();

  explicit ChoosingBar(ViewRequests* requests, QWidget* parent = nullptr);

  void set_result(const Result& result);
  QDoubleSpinBox* box(const std::string& key) const;  // null: there is none
  QCheckBox* stage_switch(const std::string& key) const;
  QWidget* stages() const { return stages_; }  // the switches, for whoever has room for them
  std::set<std::string> stage_keys() const;    // that have a field
  Segments* kinds() const { return kinds_; }
  QPushButton* as_file() const { return as_file_; }
  QPushButton* as_model() const { return as_model_; }
  QToolButton* draw_again() const { return draw_again_; }
  QToolButton* more() const { return more_; }
  QString file_text() const;  // what generation_config.json says and whether that acts; empty: there is none

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    const Field* field = nullptr;
    QWidget* box = nullptr;
    QLabel* name = nullptr;
    QDoubleSpinBox* value = nullptr;
    QCheckBox* on = nullptr;  // of a stage, in place of box and name
  };
  Kind kind() const { return settings_.kind; }
  void build_fields();
  void build_stages();
  bool serves(const Field& field) const;
  void choose_kind(Kind kind);
  void set_key(const Field& field, double value);
  void ask(Json keys);
  Json keys() const;  // that are asked for now
  void show_settings();
  void show_texts();

  ViewRequests* requests_;
  DecodeSettings settings_;
  std::uint64_t seed_ = 1;
  SharedJson in_force_, of_file_;
  std::shared_ptr<const ModelBundle> model_;
  Index most_ = 0;  // tokens that are written where nothing else is said
  bool edited_ = false, more_wanted_ = false, showing_ = false, forced_ = false;

  Segments* kinds_;
  QWidget* stages_;
  std::vector<Row> rows_;
  QToolButton *draw_again_, *more_;
  QLabel *title_, *file_;
  QPushButton *as_file_, *as_model_;
};

}  // namespace headlight
