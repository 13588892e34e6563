// The window in which things are found, as far as the finder needs it.
#pragma once

#include <QMainWindow>
#include <functional>

#include "app/actions.h"
#include "app/classroom/classroom.h"
#include "app/document/recent.h"
#include "app/panels/document_views.h"
#include "app/stage/window_panels.h"

namespace headlight {

struct SearchedWindow {
  QMainWindow* window;
  const Actions* actions;
  WindowPanels* panels;
  DocumentViews* views;
  Selection* selection;
  Classroom* classroom;
  RecentFiles* recent;
  std::function<void(const QString& folder)> open_model;
  std::function<void(const QString& path)> open_session;
  std::function<void(const QString& name, int step)> open_lesson;
  std::function<void(const QString&name)> open_preset, open_recording;  // in the lab

  // A lesson waits for an answer: nothing of the run is told.
  bool asks() const { return classroom->asks() || classroom->waits(); }
  bool withholds() const { return asks() || classroom->withholds(); }  // nor before it is asked for
};

}  // namespace headlight
