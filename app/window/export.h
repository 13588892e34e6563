// The exports of the window: file dialogs around the pictures of the panels, the stepping and the numbers of the run.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/settings.h"
#include "app/stage/window_panels.h"
#include "model/decode/run.h"
#include "widgets/canvas/figure.h"

class QAction;
class QWidget;

namespace headlight {

class Actions;
class Selection;
class StepperView;

// What became of an export: a problem, or where it is; neither: the person thought better of it.
struct ExportOutcome {
  QString problem, path;
};

// Does what the actions say, for the last good result.
class Exports : public QObject {
  Q_OBJECT
 public:
  Exports(QWidget* window, const Actions& actions, const WindowPanels& panels, StepperView* stepper,
          Selection* selection);
  void update();                                          // of what there is to export
  void set_result(std::shared_ptr<const Result> result);  // null: there is nothing to export
  // What is exported in place of the panels while it is in front; nothing: the panels are.
  void set_instead(std::function<std::optional<WindowPanels::Picture>()> instead);
  void set_covered(bool covered);  // a lesson asks for what would stand in a file

 signals:
  void failed(const QString& problem);  // nothing was written
  void written(const QString& path);
  void copied();

 private:
  WindowPanels::Picture picture() const;
  void export_picture();
  void copy_picture();
  void export_steps();
  void export_numbers();
  void report(const ExportOutcome& outcome);

  QWidget* window_;
  const WindowPanels& panels_;
  StepperView* stepper_;
  Selection* selection_;
  std::shared_ptr<const Result> result_;
  std::function<std::optional<WindowPanels::Picture>()> instead_;
  bool covered_ = false;
  std::vector<QAction*> actions_;  // pictures, then what needs a recorded run
};

// For papers: light, whatever the window is; without the room around it; with its title above and its caption below,
// where they are wanted. The theme is as it was at the end.
struct FigureStyle {
  bool as_on_screen = false;  // its colours
  bool title = false, caption = false;
};
void with_figure(const std::function<Figure()>& figure, const QString& caption, const FigureStyle& style,
                 const std::function<void(const Figure&)>& use);

// A file name made from the text: "november-21-2026".
QString suggested_name(const std::string& source);

}  // namespace headlight
