// Document -> request -> result -> views.

#include "app/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QScreen>
#include <QStatusBar>
#include <algorithm>

#include "app/edits_panel.h"
#include "app/hint_panel.h"
#include "app/message_banner.h"
#include "app/model_list.h"
#include "app/run_texts.h"
#include "app/source_bar.h"
#include "model/analysis/alignment.h"
#include "model/models/variant.h"
#include "widgets/base/utf8_text.h"
#include "widgets/views/alignment_view.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/history_view.h"
#include "widgets/views/inspector_view.h"
#include "widgets/views/output_panel.h"
#include "widgets/views/token_strip.h"

namespace headlight {

MainWindow::MainWindow(Remember remember, Computer::Runner runner, QWidget* parent)
    : QMainWindow(parent), remember_(remember), computer_(nullptr, std::move(runner)) {
  setObjectName(QStringLiteral("main"));
  setAcceptDrops(true);
  // A picture has its size whatever screen there is (or none); a window must fit on its screen.
  const QSize wanted(1280, 800);
  resize(remember_ == Remember::yes ? wanted.boundedTo(screen()->availableSize()) : wanted);
  panels_ = new WindowPanels(this, &selection_);
  status_ = new StatusPanel(statusBar(), actions_["stop"]);
  panels_->source_bar->set_models(listed_models());
  panels_->source_bar->set_next_example_action(actions_["next_example"]);
  make_menus();
  connect_document();
  connect_views();
  connect_actions();
  connect_appearance();
  connect_companion();
  connect_sessions();
  connect_presenter();
  if (remember_ == Remember::yes) {
    theme_ = settings_.theme();
    if (const auto layout = settings_.layout()) {
      restoreGeometry(layout->geometry);
      panels_->restore_state(layout->state);
    }
  }
  qApp->installEventFilter(this);
  show_hint(remember_ == Remember::yes && !settings_.hint_dismissed());
  retranslate();
  update_actions();
}

MainWindow::~MainWindow() {
  // The document and the worker outlive the views below them; nothing may reach the views from now on.
  session_.disconnect(this);
  session_.undo_stack().disconnect(this);
  autosave_.reset();
  computer_.disconnect(this);
}

void MainWindow::start(Document document) { session_.start(std::move(document)); }
void MainWindow::open_model(const QString& name_or_folder) { loader_.load(name_or_folder); }

void MainWindow::connect_document() {
  connect(&session_, &Session::changed, this, &MainWindow::document_changed);
  connect(&session_.undo_stack(), &QUndoStack::indexChanged, this, &MainWindow::update_actions);
  connect(&session_, &Session::refused, this,
          [this](const QString& message) { show_error(message, tr("Nothing was changed."), false); });
  connect(&computer_, &Computer::finished, this, &MainWindow::show_result);
  connect(&computer_, &Computer::progress, status_, &StatusPanel::run_progress);
  connect(&computer_, &Computer::stopped, status_, &StatusPanel::run_ended);
  connect(&computer_, &Computer::failed, this, [this](QString message, bool defect) {
    status_->run_ended();
    if (!opened_path_.isEmpty()) message = opened_path_ + QStringLiteral(": ") + message;
    first_run_ended();
    companion_.resume();
    emit runFailed(message);
    // The field itself says what is wrong with it.
    if (!defect && !target_problem(session_.document()).isEmpty()) return;
    show_error(message,
               defect
                   ? tr("This is a defect of Headlight, not yours. What you see below is the last good run.")
                   : tr("What you see below is the last good run. Change the text, or undo the last change (Ctrl+Z)."),
               true);
  });
  connect(&loader_, &ModelLoader::loaded, this,
          [this](std::shared_ptr<const ModelBundle> model) { session_.set_model(std::move(model)); });
  connect(&loader_, &ModelLoader::failed, this, [this](const QString& message) {
    if (session_.document().model) panels_->source_bar->set_model(*session_.document().model);
    show_error(message, tr("The model that was open before is still open."), false);
  });
}

void MainWindow::connect_views() {
  connect(panels_->source_bar, &SourceBar::sourceEdited, &session_, &Session::set_source);
  connect(panels_->source_bar, &SourceBar::targetEdited, &session_, &Session::set_target);
  connect(panels_->source_bar, &SourceBar::prefixToggled, &session_, &Session::set_prefix);
  connect(panels_->source_bar, &SourceBar::modelChosen, this, &MainWindow::open_model);
  const ViewRequests* requests = &panels_->requests;
  connect(requests, &ViewRequests::edit, &session_, &Session::add_intervention);
  connect(requests, &ViewRequests::withdraw, &session_,
          [this](const Intervention& edit) { session_.change_interventions({}, {edit}); });
  connect(requests, &ViewRequests::edits, &session_, &Session::change_interventions);
  connect(requests, &ViewRequests::setting, &session_, &Session::set_setting);
  connect(requests, &ViewRequests::decoding, &session_, &Session::set_decoding);
  connect(requests, &ViewRequests::target, &session_, &Session::set_target);
  connect(requests, &ViewRequests::source, &session_, &Session::set_source);
  connect(requests, &ViewRequests::open, this,
          [this](int entry, qint64 cell) { panels_->inspector->open(entry, static_cast<Index>(cell)); });
  connect(panels_->edits, &EditsPanel::removeRequested, &session_, &Session::remove_intervention);
  connect(panels_->edits, &EditsPanel::settingRemoved, this, [this](const QString& key) {
    session_.set_setting(key, session_.document().model->model->config().value(key.toStdString(), Json()));
  });
  connect(panels_->edits, &EditsPanel::decodingReset, this, [this] { session_.set_decoding({}, 1); });
  connect(panels_->edits, &EditsPanel::clearRequested, &session_, &Session::clear_differences);
  connect(panels_->edits, &EditsPanel::targetRemoved, this, [this] { session_.set_target(std::nullopt); });
  connect(panels_->edits, &EditsPanel::openRequested, this, &MainWindow::open_edit);
  connect(panels_->inspector, &InspectorView::editRequested, &session_, &Session::add_intervention);
  connect(panels_->alignment, &AlignmentView::weightEditRequested, this, &MainWindow::ask_weight);
  connect(panels_->hint, &HintPanel::dismissed, this, [this] { show_hint(false); });
}

// Runs that some views want beside the main one, and what there is to run.
void MainWindow::connect_companion() {
  companion_.serve(panels_->compare);
  companion_.serve(panels_->history);
  connect(panels_->history, &HistoryView::modelWanted, this, &MainWindow::open_model);
  connect(panels_, &WindowPanels::companyWanted, &companion_, &Companion::list_models);
}

void MainWindow::document_changed() {
  const Document& document = session_.document();
  panels_->source_bar->set_texts(document.source, document.target);
  panels_->source_bar->set_prefix(document.prefix, document.target.has_value());
  panels_->source_bar->set_target_problem(target_problem(document));
  show_differences();
  panels_->alignment->set_interventions(document.interventions);
  if (document.model && document.model != shown_model_) {
    shown_model_ = document.model;
    selection_.set({});
    panels_->source_bar->set_model(*document.model);
    remember_model(*document.model);
    retranslate();
    panels_->banner->dismiss();
    if (!document.model->warnings.empty())
      show_error(QString::fromStdString(document.model->warnings.front()),
                 tr("The model runs, but what depends on these numbers is marked as missing."), false);
  }
  update_actions();
  if (!document.model) return;
  status_->run_started();
  companion_.pause();
  computer_.submit(session_.request());
}

void MainWindow::show_result(const std::shared_ptr<const Result>& result) {
  const bool other_model = !result_ || &as_trained(*result_->model) != &as_trained(*result->model);
  result_ = result;
  status_->run_ended();
  first_run_ended();
  if (run_error_shown_) panels_->banner->dismiss();
  run_error_shown_ = false;
  fit_selection(*result);
  panels_->show_result(result);
  if (wanted_selection_)
    selection_.set(selection_in(*std::exchange(wanted_selection_, std::nullopt), *result));
  else if (other_model)
    select_something(*result);
  show_status();
  show_differences();
  update_actions();
  companion_.resume();
  emit resultShown(result->id);
}

void MainWindow::show_differences() {
  const Document& document = session_.document();
  panels_->edits->set_differences(
      {session_.running(), document.decode, document.target, document.interventions, result_});
}

void MainWindow::show_status() {
  if (!result_) return;
  status_->show_run(result_->seconds, note_texts(*result_), size_text(*result_));
  panels_->source_bar->set_target_probability(session_.document().target ? std::optional(output_probability(*result_))
                                                                         : std::nullopt);
}

void MainWindow::show_error(const QString& what, const QString& advice, bool of_run, QAction* action) {
  run_error_shown_ = of_run;
  panels_->banner->show_message(what, advice, action);
}

// A newcomer should see numbers in every panel: the strongest weight in the middle of the output is a good start.
void MainWindow::select_something(const Result& result) {
  const Alignment weights = alignment(result);  // also where whole words are shown
  if (!result.trace || result.steps.empty()) return;
  SelectionState state;
  state.step = static_cast<int>(result.steps.size()) / 2;
  if (weights.empty()) {
    const int entry = result.trace->find("decoder.step[" + std::to_string(*state.step) + "].output.probs");
    if (entry >= 0) {
      state.entry = entry;
      state.cell = result.steps[static_cast<std::size_t>(*state.step)].id;
    }
  } else {
    const auto row = static_cast<std::size_t>(*state.step);
    const auto columns = static_cast<std::size_t>(weights.weights.columns());
    const Scalar* values = weights.weights.data() + row * columns;
    const auto best = static_cast<std::size_t>(std::max_element(values, values + columns) - values);
    state.source_token = weights.token_of_column[best];
    state.entry = weights.entry_of_row[row];
    state.cell = static_cast<qint64>(weights.index_of_column[best]);
  }
  selection_.set(state);
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
  if (!result_ || !result_->trace || entry < 0 || entry >= result_->trace->size()) return;
  const TraceEntry& place = (*result_->trace)[entry];
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
    session_.add_intervention(pin);
  });
  dialog->open();
}

void MainWindow::open_edit(const QString& site, qint64 cell) {
  if (!result_ || !result_->trace) return;
  const int entry = result_->trace->find(site.toStdString());
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
    const Document& document = session_.document();
    if (document.model) settings_.set_last(path_text(document.model->folder), document.source);
  }
  computer_.stop();
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
