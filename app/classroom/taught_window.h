// The window that lessons are shown in and recorded from, as far as the classroom needs it.
#pragma once

#include <QMainWindow>
#include <functional>

#include "app/document/session_file.h"
#include "app/jobs/run_controller.h"
#include "app/panels/document_views.h"
#include "app/panels/status_panel.h"
#include "app/stage/window_panels.h"

namespace headlight {

class Presenter;

struct TaughtWindow {
  QMainWindow* window;
  RunController* runs;
  WindowPanels* panels;
  DocumentViews* views;
  StatusPanel* status;
  Selection* selection;
  Presenter* presenter;
  // A lesson asks for what is shown: what says it is closed. `withheld`: files and tables alone, before the question.
  std::function<void(bool covered, bool withheld)> cover;
  std::function<SessionState()> session_state;  // all that would be saved now
  std::function<void(const QString& folder, int step)> open_lesson;
};

}  // namespace headlight
