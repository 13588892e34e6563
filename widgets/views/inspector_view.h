// The inspector: opens the selected number into the arithmetic that made it, and every factor into its own.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "model/trace/intervention.h"
#include "widgets/base/selection.h"
#include "widgets/items/explanation_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QModelIndex;
class QPushButton;
class QTableView;
class QToolButton;

namespace headlight {

class InspectorView : public QWidget {
  Q_OBJECT
 public:
  explicit InspectorView(QWidget* parent = nullptr);

  void set_selection(Selection* selection);  // not owned; may be null
  // Keeps what is shown by its site and cell.
  void set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels);

  void open(int entry, Index cell);  // as a click on that number would
  // What is shown; nothing without a trace.
  std::optional<Location> shown() const;
  bool can_go_back() const { return at_ > 0; }
  bool can_go_forward() const { return at_ + 1 < static_cast<int>(history_.size()); }
  QString plain_text() const;  // the arithmetic, for the clipboard
  QString numpy_text() const;  // one line that computes the number
  QTableView* table() const { return table_; }
  ExplanationModel* model() const { return model_; }

 public slots:
  void back();
  void forward();
  void copy_text();
  void copy_numpy();

 signals:
  // The person wants this number to be another one.
  void editRequested(const headlight::Intervention& intervention);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  // A number in the history, by name, so that it can be found again in the next trace.
  struct Stop {
    Location at;
    Cell cell;
  };
  void build_header();
  void build_table();
  void build_edit();
  void go(Stop stop);
  void open_factor(const QModelIndex& index);
  void show_stop();
  void show_sum();
  void show_edit();
  void publish();
  void request_edit();
  QString edit_problem() const;
  std::optional<Stop> find_again(const Stop& stop) const;
  QString words(const Stop& stop) const;
  void follow(const SelectionState& state);
  void retranslate();

  std::shared_ptr<const Trace> trace_;
  TraceLabels labels_;
  Selection* selection_ = nullptr;
  std::vector<Stop> history_;
  int at_ = -1;
  bool publishing_ = false;
  ExplanationModel* model_;

  QToolButton *back_, *forward_, *copy_;
  QLabel *crumbs_, *title_, *value_, *help_, *formula_, *sum_, *check_;
  QWidget *body_, *edit_row_;
  QLabel* empty_;
  QTableView* table_;
  QComboBox *order_, *edit_kind_;
  QLineEdit* edit_value_;
  QPushButton* edit_button_;
  QLabel *edit_label_, *edit_note_;
};

// The last lines of the arithmetic: "σ(1.2345) = 0.7746", "exp(2.1) / 13.22 = 0.61".
QString result_line(const Explanation& explanation);

}  // namespace headlight
