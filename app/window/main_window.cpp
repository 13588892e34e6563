// Document -> request -> result -> views.

#include "app/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QScreen>
#include <QStatusBar>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/document/model_list.h"
#include "app/document/run_texts.h"
#include "app/window/edits_panel.h"
#include "app/window/first_selection.h"
#include "app/window/hint_panel.h"
#include "app/window/message_banner.h"
#include "app/window/source_bar.h"
#include "widgets/base/utf8_text.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/history/history_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight {

MainWindow::MainWindow(Remember remember, Computer::Runner runner, QWidget* parent)
    : QMainWindow(parent),
      remember_(remember),
      runs_(std::move(runner)),
      appearance_(&actions_, remember == Remember::yes) {
  setObjectName(QStringLiteral("main"));
  setAcceptDrops(true);
  // A picture has its size whatever screen there is (or none); a window must fit on its screen.
  const QSize wanted(1280, 800);
  resize(remember_ == Remember::yes ? wanted.boundedTo(screen()->availableSize()) : wanted);
  files_ = new SessionFiles(this, &actions_, remember_ == Remember::yes, [this] {
    return session().document().model ? std::optional(session_state()) : std::nullopt;
  });
  panels_ = new WindowPanels(this, &selection_);
  status_ = new StatusPanel(statusBar(), actions_["stop"]);
  panels_->source_bar->set_models(listed_models());
  panels_->source_bar->set_next_example_action(actions_["next_example"]);
  make_menus();
  connect_document();
  connect_views();
  connect_actions();
  connect_companion();
  connect_sessions();
  connect_presenter();
  if (remember_ == Remember::yes)
    if (const auto layout = settings_.layout()) {
      restoreGeometry(layout->geometry);
      panels_->restore_state(layout->state);
    }
  qApp->installEventFilter(this);
  show_hint(remember_ == Remember::yes && !settings_.hint_dismissed());
  retranslate();
  update_actions();
}

MainWindow::~MainWindow() {
  // What runs goes before the views; nothing may reach them from now on. What is saved is saved while all is there.
  runs_.disconnect(this);
  session().disconnect();
  session().undo_stack().disconnect(this);
  delete files_;
}

void MainWindow::start(Document document) { session().start(std::move(document)); }
void MainWindow::open_model(const QString& name_or_folder) { runs_.open_model(name_or_folder); }

void MainWindow::connect_document() {
  connect(&session().undo_stack(), &QUndoStack::indexChanged, this, &MainWindow::update_actions);
  connect(&session(), &Session::refused, this,
          [this](const QString& message) { show_error(message, tr("Nothing was changed."), false); });
  connect(&runs_, &RunController::changed, this, &MainWindow::document_changed);
  connect(&runs_, &RunController::started, status_, &StatusPanel::run_started);
  connect(&runs_, &RunController::progress, status_, &StatusPanel::run_progress);
  connect(&runs_, &RunController::stopped, status_, &StatusPanel::run_ended);
  connect(&runs_, &RunController::finished, this, &MainWindow::show_result);
  connect(&runs_, &RunController::failed, this, &MainWindow::show_failure);
  connect(&runs_, &RunController::modelFailed, this, [this](const QString& message) {
    if (session().document().model) panels_->source_bar->set_model(*session().document().model);
    show_error(message, tr("The model that was open before is still open."), false);
  });
}

void MainWindow::show_failure(QString message, bool defect) {
  status_->run_ended();
  if (const QString opened = files_->opened_path(); !opened.isEmpty())
    message = opened + QStringLiteral(": ") + message;
  files_->first_run_ended();
  emit runFailed(message);
  // The field itself says what is wrong with it.
  if (!defect && !target_problem(session().document()).isEmpty()) return;
  show_error(message,
             defect ? tr("This is a defect of Headlight, not yours. What you see below is the last good run.")
                    : tr("What you see below is the last good run. Change the text, or undo the last change (Ctrl+Z)."),
             true);
}

