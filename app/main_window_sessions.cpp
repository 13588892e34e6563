// What lasts: session files, what is saved without being asked, what was open lately, and what is dropped in. And the
// stage: presenting to a room.

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QStatusBar>
#include <QThreadPool>
#include <utility>

#include "app/appearance.h"
#include "app/drop.h"
#include "app/export.h"
#include "app/language.h"
#include "app/main_window.h"
#include "app/message_banner.h"
#include "app/messages.h"
#include "app/model_hash.h"
#include "app/presenter.h"
#include "app/run_texts.h"
#include "app/source_bar.h"
#include "app/unsaved_dialog.h"
#include "model/models/variant.h"
#include "widgets/base/utf8_text.h"
#include "widgets/plot/heatmap.h"
#include "widgets/views/alignment_view.h"
#include "widgets/views/output_panel.h"
#include "widgets/views/stepper_view.h"
#include "widgets/views/token_strip.h"

namespace headlight {

namespace {
QString kept_text(qsizetype count) {
  return MainWindow::tr("Unsaved sessions that are kept: %1. Open or discard them with File, Unsaved sessions.")
      .arg(count);
}
QString not_opened_text(const QString& problem) {
  return MainWindow::tr("What was open last could not be opened again: %1").arg(problem);
}
}  // namespace

void MainWindow::connect_sessions() {
  const auto on = [this](const char* id, auto what) { connect(actions_[id], &QAction::triggered, this, what); };
  on("open_session", [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a session"), settings_.export_folder(),
                                                      tr("Sessions (*.%1)").arg(kSessionSuffix));
    if (!path.isEmpty()) open_session_file(path);
  });
  on("save_session", [this] { save_session_file(session_path_); });
  on("save_session_as", [this] { save_session_file({}); });
  connect(&opener_, &SessionOpener::opened, this, &MainWindow::session_opened);
  connect(&opener_, &SessionOpener::failed, this, [this](const QString& message) {
    const QString still_open = tr("What was open before is still open.");
    if (!std::exchange(left_, nullptr)) return show_error(message, still_open, false);
    show_error(message, still_open + u' ' + tr("The unsaved session is kept."), false, actions_["unsaved_sessions"]);
  });
  connect(&recent_, &RecentFiles::modelChosen, this, &MainWindow::open_model);
  connect(&recent_, &RecentFiles::sessionChosen, this, &MainWindow::open_session_file);
  actions_["unsaved_sessions"]->setEnabled(remember_ == Remember::yes);
  if (remember_ == Remember::no) return;
  on("unsaved_sessions", [this] {
    auto* dialog = new UnsavedDialog(Autosave::default_folder(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &UnsavedDialog::openRequested, this, &MainWindow::open_left_behind);
    dialog->open();
  });
  autosave_ = std::make_unique<Autosave>(
      [this] { return session_.document().model ? write_session(session_state(), autosave_->path()) : QByteArray(); });
  connect(&session_, &Session::changed, autosave_.get(), &Autosave::touch);
  connect(&selection_, &Selection::changed, autosave_.get(), &Autosave::touch);
  connect(autosave_.get(), &Autosave::failed, this, [this](const QString& message) {
    show_error(message, tr("You can go on working. Save the session yourself, or make room: it is tried again."),
               false);
  });
}

// A file whose opening ended the program is left to the user.
bool MainWindow::restore_left_behind() {
  for (const QString& path : Autosave::left_behind()) {
    if (HeldSession::ended_program(path)) continue;
    left_ = HeldSession::take(path);
    if (!left_ || !left_->begin_opening()) continue;
    try {
      take_left_behind(headlight::open_session(path));
      return true;
    } catch (const Error& error) {
      if (left_problem_.isEmpty()) left_problem_ = QString::fromUtf8(error.what());
    }
  }
  left_.reset();
  return false;
}

void MainWindow::offer_left_behind() {
  offered_ = true;
  const auto kept = Autosave::left_behind().size();
  if (kept == 0 || !panels_->banner->message().isEmpty()) return;
  const QString what = left_problem_.isEmpty()
                           ? tr("Headlight ended unexpectedly, and not all that was open then is saved.")
                           : not_opened_text(left_problem_);
  show_error(what, kept_text(kept), false, actions_["unsaved_sessions"]);
}

void MainWindow::open_left_behind(const QString& path) {
  left_ = HeldSession::take(path);
  if (!left_)
    return show_error(tr("Another window has this session."), tr("What was open before is still open."), false);
  left_->begin_opening();
  opener_.open(left_->path());
}

void MainWindow::session_opened(const OpenedSession& opened) {
  if (left_ && left_->path() == opened.path) return take_left_behind(opened);
  left_.reset();
  take_session(opened);
  if (!offered_ && remember_ == Remember::yes) offer_left_behind();
}

void MainWindow::take_left_behind(OpenedSession opened) {
  const QString path = std::exchange(opened.path, {});
  autosave_->take_over(std::move(left_), restored_);
  QStringList what = {tr("Headlight ended unexpectedly last time. This is what was open then.")};
  if (!left_problem_.isEmpty()) what << not_opened_text(std::exchange(left_problem_, {}));
  if (!opened.notice.isEmpty()) what << std::exchange(opened.notice, {});
  take_session(opened);
  opened_path_ = path;
  restored_ = offered_ = true;
  const auto kept = Autosave::left_behind().size();
  show_error(what.join(u' '), kept > 0 ? kept_text(kept) : tr("Everything else is as it was."), false,
             kept > 0 ? actions_["unsaved_sessions"] : nullptr);
}

void MainWindow::first_run_ended() {
  opened_path_.clear();
  if (autosave_) autosave_->opened();
}

SessionState MainWindow::session_state() const {
  const Document& document = session_.document();
  SessionState state;
  const QString folder = path_text(document.model->folder);
  state.model = {
      QString::fromStdString(document.model->name), folder, {}, known_model_hash(folder).value_or(QByteArray())};
  state.source = document.source;
  state.target = document.target;
  state.prefix = document.prefix;
  state.settings = document.settings;
  state.decode = document.decode;
  state.seed = document.seed;
  state.edits = document.interventions;
  if (result_ && result_->trace) state.selection = named_selection(selection_.state(), *result_);
  state.layout = {saveGeometry(), panels_->save_state()};
  state.theme = theme_;
  state.font_scale = Theme::instance().font_scale();
  state.language = current_language();
  state.views[QStringLiteral("whole_words")] = selection_.words();
  return state;
}

void MainWindow::save_session_file(QString path) {
  if (!session_.document().model) return;
  if (path.isEmpty()) {
    const QString name = suggested_name(session_.document().source.toStdString()) + '.' + kSessionSuffix;
    path = QFileDialog::getSaveFileName(this, tr("Save the session"), settings_.export_folder() + '/' + name,
                                        tr("Sessions (*.%1)").arg(kSessionSuffix));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".") + kSessionSuffix;
  }
  try {
    SessionState state = session_state();
    if (state.model.sha256.isEmpty()) state.model.sha256 = model_hash(state.model.folder);
    save_session(state, path);
  } catch (const Error& error) {
    show_error(QString::fromUtf8(error.what()), tr("Nothing was written. Choose another place and try again."), false);
    return;
  }
  session_path_ = path;
  restored_ = false;
  settings_.set_export_folder(QFileInfo(path).absolutePath());
  recent_.add({UserSettings::Recent::Kind::session, path, QFileInfo(path).completeBaseName()});
  statusBar()->showMessage(message_text(tr("Saved as %1").arg(path)), 4000);
}

