// Presenting this window to a room: what stands on the stage, what the remote does with the run, where the light falls.
#pragma once

#include <QObject>
#include <functional>

#include "app/settings.h"
#include "widgets/base/selection.h"

class QMainWindow;

namespace headlight {

class Actions;
class Appearance;
class DocumentViews;
class Presenter;
class StatusPanel;
class WindowPanels;

class Presentation : public QObject {
  Q_OBJECT
 public:
  struct Window {
    QMainWindow* window;
    QWidget* bar;
    Actions* actions;
    Appearance* appearance;
    WindowPanels* panels;
    DocumentViews* views;
    StatusPanel* status;
    Selection* selection;
    bool remember;                             // how large the type is, in the settings
    std::function<void()> leave_start;         // before it begins
    std::function<bool(int direction)> taken;  // whether somebody else wants this step of the remote
    // What stands in the window in place of the pictures, and is to be presented instead; null: the pictures do.
    std::function<QWidget*()> instead;
    std::function<void(bool presenting)> present_instead;
  };
  explicit Presentation(const Window& window);

  Presenter* presenter() const { return presenter_; }
  bool is_active() const;
  // The picture in front with its output (in *Explain* with the steps below it), or the named panel alone.
  void start(const QString& panel = {});

 private:
  // The remote: the rows of the output come one by one, before the first and after the last all are there. Of a model
  // that writes nothing, the tokens in turn; with *Every operation* on the stage, single operations.
  void step(int direction);
  QList<QRectF> spots() const;
  void ended();

  Window to_;
  UserSettings settings_;
  Presenter* presenter_;
  ThemeChoice theme_ = ThemeChoice::system;  // when it began
  int row_ = -1;                             // that the remote has reached; -1: all are there
};

}  // namespace headlight
