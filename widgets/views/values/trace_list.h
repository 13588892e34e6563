// The trace as a list that can be searched: every value in the order of computation.
#pragma once

#include <QWidget>
#include <optional>
#include <utility>

#include "widgets/base/selection.h"
#include "widgets/tables/trace_model.h"

class QLabel;
class QLineEdit;
class QTreeView;

namespace headlight {

class TraceList : public QWidget {
  Q_OBJECT
 public:
  explicit TraceList(QWidget* parent = nullptr);

  void set_selection(Selection* selection);  // not owned; may be null
  void set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels);
  int current_entry() const;
  QTreeView* tree() const { return tree_; }
  QLineEdit* filter_field() const { return field_; }

 signals:
  void opened(int entry);  // Enter, or a double click

 protected:
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take_trace(std::shared_ptr<const Trace> trace, TraceLabels labels);
  void show_entry(std::optional<int> entry);
  void apply_filter(const QString& text);
  void retranslate();
  void measure();  // names and meanings
  void size_columns();

  TraceModel* model_;
  TraceFilter* filter_;
  QTreeView* tree_;
  QLineEdit* field_;
  QLabel* none_;
  Selection* selection_ = nullptr;
  int longest_name_ = 0, longest_title_ = 0;  // pixels
  bool following_ = false;                    // the tree is being set from the selection
  // Came while it was hidden in a window: making the tree costs more than the run.
  std::optional<std::pair<std::shared_ptr<const Trace>, TraceLabels>> waiting_;
};

}  // namespace headlight