void MainWindow::open_session_file(const QString& path) { opener_.open(path); }

void MainWindow::take_session(const OpenedSession& opened) {
  const SessionState& state = opened.state;
  Document document{opened.model,   state.source, state.target, state.prefix,
                    state.settings, state.decode, state.seed,   state.edits};
  QString notice = opened.notice;
  try {
    variant(document.model, document.settings);
  } catch (const Error& error) {
    document.settings = Json::object();
    notice = QString::fromUtf8(error.what());
  }
  session_path_ = opened_path_ = opened.path;
  restored_ = false;
  if (!session_path_.isEmpty())
    recent_.add({UserSettings::Recent::Kind::session, session_path_, QFileInfo(session_path_).completeBaseName()});
  if (state.language && *state.language != current_language()) choose_language(*state.language);
  if (state.theme) set_theme(*state.theme);
  if (state.font_scale) set_font_scale(*state.font_scale);
  selection_.set_words(state.views.value(QStringLiteral("whole_words")).toBool());
  wanted_selection_ = state.selection;
  shown_model_.reset();  // also the model that is open already is a new beginning
  session_.start(std::move(document));
  if (!state.layout.geometry.isEmpty()) restoreGeometry(state.layout.geometry);
  if (!state.layout.state.isEmpty()) panels_->restore_state(state.layout.state);
  if (!notice.isEmpty()) show_error(notice, tr("Everything else is as it was."), false);
}

// Both need the bytes of the model, which may be large.
void MainWindow::remember_model(const ModelBundle& model) {
  const QString folder = path_text(model.folder);
  if (remember_ == Remember::no || folder.isEmpty()) return;
  recent_.add({UserSettings::Recent::Kind::model, folder, model_text(model.title.empty() ? model.name : model.title)});
  QThreadPool::globalInstance()->start([folder] {
    try {
      model_hash(folder);
    } catch (const Error&) {
      // A folder that has gone: a session of it is saved without the hash.
    }
  });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (classify_drop(*event->mimeData()).kind != Dropped::Kind::nothing || event->mimeData()->hasUrls())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const Dropped dropped = classify_drop(*event->mimeData());
  event->acceptProposedAction();
  switch (dropped.kind) {
    case Dropped::Kind::session:
      return open_session_file(dropped.path);
    case Dropped::Kind::model:
      return open_model(dropped.path);
    case Dropped::Kind::text:
      return session_.set_source(dropped.text);
    case Dropped::Kind::nothing:
      show_error(dropped.problem, tr("Drop a model folder, a session or a text."), false);
  }
}

void MainWindow::connect_presenter() {
  presenter_ = new Presenter(this);
  presenter_->set_spot([this]() -> QRectF {
    const Heatmap* heatmap = panels_->alignment->heatmap();
    const HeatmapCell cell = heatmap->selected_cell();
    if (!heatmap->isVisible() || cell.row < 0) return {};
    const QRectF place = heatmap->heatmap_layout().cell_rect(cell.row, cell.column);
    const double margin = 1.5 * Theme::instance().font_scale() * 24;
    return place.translated(heatmap->mapTo(this, QPoint())).adjusted(-margin, -margin, margin, margin);
  });
  connect(actions_["present"], &QAction::triggered, this, [this](bool on) {
    if (!on) return presenter_->stop();
    presenter_->start({panels_->picture().view, panels_->tokens, panels_->outputs});
  });
  connect(presenter_, &Presenter::activeChanged, actions_["present"], &QAction::setChecked);
  connect(presenter_, &Presenter::step, this,
          [this](int direction) { direction > 0 ? panels_->stepper->next() : panels_->stepper->previous(); });
}

}  // namespace headlight
