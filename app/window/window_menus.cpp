#include "app/window/window_menus.h"

#include <QCoreApplication>
#include <QMenuBar>

#include "app/document/recent.h"
#include "app/stage/window_panels.h"

namespace headlight {

namespace {

struct WindowMenusWords {
  Q_DECLARE_TR_FUNCTIONS(headlight::WindowMenus)
};

}  // namespace

WindowMenus::WindowMenus(QMenuBar* bar, const Actions& actions, const WindowPanels& panels, RecentFiles& recent)
    : file_(bar->addMenu(QString())),
      edit_(bar->addMenu(QString())),
      view_(bar->addMenu(QString())),
      help_(bar->addMenu(QString())),
      recent_(file_->addMenu(QString())),
      goto_(view_->addMenu(QString())),
      arrange_(view_->addMenu(QString())),
      colours_(view_->addMenu(QString())),
      language_(view_->addMenu(QString())) {
  view_->addSeparator();
  recent.fill(recent_);
  panels.fill_goto_menu(goto_);
  for (const auto& [menu, id] : {std::pair{file_, MenuId::file},
                                 {edit_, MenuId::edit},
                                 {view_, MenuId::view},
                                 {arrange_, MenuId::arrange},
                                 {colours_, MenuId::colours},
                                 {language_, MenuId::language},
                                 {help_, MenuId::help}})
    actions.fill_menu(menu, id);
}

void WindowMenus::retranslate() {
  file_->setTitle(WindowMenusWords::tr("&File"));
  edit_->setTitle(WindowMenusWords::tr("&Edit"));
  view_->setTitle(WindowMenusWords::tr("&View"));
  help_->setTitle(WindowMenusWords::tr("&Help"));
  recent_->setTitle(WindowMenusWords::tr("Open &recent"));
  goto_->setTitle(WindowMenusWords::tr("&Go to"));
  arrange_->setTitle(WindowMenusWords::tr("&Arrange"));
  colours_->setTitle(WindowMenusWords::tr("&Colours"));
  language_->setTitle(WindowMenusWords::tr("Lan&guage"));
}

}  // namespace headlight
