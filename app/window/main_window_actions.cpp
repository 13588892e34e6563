// The menus and actions of the window, and what the user chose about its looks.

#include <QDir>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>

#include "app/document/run_texts.h"
#include "app/version.h"
#include "app/window/export.h"
#include "app/window/hint_panel.h"
#include "app/window/keyboard_dialog.h"
#include "app/window/main_window.h"
#include "app/window/source_bar.h"
#include "widgets/base/theme.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight {

void MainWindow::make_menus() {
  file_menu_ = menuBar()->addMenu(QString());
  edit_menu_ = menuBar()->addMenu(QString());
  view_menu_ = menuBar()->addMenu(QString());
  help_menu_ = menuBar()->addMenu(QString());
  panels_menu_ = new QMenu(view_menu_);
  ways_menu_ = new QMenu(view_menu_);
  colours_menu_ = new QMenu(view_menu_);
  language_menu_ = new QMenu(view_menu_);
  panels_->fill_menu(panels_menu_);
  panels_->fill_way_menu(ways_menu_);
  view_menu_->addMenu(ways_menu_);
  view_menu_->addMenu(panels_menu_);
  view_menu_->addMenu(colours_menu_);
  view_menu_->addMenu(language_menu_);
  view_menu_->addSeparator();
  recent_menu_ = new QMenu(file_menu_);
  files_->recent().fill(recent_menu_);
  file_menu_->addMenu(recent_menu_);
  actions_.fill_menu(file_menu_, MenuId::file);
  actions_.fill_menu(edit_menu_, MenuId::edit);
  actions_.fill_menu(view_menu_, MenuId::view);
  actions_.fill_menu(colours_menu_, MenuId::colours);
  actions_.fill_menu(language_menu_, MenuId::language);
  actions_.fill_menu(help_menu_, MenuId::help);
}

void MainWindow::connect_actions() {
  for (QAction* action : actions_.findChildren<QAction*>()) addAction(action);  // shortcuts work wherever the focus is
  const auto on = [this](const char* id, auto what) { connect(actions_[id], &QAction::triggered, this, what); };
  on("open", [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a model folder"), QDir::homePath());
    if (!folder.isEmpty()) open_model(folder);
  });
  on("export", [this] {
    const WindowPanels::Picture picture = panels_->picture();
    const auto write = [&picture](const QString& path) { picture.write(path); };
    const QString problem = export_view(this, picture.name, write, settings_);
    if (!problem.isEmpty()) show_error(problem, tr("Nothing was written. Choose another place and try again."), false);
  });
  on("export_stepping", [this] {
    QWidget* view = this;
    for (QWidget* each : std::initializer_list<QWidget*>{panels_->alignment, panels_->outputs, panels_->stepper})
      if (const QWidget* now = focusWidget(); now && (each == now || each->isAncestorOf(now))) view = each;
    export_stepping(this, panels_->stepper, &selection_, view, suggested_name(result()->source), settings_,
                    [this](const QString& problem) {
                      if (!problem.isEmpty())
                        show_error(problem, tr("Nothing was written. Choose another place and try again."), false);
                    });
  });
  on("export_trace", [this] {
    const QString problem = export_trace(this, *result(), settings_);
    if (!problem.isEmpty()) show_error(problem, tr("Nothing was written. Choose another place and try again."), false);
  });
  on("show_table", [this] { panels_->toggle_table(); });
  panels_->set_panel_actions({actions_["show_table"], actions_["export"], actions_["copy_picture"]});
  on("copy_picture", [this] { copy_picture(*panels_->picture().view); });
  on("quit", [this] { close(); });
  on("undo", [this] { session().undo_stack().undo(); });
  on("redo", [this] { session().undo_stack().redo(); });
  on("reset", [this] { session().clear_differences(); });
  on("stop", [this] { runs_.stop(); });
  on("focus_source", [this] { panels_->source_bar->focus_source(); });
  on("next_example", [this] { panels_->source_bar->next_example(); });
  on("next_panel", [this] { panels_->focus_next(); });
  on("reset_layout", [this] {
    settings_.forget_layout();
    panels_->reset_layout();
  });
  on("full_screen", [this](bool full) { full ? showFullScreen() : showNormal(); });
  on("hint", [this](bool shown) { show_hint(shown); });
  on("keyboard", [this] { KeyboardDialog(this).exec(); });
  on("about", [this] {
    QMessageBox::about(this, tr("About Headlight"),
                       tr("Headlight %1\n\nRuns attention models step by step and shows every number of them.\n\nFree "
                          "software under the GNU General Public License, version 3 or later.")
                           .arg(QString::fromUtf8(kVersion)));
  });
}

void MainWindow::show_hint(bool shown) {
  panels_->hint->setVisible(shown);
  actions_["hint"]->setChecked(shown);
  if (!shown && remember_ == Remember::yes) settings_.set_hint_dismissed(true);
}

void MainWindow::update_actions() {
  actions_["undo"]->setEnabled(session().undo_stack().canUndo());
  actions_["redo"]->setEnabled(session().undo_stack().canRedo());
  actions_["reset"]->setEnabled(session().has_differences());
  actions_["export"]->setEnabled(result() != nullptr);
  actions_["copy_picture"]->setEnabled(result() != nullptr);
  actions_["show_table"]->setEnabled(result() != nullptr);
  actions_["export_stepping"]->setEnabled(result() && result()->trace);
  actions_["export_trace"]->setEnabled(result() && result()->trace);
}

void MainWindow::retranslate() {
  const QString model = shown_model_ ? model_text(shown_model_->title) : QString();
  setWindowTitle(model.isEmpty() ? tr("Headlight") : tr("%1 - Headlight").arg(model));
  actions_.retranslate();
  panels_->retranslate();
  status_->retranslate();
  show_status();
  panels_->source_bar->set_target_problem(target_problem(session().document()));
  file_menu_->setTitle(tr("&File"));
  edit_menu_->setTitle(tr("&Edit"));
  view_menu_->setTitle(tr("&View"));
  help_menu_->setTitle(tr("&Help"));
  recent_menu_->setTitle(tr("Open &recent"));
  ways_menu_->setTitle(tr("&Go to"));
  panels_menu_->setTitle(tr("&Panels"));
  colours_menu_->setTitle(tr("&Colours"));
  language_menu_->setTitle(tr("Lan&guage"));
}

}  // namespace headlight