void MainWindow::connect_views() {
  connect(panels_->source_bar, &SourceBar::sourceEdited, &session(), &Session::set_source);
  connect(panels_->source_bar, &SourceBar::targetEdited, &session(), &Session::set_target);
  connect(panels_->source_bar, &SourceBar::prefixToggled, &session(), &Session::set_prefix);
  connect(panels_->source_bar, &SourceBar::modelChosen, this, &MainWindow::open_model);
  const ViewRequests* requests = &panels_->requests;
  connect(requests, &ViewRequests::edit, &session(), &Session::add_intervention);
  connect(requests, &ViewRequests::withdraw, &session(),
          [this](const Intervention& edit) { session().change_interventions({}, {edit}); });
  connect(requests, &ViewRequests::edits, &session(), &Session::change_interventions);
  connect(requests, &ViewRequests::setting, &session(), &Session::set_setting);
  connect(requests, &ViewRequests::decoding, &session(), &Session::set_decoding);
  connect(requests, &ViewRequests::target, &session(), &Session::set_target);
  connect(requests, &ViewRequests::source, &session(), &Session::set_source);
  connect(requests, &ViewRequests::open, this,
          [this](int entry, qint64 cell) { panels_->inspector->open(entry, static_cast<Index>(cell)); });
  connect(panels_->edits, &EditsPanel::removeRequested, &session(), &Session::remove_intervention);
  connect(panels_->edits, &EditsPanel::settingRemoved, this, [this](const QString& key) {
    session().set_setting(key, session().document().model->model->config().value(key.toStdString(), Json()));
  });
  connect(panels_->edits, &EditsPanel::decodingReset, this, [this] { session().set_decoding({}, 1); });
  connect(panels_->edits, &EditsPanel::clearRequested, &session(), &Session::clear_differences);
  connect(panels_->edits, &EditsPanel::targetRemoved, this, [this] { session().set_target(std::nullopt); });
  connect(panels_->edits, &EditsPanel::openRequested, this, &MainWindow::open_edit);
  connect(panels_->inspector, &InspectorView::editRequested, &session(), &Session::add_intervention);
  connect(panels_->alignment, &AlignmentView::weightEditRequested, this, &MainWindow::ask_weight);
  connect(panels_->hint, &HintPanel::dismissed, this, [this] { show_hint(false); });
}

// Runs that some views want beside the main one, and what there is to run.
void MainWindow::connect_companion() {
  companion().serve(panels_->compare);
  companion().serve(panels_->history);
  connect(panels_->history, &HistoryView::modelWanted, this, &MainWindow::open_model);
  connect(panels_, &WindowPanels::companyWanted, &companion(), &Companion::list_models);
}

void MainWindow::document_changed() {
  const Document& document = session().document();
  panels_->source_bar->set_texts(from_utf8(document.source), target_text(document));
  panels_->source_bar->set_prefix(document.prefix, document.target.has_value());
  panels_->source_bar->set_target_problem(target_problem(document));
  show_differences();
  panels_->alignment->set_interventions(document.interventions);
  if (document.model && document.model != shown_model_) {
    shown_model_ = document.model;
    selection_.set({});
    panels_->source_bar->set_model(*document.model);
    files_->remember_model(*document.model);
    retranslate();
    panels_->banner->dismiss();
    if (!document.model->warnings.empty())
      show_error(QString::fromStdString(document.model->warnings.front()),
                 tr("The model runs, but what depends on these numbers is marked as missing."), false);
  }
  update_actions();
}

void MainWindow::show_result(const std::shared_ptr<const Result>& result, bool other_model) {
  status_->run_ended();
  files_->first_run_ended();
  if (run_error_shown_) panels_->banner->dismiss();
  run_error_shown_ = false;
  fit_selection(*result);
  panels_->show_result(result);
  if (wanted_selection_)
    selection_.set(selection_in(*std::exchange(wanted_selection_, std::nullopt), *result));
  else if (other_model)
    selection_.set(first_selection(*result));
  show_status();
  show_differences();
  update_actions();
  emit resultShown(result->id);
}

void MainWindow::show_differences() {
  const Document& document = session().document();
  panels_->edits->set_differences(
      {session().running(), document.decode, target_text(document), document.interventions, result()});
}

