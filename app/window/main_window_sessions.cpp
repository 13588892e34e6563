// What a session holds of the window, what is dropped in, and the stage: presenting to a room.

#include <QDragEnterEvent>
#include <QMimeData>
#include <QStatusBar>
#include <utility>

#include "app/document/drop.h"
#include "app/document/model_hash.h"
#include "app/language.h"
#include "app/messages.h"
#include "app/window/main_window.h"
#include "app/window/message_banner.h"
#include "app/window/presenter.h"
#include "app/window/source_bar.h"
#include "model/models/variant.h"
#include "widgets/base/utf8_text.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/stepper/stepper_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight {

void MainWindow::connect_sessions() {
  connect(files_, &SessionFiles::opened, this, &MainWindow::take_session);
  connect(files_, &SessionFiles::message, this, [this](const QString& what, const QString& advice, QAction* action) {
    show_error(what, advice, false, action);
  });
  connect(files_, &SessionFiles::saved, this,
          [this](const QString& path) { statusBar()->showMessage(message_text(tr("Saved as %1").arg(path)), 4000); });
  connect(&files_->recent(), &RecentFiles::modelChosen, this, &MainWindow::open_model);
  connect(&session(), &Session::changed, files_, &SessionFiles::touch);
  connect(&selection_, &Selection::changed, files_, &SessionFiles::touch);
}

void MainWindow::offer_left_behind() { files_->offer_left_behind(!panels_->banner->message().isEmpty()); }

SessionState MainWindow::session_state() const {
  const Document& document = runs_.session().document();
  SessionState state;
  const QString folder = path_text(document.model->folder);
  state.model = {
      QString::fromStdString(document.model->name), folder, {}, known_model_hash(folder).value_or(QByteArray())};
  state.inputs() = document.inputs();
  state.settings = document.settings;
  if (result() && result()->trace) state.selection = named_selection(selection_.state(), *result());
  state.layout = {saveGeometry(), panels_->save_state()};
  state.theme = appearance_.theme();
  state.font_scale = Theme::instance().font_scale();
  state.language = current_language();
  state.views[QStringLiteral("whole_words")] = selection_.words();
  return state;
}

void MainWindow::take_session(const OpenedSession& opened) {
  const SessionState& state = opened.state;
  Document document{state.inputs(), opened.model, state.settings};
  QString notice = opened.notice;
  try {
    variant(document.model, *document.settings);
  } catch (const Error& error) {
    document.settings = {};
    notice = QString::fromUtf8(error.what());
  }
  if (state.language && *state.language != current_language()) appearance_.set_language(*state.language);
  if (state.theme) appearance_.set_theme(*state.theme);
  if (state.font_scale) appearance_.set_font_scale(*state.font_scale);
  selection_.set_words(state.views.value(QStringLiteral("whole_words")).toBool());
  wanted_selection_ = state.selection;
  shown_model_.reset();  // also the model that is open already is a new beginning
  session().start(std::move(document));
  if (!state.layout.geometry.isEmpty()) restoreGeometry(state.layout.geometry);
  if (!state.layout.state.isEmpty()) panels_->restore_state(state.layout.state);
  if (!notice.isEmpty()) show_error(notice, tr("Everything else is as it was."), false);
  if (files_->may_offer()) offer_left_behind();
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
      return session().set_source(dropped.text);
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
