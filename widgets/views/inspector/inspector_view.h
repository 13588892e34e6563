// The inspector: the question that the selected number answers, the number, a sentence, its arithmetic with every term,
// where it goes, and what if it were another one. A click chooses a term; Enter or a double click goes into it, and
// back comes to the same place.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "model/analysis/bench/listed_number.h"
#include "model/trace/intervention.h"
#include "widgets/base/selection.h"
#include "widgets/tables/explanation_model.h"

class QAbstractItemDelegate;
class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QModelIndex;
class QPushButton;
class QScrollArea;
class QTableView;
class QToolButton;

namespace headlight {

class TextButton;

class InspectorView : public QWidget {
  Q_OBJECT
 public:
  explicit InspectorView(QWidget* parent = nullptr);

  void set_selection(Selection* selection);  // not owned; may be null
  // Keeps what is shown by its site and cell. `stored`: there is no model, so that no number can be another one.
  void set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels, bool stored = false);

  void open(int entry, Index cell);  // as a click on that number would
  // A number that is not in the trace but is made of numbers that are: opens, as those behind its terms do.
  struct MadeNumber {
    Cell cell;
    QString title, help;
    Explanation explanation;
  };
  void open_made(std::vector<MadeNumber> numbers);  // the first one; the others are met on the way
  // What is shown; nothing without a trace.
  std::optional<Location> shown() const;
  bool can_go_back() const { return at_ > 0; }
  bool can_go_forward() const { return at_ + 1 < static_cast<int>(history_.size()); }
  QString plain_text() const;  // the arithmetic, for the clipboard
  QString numpy_text() const;  // one line that computes the number
  // The controls of an edit, for tests and for the window's "Change this number" action.
  QLineEdit* edit_field() const { return edit_value_; }
  QComboBox* edit_kinds() const { return edit_kind_; }
  QPushButton* edit_button() const { return edit_button_; }
  TextButton* crumbs() const { return crumbs_; }
  QTableView* table() const { return table_; }
  ExplanationModel* model() const { return model_; }

 public slots:
  void back() { go_to(at_ - 1); }
  void forward() { go_to(at_ + 1); }
  void copy_text();
  void copy_numpy();
  void start_edit();  // puts the caret into the field for a new value

 signals:
  // The person wants this number to be another one.
  void editRequested(const headlight::Intervention& intervention);
  // This number, in every text of the list of texts.
  void overTextsRequested(const headlight::ListedNumber& number);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  // A number in the history, by name, so that it can be found again in the next trace.
  struct Stop {
    Location at;
    Cell cell;                             // undefined tensor: the present trace has no such number
    int scroll = 0, row = -1, column = 1;  // where its terms were when it was left
  };
  QWidget* build_navigation();
  QWidget* build_heading();
  void build_table();
  QWidget* build_edit();
  void go(Stop stop);
  void open_factor(const QModelIndex& index);
  Cell find_again(const Location& at) const;
  Explanation explanation_of(const Stop& stop) const;
  void show_stop();
  void remember_terms();  // where the list of terms is now
  void show_goes(const Stop& stop);
  void follow_link(const QString& link);
  void show_crumbs();
  void open_history();
  void go_to(int stop);
  void show_texts(const Stop& stop, const Explanation& explanation);
  void show_in_file(const Stop& stop, const Explanation& explanation);
  void show_result(const Explanation& explanation);
  void show_edit(const Stop& stop);
  void prefill_edit();
  void size_columns();
  void fit_lines();
  void publish();
  void request_edit();
  Intervention::Kind chosen_kind() const;
  QString edit_problem(const Stop& stop) const;
  QString words(const Stop& stop) const;
  QString leaf_words(const Stop& stop) const;
  void follow(const SelectionState& state);
  void retranslate();

  const MadeNumber* made_of(const Cell& cell) const;  // null: none

  std::shared_ptr<const Trace> trace_;
  bool stored_ = false;
  TraceLabels labels_;
  std::vector<MadeNumber> made_;  // those that can be met
  Selection* selection_ = nullptr;
  std::vector<Stop> history_;
  int at_ = -1;
  bool compact_ = false;     // little height: what is said twice or only helps is in tooltips
  bool publishing_ = false;  // the selection is being set from here
  ExplanationModel* model_;

  QToolButton *back_ = nullptr, *forward_ = nullptr, *copy_ = nullptr, *copy_numpy_ = nullptr;
  TextButton* crumbs_ = nullptr;
  QLabel *title_ = nullptr, *value_ = nullptr, *help_ = nullptr, *formula_ = nullptr;
  QLabel *paper_ = nullptr, *sum_ = nullptr, *check_ = nullptr, *empty_ = nullptr;
  QScrollArea* scroll_ = nullptr;
  QWidget *body_ = nullptr, *table_row_ = nullptr, *edit_row_ = nullptr;
  QTableView* table_ = nullptr;
  QBoxLayout *terms_line_ = nullptr, *edit_line_ = nullptr;
  QAbstractItemDelegate *bar_ = nullptr, *factor_ = nullptr;
  QComboBox *order_ = nullptr, *edit_kind_ = nullptr;
  QLineEdit* edit_value_ = nullptr;
  std::string edit_of_;  // the number that the field was filled from
  QPushButton* edit_button_ = nullptr;
  QLabel* in_file_ = nullptr;  // what the file calls the tensors of a model from elsewhere
  QLabel *edit_label_ = nullptr, *edit_note_ = nullptr, *terms_ = nullptr, *goes_title_ = nullptr, *goes_ = nullptr;
};

}  // namespace headlight
