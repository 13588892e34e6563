// Every widget that shows the document or its run: made here, linked with each other, with the session and with the
// runs beside the main one.
#pragma once

#include <QHash>
#include <QObject>
#include <memory>

#include "app/jobs/run_controller.h"
#include "app/panels/edits_model.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"

class QAction;
class QMainWindow;

namespace headlight {

class AlignmentView;
class AsTrained;
class AnalysedRun;
class CompareView;
class EditsPanel;
class ExplainView;
class HeadBench;
class HeadsView;
class HelpPanel;
class InspectorView;
class ListedRuns;
class MessageBanner;
class OutputColumn;
class OutputPanel;
class RibbonsView;
class SourceBar;
class StepperView;
class TextsView;
class TokenStrip;
class TraceList;
class WindowPanels;

class DocumentViews : public QObject {
  Q_OBJECT
 public:
  // Adds its panels and what stands above them to the window.
  DocumentViews(QMainWindow* window, WindowPanels* panels, Selection* selection);
  // What the user asks of the views goes to the document; side runs come back from it.
  void serve(RunController* runs);

  void show_document(const Document& document);
  void show_model(const ModelBundle& model);
  void show_result(const std::shared_ptr<const Result>& result);
  void show_differences(Differences differences);
  void show_probability(const Document& document, const Result& result);  // of a forced output
  void show_target_problem(const Document& document);
  // A message stays until it is put away, or the next one comes.
  void say(const QString& what, const QString& advice, QAction* action = nullptr);
  bool put_away_message();  // false: there is none
  // In the panel of the help: the panel of this name (empty: the picture in front), and what somebody pointed at.
  void explain(const QString& panel, const QString& pointed);
  void open_cell(const std::string& site, qint64 cell);  // in the inspector, where the run has it
  void retranslate();
  // What a person chose in each view, by its name; back: of the others nothing is chosen.
  QVariantMap choices() const;
  void set_choices(const QVariantMap& choices);
  // What the last row does that is there while somebody steps; empty: nobody does, or nothing was written yet.
  QString step_sentence();
  int rows_stepped() const { return rows_stepped_; }

  const std::shared_ptr<const AnalysedRun>& run() const { return run_; }  // that is shown; null before the first
  SourceBar* source_bar() const { return source_bar_; }
  TokenStrip* tokens() const { return tokens_; }
  StepperView* stepper() const { return stepper_; }
  InspectorView* inspector() const { return inspector_; }
  EditsPanel* edits() const { return edits_; }
  MessageBanner* banner() const { return banner_; }
  HelpPanel* help() const { return help_; }
  AlignmentView* alignment() const { return alignment_; }
  HeadsView* heads() const { return heads_; }
  OutputPanel* outputs() const { return outputs_; }
  OutputColumn* column() const { return column_; }
  ExplainView* explanation() const { return explanation_; }
  CompareView* compare() const { return compare_; }
  TextsView* texts() const { return texts_; }
  ListedRuns* listed_runs() const { return listed_runs_; }
  void show_texts();  // the list of texts, with the keyboard
  RibbonsView* ribbons() const { return ribbons_; }

 signals:
  void captionChanged();   // what a picture says of itself
  void keepWanted();       // of the run, as a variant
  void stepped(int rows);  // of the output are there; -1: nobody is stepping

 private:
  void show_tokens(const std::shared_ptr<const Result>& text);
  void make_top(QMainWindow* window);
  void make_panels(QMainWindow* window, Selection* selection);
  void connect_views();
  void align_explanation();
  void refresh_help();
  void choose_head_of(const SelectionState& state);
  void show_effect();

  WindowPanels* panels_;
  ViewRequests requests_;
  HeadBench* bench_;
  SourceBar* source_bar_;
  TokenStrip* tokens_;
  QWidget* token_row_;
  StepperView* stepper_;
  TraceList* trace_list_;
  TextsView* texts_;
  InspectorView* inspector_;
  EditsPanel* edits_;
  MessageBanner* banner_;
  HelpPanel* help_;
  Selection* selection_;
  QString help_of_, pointed_;
  QHash<QString, QWidget*> views_;  // by name, of the table of views
  AlignmentView* alignment_;
  HeadsView* heads_;
  OutputPanel* outputs_;
  OutputColumn* column_;
  ExplainView* explanation_;
  RibbonsView* ribbons_;
  CompareView* compare_;
  AsTrained* as_trained_;
  ListedRuns* listed_runs_;
  std::shared_ptr<const Result> result_;
  std::shared_ptr<const AnalysedRun> run_;
  int rows_stepped_ = -1;  // of the output, while somebody steps; -1: all are there
};

}  // namespace headlight
