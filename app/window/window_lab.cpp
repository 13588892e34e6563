// The training lab in the window: in place of the pictures, made when it is first wanted, and never stopped by being
// left.

#include <QAction>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <utility>

#include "app/classroom/classroom.h"
#include "app/document/run_texts.h"
#include "app/lab/lab.h"
#include "app/presentation/presentation.h"
#include "app/presentation/presenter.h"
#include "app/stage/stage.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "model/models/bundle.h"
#include "widgets/base/controls.h"

namespace headlight {

Lab& MainWindow::lab() {
  if (lab_) return *lab_;
  lab_ = new Lab(this);
  LabPage* page = lab_->page();
  // Both stand in the same place; what is hidden asks for no room.
  QWidget* stage = takeCentralWidget();
  auto* front = new QWidget(this);
  QVBoxLayout* rows = column_in(front, 0);
  rows->addWidget(stage);
  rows->addWidget(page);
  page->hide();
  setCentralWidget(front);
  stage->show();
  front->show();  // now, so that what stands in it is known to be seen
  page->set_picture_actions({actions_["show_table"], actions_["export"], actions_["copy_picture"]});
  connect(lab_, &Lab::left, this, &MainWindow::leave_lab);
  connect(lab_, &Lab::titleChanged, this, &MainWindow::show_title);
  connect(lab_, &Lab::trainingChanged, this, &MainWindow::show_training);
  connect(lab_, &Lab::modelWanted, this, &MainWindow::open_moment);
  connect(lab_, &Lab::written, exports_, &Exports::written);
  if (labs_) lab_->set_choices(*std::exchange(labs_, std::nullopt));
  return *lab_;
}

bool MainWindow::is_in_lab() const { return lab_ && lab_->page()->isVisibleTo(this); }

void MainWindow::connect_lab() {
  connect(actions_["lab"], &QAction::triggered, this, [this] { is_in_lab() ? leave_lab() : open_lab(); });
  connect(status_->training(), &QToolButton::clicked, this, &MainWindow::open_lab);
  // Whoever asks for a picture wants to see it.
  for (const char* id :
       {"start", "look", "explain", "change", "compare", "beside", "below", "take_out", "next_example", "write_output"})
    connect(actions_[id], &QAction::triggered, this, &MainWindow::leave_lab);
  exports_->set_instead([this]() -> std::optional<WindowPanels::Picture> {
    if (!is_in_lab()) return std::nullopt;
    WindowPanels::Picture picture;
    picture.view = lab_->page();
    picture.name = suggested_name(lab_->figure_name().toStdString());
    picture.caption = lab_->page()->facts();
    picture.figure = [this] { return lab_->figure(); };
    return picture;
  });
  presentation_->presenter()->set_left([this](const QKeyEvent& key) {
    return is_in_lab() && !classroom_->is_open() && key.key() == Qt::Key_Space;  // pauses
  });
}

void MainWindow::open_lab() {
  if (is_in_lab()) return;
  start_->leave();
  LabPage* page = lab().page();
  panels_->stage()->hide();
  lab_->set_presenting(presentation_->is_active());
  page->show();
  page->focus_first();
  lab_changed();
}

void MainWindow::leave_lab() {
  actions_["lab"]->setChecked(false);
  if (!is_in_lab()) return;
  if (!classroom_->is_open()) presentation_->presenter()->stop();  // it was what the room saw
  lab_->page()->hide();
  panels_->stage()->show();
  views_->source_bar()->focus_source();
  lab_changed();
}

void MainWindow::lab_changed() {
  actions_["lab"]->setChecked(is_in_lab());
  exports_->update();
  update_actions();
  show_title();
  show_training();
}

void MainWindow::show_title() {
  const bool lesson = classroom_->is_open();
  const QString shown = is_in_lab()    ? lab_->page()->title()
                        : shown_model_ ? model_text(shown_model_->title)
                                       : QString();
  setWindowTitle(shown.isEmpty() ? tr("Headlight") : tr("%1 - Headlight").arg(shown));
  bar_->set_lesson(is_in_lab() && !lesson ? QStringList{lab_->page()->title()} : classroom_->titles());
}

void MainWindow::show_training() { status_->set_training(lab_ && !is_in_lab() ? lab_->training_text() : QString()); }

void MainWindow::open_recording(const QString& name_or_path) {
  open_lab();
  lab().open_recording(name_or_path);
}

void MainWindow::open_preset(const QString& name) {
  open_lab();
  lab().show_preset(name);
}

// The model as it was at a moment, in all pictures; it stands in no folder, so nothing remembers it.
void MainWindow::open_moment(const std::shared_ptr<const ModelBundle>& model, const QString& source) {
  leave_lab();
  Document document;
  document.model = moment_ = model;
  document.source = source.toStdString();
  session().start(std::move(document));
  auto* back = new QAction(tr("Back to the lab"), this);
  connect(back, &QAction::triggered, this, &MainWindow::open_lab);
  show_error(tr("This is the model as it was at that moment of its training."), {}, false, back);
  from_lab_ = true;
}

// Files stand for models in sessions and in what is remembered.
bool MainWindow::has_kept_model() {
  const auto& model = session().document().model;
  return model && (!moment_ || (model != moment_ && model->trained != moment_));
}

}  // namespace headlight