void MainWindow::show_status() {
  if (!result()) return;
  status_->show_run(result()->seconds, note_texts(*result()), size_text(*result()));
  panels_->source_bar->set_target_probability(session().document().target ? std::optional(output_probability(*result()))
                                                                          : std::nullopt);
}

void MainWindow::show_error(const QString& what, const QString& advice, bool of_run, QAction* action) {
  run_error_shown_ = of_run;
  panels_->banner->show_message(what, advice, action);
}

// What was selected may not exist any more in a shorter text.
void MainWindow::fit_selection(const Result& result) {
  SelectionState state = selection_.state();
  if (state.source_token && *state.source_token >= static_cast<int>(result.tokens.size())) state.source_token.reset();
  if (state.step && *state.step >= static_cast<int>(result.steps.size())) state.step.reset();
  const bool gone = state.entry && (!result.trace || *state.entry >= result.trace->size() ||
                                    (state.cell && *state.cell >= (*result.trace)[*state.entry].value.size()));
  if (gone) {
    state.entry.reset();
    state.cell.reset();
  }
  selection_.set(state);
}

void MainWindow::ask_weight(int entry, qint64 cell) {
  if (!result() || !result()->trace || entry < 0 || entry >= result()->trace->size()) return;
  const TraceEntry& place = (*result()->trace)[entry];
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(QInputDialog::DoubleInput);
  dialog->setWindowTitle(tr("Set attention weight"));
  dialog->setLabelText(
      tr("New weight, from 0 to 1. The other weights of this step are scaled so that the sum stays "
         "the same, and everything after it is computed again."));
  for (QLabel* label : dialog->findChildren<QLabel*>()) {
    label->setWordWrap(true);
    label->setMinimumWidth(label->fontMetrics().averageCharWidth() * 52);
  }
  dialog->setDoubleRange(0, 1);
  dialog->setDoubleDecimals(4);
  dialog->setDoubleStep(0.05);
  dialog->setDoubleValue(static_cast<double>(place.value[cell]));
  connect(dialog, &QInputDialog::doubleValueSelected, this, [this, site = place.site.text, cell](double value) {
    Intervention pin;
    pin.site = site;
    pin.kind = Intervention::Kind::pin;
    pin.cell = static_cast<Index>(cell);
    pin.value = static_cast<Scalar>(value);
    session().add_intervention(pin);
  });
  dialog->open();
}

void MainWindow::open_edit(const QString& site, qint64 cell) {
  if (!result() || !result()->trace) return;
  const int entry = result()->trace->find(site.toStdString());
  if (entry >= 0) panels_->inspector->open(entry, static_cast<Index>(std::max<qint64>(cell, 0)));
}

// Text fields know emacs-like keys, among them Ctrl+E for the end of the line; a key that the menus promise is theirs.
// What edits the text of the field itself (undo, copy) stays with the field.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    const QKeySequence key(static_cast<QKeyEvent*>(event)->keyCombination());
    const auto is = [&](const char* id) { return actions_[id]->shortcuts().contains(key); };
    if (widget && widget->window() == this && !is("undo") && !is("redo"))
      for (const QAction* action : QWidget::actions())
        if (action->shortcuts().contains(key)) {
          event->ignore();
          return true;
        }
  }
  return QMainWindow::eventFilter(watched, event);
}

bool MainWindow::focusNextPrevChild(bool next) {
  panels_->set_tab_order();
  return QMainWindow::focusNextPrevChild(next);
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QMainWindow::changeEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (remember_ == Remember::yes) {
    settings_.set_layout({saveGeometry(), panels_->save_state()});
    const Document& document = session().document();
    if (document.model) settings_.set_last(path_text(document.model->folder), from_utf8(document.source));
  }
  runs_.stop();
  QMainWindow::closeEvent(event);
}

// Escape puts away what talks to the user, wherever the keyboard is.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  const bool escape = event->key() == Qt::Key_Escape;
  if (escape && !panels_->banner->isHidden())
    panels_->banner->dismiss();
  else if (escape && !panels_->hint->isHidden())
    show_hint(false);
  else
    QMainWindow::keyPressEvent(event);
}

}  // namespace headlight
