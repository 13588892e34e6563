// The menus of the window: their entries come from the tables of actions and panels.
#pragma once

#include "app/actions.h"

class QMenu;
class QMenuBar;

namespace headlight {

class RecentFiles;
class WindowPanels;

class WindowMenus {
 public:
  WindowMenus(QMenuBar* bar, const Actions& actions, const WindowPanels& panels, RecentFiles& recent);
  void retranslate();

 private:
  QMenu *file_, *edit_, *view_, *help_, *recent_, *goto_, *arrange_, *colours_, *language_;
};

}  // namespace headlight
