// The menus and actions of the window, and what the user chose about its looks.

#include <QDir>
#include <QFileDialog>
#include <QMenuBar>
#include <QMessageBox>

#include "app/appearance.h"
#include "app/export.h"
#include "app/hint_panel.h"
#include "app/keyboard_dialog.h"
#include "app/language.h"
#include "app/main_window.h"
#include "app/run_texts.h"
#include "app/source_bar.h"
#include "app/version.h"
#include "widgets/base/theme.h"
#include "widgets/views/alignment_view.h"
#include "widgets/views/output_panel.h"
#include "widgets/views/stepper_view.h"

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
  recent_.fill(recent_menu_);
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
    const QString problem = export_view(this, picture.name, picture.write, settings_);
    if (!problem.isEmpty()) show_error(problem, tr("Nothing was written. Choose another place and try again."), false);
  });
  on("export_stepping", [this] {
    QWidget* view = this;
    for (QWidget* each : std::initializer_list<QWidget*>{panels_->alignment, panels_->outputs, panels_->stepper})
      if (const QWidget* now = focusWidget(); now && (each == now || each->isAncestorOf(now))) view = each;
    export_stepping(this, panels_->stepper, &selection_, view, suggested_name(result_->source), settings_,
                    [this](const QString& problem) {
                      if (!problem.isEmpty())
                        show_error(problem, tr("Nothing was written. Choose another place and try again."), false);
                    });
  });
  on("export_trace", [this] {
    const QString problem = export_trace(this, *result_, settings_);
    if (!problem.isEmpty()) show_error(problem, tr("Nothing was written. Choose another place and try again."), false);
  });
  on("copy_picture", [this] { copy_picture(*panels_->picture().view); });
  on("quit", [this] { close(); });
  on("undo", [this] { session_.undo_stack().undo(); });
  on("redo", [this] { session_.undo_stack().redo(); });
  on("reset", [this] { session_.clear_differences(); });
  on("stop", [this] { computer_.stop(); });
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

void MainWindow::connect_appearance() {
  const auto on = [this](const char* id, auto what) { connect(actions_[id], &QAction::triggered, this, what); };
  on("theme",
     [this] { set_theme(Theme::instance().mode() == Theme::Mode::dark ? ThemeChoice::light : ThemeChoice::dark); });
  on("theme_system", [this] { set_theme(ThemeChoice::system); });
  on("theme_light", [this] { set_theme(ThemeChoice::light); });
  on("theme_dark", [this] { set_theme(ThemeChoice::dark); });
  on("language_en", [this] { choose_language(QStringLiteral("en")); });
  on("language_zh_CN", [this] { choose_language(QStringLiteral("zh_CN")); });
  on("larger", [this] { set_font_scale(next_font_scale(Theme::instance().font_scale(), 1)); });
  on("smaller", [this] { set_font_scale(next_font_scale(Theme::instance().font_scale(), -1)); });
  on("normal_size", [this] { set_font_scale(1); });
  connect(&Theme::instance(), &Theme::changed, &actions_, &Actions::recolour);
}

void MainWindow::set_theme(ThemeChoice choice) {
  theme_ = choice;
  if (remember_ == Remember::yes) settings_.set_theme(choice);
  apply_theme(choice);
  update_actions();
}

void MainWindow::set_font_scale(double scale) {
  if (remember_ == Remember::yes) settings_.set_font_scale(scale);
  Theme::instance().set_font_scale(scale);
}

void MainWindow::choose_language(const QString& language) {
  if (remember_ == Remember::yes) settings_.set_language(language);
  set_language(language);
  update_actions();
}

void MainWindow::show_hint(bool shown) {
  panels_->hint->setVisible(shown);
  actions_["hint"]->setChecked(shown);
  if (!shown && remember_ == Remember::yes) settings_.set_hint_dismissed(true);
}

void MainWindow::update_actions() {
  actions_["undo"]->setEnabled(session_.undo_stack().canUndo());
  actions_["redo"]->setEnabled(session_.undo_stack().canRedo());
  actions_["reset"]->setEnabled(session_.has_differences());
  actions_["export"]->setEnabled(result_ != nullptr);
  actions_["copy_picture"]->setEnabled(result_ != nullptr);
  actions_["export_stepping"]->setEnabled(result_ && result_->trace);
  actions_["export_trace"]->setEnabled(result_ && result_->trace);
  actions_["theme_system"]->setChecked(theme_ == ThemeChoice::system);
  actions_["theme_light"]->setChecked(theme_ == ThemeChoice::light);
  actions_["theme_dark"]->setChecked(theme_ == ThemeChoice::dark);
  const bool chinese = current_language() == "zh_CN";
  actions_["language_en"]->setChecked(!chinese);
  actions_["language_zh_CN"]->setChecked(chinese);
}

void MainWindow::retranslate() {
  const QString model = shown_model_ ? model_text(shown_model_->title) : QString();
  setWindowTitle(model.isEmpty() ? tr("Headlight") : tr("%1 - Headlight").arg(model));
  actions_.retranslate();
  panels_->retranslate();
  status_->retranslate();
  show_status();
  panels_->source_bar->set_target_problem(target_problem(session_.document()));
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
