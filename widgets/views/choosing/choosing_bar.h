// How tokens are chosen, as fields that act at once: the search, the stages with their settings, and what the model's
// generation_config.json says of them.
//
// What a field says is a key of generation_config.json over those of the file (DecodeSettings::generation). A field
// that says what does nothing leaves its key out, or puts it over the one of the file.
#pragma once

#include <QWidget>
#include <span>
#include <vector>

#include "model/core/json.h"
#include "model/decode/run.h"

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
    bool main;       // shown also where it does nothing
  };
  static std::span<const Field> fields();

  explicit ChoosingBar(ViewRequests* requests, QWidget* parent = nullptr);

  void set_result(const Result& result);
  QDoubleSpinBox* box(const char* key) const;
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
  };
  Kind kind() const { return settings_.kind; }
  void build_fields();
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
  std::vector<Row> rows_;
  QToolButton *draw_again_, *more_;
  QLabel* file_;
  QPushButton *as_file_, *as_model_;
};

}  // namespace headlight
