// The settings of a model's mechanism as controls: what differs from training is marked, and can be taken back.
#pragma once

#include <QScrollArea>
#include <memory>
#include <vector>

#include "model/analysis/switches.h"
#include "model/decode/run.h"
#include "widgets/tables/table.h"

class QCheckBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QSlider;
class QToolButton;

namespace headlight {

class Segments;
class ViewRequests;

class MechanismSettings : public QScrollArea {
  Q_OBJECT
 public:
  explicit MechanismSettings(ViewRequests* requests, QWidget* parent = nullptr);
  void set_model(std::shared_ptr<const ModelBundle> model);
  bool is_empty() const { return rows_.empty(); }
  // Controls by their key, for tests and the keyboard; null: there is none.
  QWidget* control(const QString& key) const;
  QToolButton* reset_button(const QString& key) const;
  ColumnTable* table_model() { return &table_; }

 protected:
 private:
  struct Row {
    Switch at;
    QLabel *name = nullptr, *trained = nullptr;
    QToolButton* reset = nullptr;
    Segments* choice = nullptr;
    QCheckBox* flag = nullptr;
    QSlider* slider = nullptr;
    QDoubleSpinBox* number = nullptr;
  };
  void clear();
  void build();
  void build_row(Row& row, QGridLayout* grid, int line);
  QWidget* build_number(Row& row);
  void show_row(Row& row);
  void show_choices(Row& row);
  void request(const Row& row, const Json& value);
  void colour();
  void show_table();
  const Row* find(const QString& key) const;
  Json value_of(const Row& row, double number) const;

  ViewRequests* requests_;
  std::shared_ptr<const ModelBundle> model_;
  std::vector<std::unique_ptr<Row>> rows_;
  ColumnTable table_;
  QLabel* noise_ = nullptr;  // what was never trained
  QLabel* intro_ = nullptr;
  bool showing_ = false;  // controls are being set, not used
};

}  // namespace headlight
