// The views of the window and where they stand: docks, their names, and the layout of the first start.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "widgets/base/selection.h"

class QMenu;

namespace headlight {

class AlignmentView;
class EditsPanel;
class HeadsView;
class HintPanel;
class InspectorView;
class MessageBanner;
class OutputView;
class PositionsView;
class RibbonsView;
class SourceBar;
class StepperView;
class TokenStrip;
class TraceList;
struct ModelBundle;
struct Result;

class WindowPanels : public QObject {
  Q_OBJECT
 public:
  WindowPanels(QMainWindow* window, Selection* selection);

  void show_result(const std::shared_ptr<const Result>& result);
  // What is exported: the view that has the keyboard, else the alignment; where there is none, the heads.
  struct Picture {
    QWidget* view;
    QString name;                               // of a file, without ending
    std::function<void(const QString&)> write;  // to a path; throws FileError, UsageError
  };
  Picture picture() const;
  bool has_attention() const;
  // Panels that the model has nothing for are hidden, whatever the user wants; a layout that is kept says what is
  // wanted.
  QByteArray save_state() const;
  void restore_state(const QByteArray& state);
  void retranslate();
  void reset_layout();
  void fill_menu(QMenu* menu) const;
  // Moves the keyboard to the panel behind the one that has it.
  // Tab goes as one reads: the fields, the tokens, the picture, then what is below and beside it.
  void set_tab_order() const;
  void focus_next() const;

  SourceBar* source_bar;
  TokenStrip* tokens;
  AlignmentView* alignment;
  OutputView* outputs;
  StepperView* stepper;
  HeadsView* heads;
  RibbonsView* ribbons;
  PositionsView* positions;
  TraceList* trace_list;
  InspectorView* inspector;
  EditsPanel* edits;
  MessageBanner* banner;
  HintPanel* hint;

 private:
  // A panel that is offered only where the model has what it shows.
  struct Optional {
    QDockWidget* dock;
    bool (*offers)(const Result&);
    bool offered = false, wanted = true;
  };

  QDockWidget* dock(QWidget* content, const char* name);
  void offer(Optional& panel, bool offered);
  void connect_views();
  void apply_fonts();
  bool is_narrow() const;
  bool is_low() const;

  QMainWindow* window_;
  QDockWidget *outputs_dock_, *inspector_dock_, *edits_dock_, *stepper_dock_, *heads_dock_, *ribbons_dock_,
      *positions_dock_, *trace_dock_;
  std::vector<QDockWidget*> docks_;  // all of them
  std::array<Optional, 3> optional_;
  std::shared_ptr<const ModelBundle> offered_for_;
  bool arranged_narrow_ = false, arranged_low_ = false;  // by reset_layout()
};

}  // namespace headlight
