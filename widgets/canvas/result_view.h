// A picture of a run that has a panel of its own. One row of app/stage/view_table.cpp makes the panel, its menu entry,
// its shortcut, its table, its exports and `headlight render --view NAME`, which makes the view alone, without a
// window. Whatever draws it takes the same Figure: size, paint and table. Most views are a ViewPanel (view_panel.h).
#pragma once

#include <QVariantMap>
#include <memory>

#include "widgets/canvas/figure.h"
#include "widgets/tables/table.h"

class QWidget;

namespace headlight {

class AnalysedRun;
class HeadBench;
class Selection;
class ViewRequests;
struct Result;

// What every view is made with.
struct ViewContext {
  Selection* selection = nullptr;
  ViewRequests* requests = nullptr;
  HeadBench* bench = nullptr;  // null: a view that asks for one has its own
};

std::shared_ptr<const AnalysedRun> analysed(std::shared_ptr<const Result> result);  // analysed_run.h

class ResultView {
 public:
  virtual ~ResultView();
  QWidget* widget() const { return widget_; }

  // The newest run, null: none; called for each keystroke. What is not seen waits: a closed panel costs nothing while
  // somebody types.
  void take(std::shared_ptr<const AnalysedRun> run);
  void set_result(std::shared_ptr<const Result> result) { take(analysed(std::move(result))); }
  void bring_up_to_date();

  // What is shown, for files. Throws UsageError where there is nothing.
  Figure figure();
  void export_to(const QString& path) { write_figure(figure(), path); }  // throws FileError, UsageError
  // What a person chose in this view (head, layer, zoom), for sessions and the next start. Taking it believes nothing:
  // what is no such choice is passed over, and what a model lacks is kept for the next one.
  virtual QVariantMap choices() const { return {}; }
  virtual void set_choices(const QVariantMap&) {}
  // The same numbers as a table, of the run that is shown; empty where there are none. It stays the same object.
  TableTwin* table();

 protected:
  explicit ResultView(QWidget* widget) : widget_(widget) {}
  const std::shared_ptr<const AnalysedRun>& run() const { return run_; }  // that is shown
  const Result* result() const;                                           // of run()
  const std::shared_ptr<const AnalysedRun>& newest_run() const { return newest_; }
  bool is_fresh() const { return fresh_; }  // the newest run is shown
  void mark_fresh() { fresh_ = true; }
  void mark_stale() { fresh_ = false; }
  void show_again();  // everything anew, when it is seen
  void set_table(QAbstractItemModel* table) { table_.setSourceModel(table); }

  virtual void run_arrived() {}  // at each run, also unseen
  virtual void refresh() = 0;    // shows run()
  virtual Figure drawn() = 0;    // size and paint; without a title the name of the widget is it

 private:
  QWidget* widget_;
  std::shared_ptr<const AnalysedRun> run_, newest_;
  bool fresh_ = false;
  TableTwin table_;
};

}  // namespace headlight
