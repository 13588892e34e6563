// What comes to the window from outside: keys, the mouse, what is dropped onto it, its end.

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QWhatsThis>

#include "app/classroom/classroom.h"
#include "app/jobs/listed_runs.h"
#include "app/lectures/lecture_walk.h"
#include "app/lessons/lesson.h"
#include "app/presentation/presentation.h"
#include "app/stage/stage.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "widgets/base/focus.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/canvas.h"
#include "widgets/views/explain/explain_view.h"

namespace headlight {

namespace {
constexpr int kStillAClick = 5;  // pixels that the mouse moves in one
}

// Text fields know emacs-like keys, among them Ctrl+E for the end of the line; a key that the menus promise is theirs.
// What edits the text of the field itself (undo, copy) stays with the field.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ParentAboutToChange)
    if (const auto* moved = qobject_cast<QWidget*>(watched)) forget_keyboard_in(*moved);
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    const QKeySequence key(static_cast<QKeyEvent*>(event)->keyCombination());
    const auto is = [&](const char* id) { return actions_[id]->shortcuts().contains(key); };
    const bool ours = widget && (widget->window() == this || panels_->windows().contains(widget->window()));
    if (ours && !is("undo") && !is("redo"))
      for (const QAction* action : QWidget::actions())
        if (action->shortcuts().contains(key)) {
          event->ignore();
          return true;
        }
  }
  // The pointer of "What is this?" explains whatever it is clicked on.
  if (event->type() == QEvent::WhatsThis || event->type() == QEvent::QueryWhatsThis) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (widget && (widget->window() == this || panels_->windows().contains(widget->window()))) {
      event->accept();
      if (event->type() == QEvent::WhatsThis) {
        explain(*widget);
        QWhatsThis::leaveWhatsThisMode();
      }
      return true;
    }
  }
  const auto in_picture = [this](const QWidget& widget) {
    return panels_->stage()->slot(Slot::main)->isAncestorOf(&widget) || views_->explanation()->isAncestorOf(&widget);
  };
  // A click on a number of a picture opens it at the side, and so does Enter; arrow keys only choose.
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease ||
      event->type() == QEvent::MouseButtonDblClick) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (widget && mouse->button() == Qt::LeftButton && in_picture(*widget)) {
      const QPoint point = mouse->globalPosition().toPoint();
      if (event->type() == QEvent::MouseButtonPress) {
        pressed_ = point;
        before_press_ = selection_.state();
      }
      const bool twice = event->type() == QEvent::MouseButtonDblClick;
      const bool clicked =
          event->type() == QEvent::MouseButtonRelease && (point - pressed_).manhattanLength() < kStillAClick;
      if (clicked || twice)
        QMetaObject::invokeMethod(
            this,
            [this, twice] {
              if (twice || selection_.state() != before_press_) open_number(twice);
            },
            Qt::QueuedConnection);
    }
  }
  if (event->type() == QEvent::KeyPress) {
    const auto* widget = qobject_cast<QWidget*>(watched);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && qobject_cast<const Canvas*>(widget) && in_picture(*widget))
      QMetaObject::invokeMethod(
          this, [this] { open_number(true); }, Qt::QueuedConnection);
  }
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    retranslate();
    classroom_->retranslate();
  }
  QMainWindow::changeEvent(event);
  // Window managers and sessions change it as well.
  if (event->type() == QEvent::WindowStateChange && presentation_)
    actions_["full_screen"]->setChecked(isFullScreen() && !presentation_->is_active());
}

// A window that comes back after a crash has the size that it had.
void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  theme().set_window_width(width());
  if (files_) files_->touch();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!files_->may_leave([this] { close(); })) return event->ignore();
  if (remember_ == Remember::yes && !lecture_->may_leave([this] { close(); })) return event->ignore();
  remember();
  runs_.stop_all();
  QMainWindow::closeEvent(event);
}

void MainWindow::remember() {
  classroom_->close();  // the window that is remembered is the person's own
  if (remember_ == Remember::no) return;
  settings_.set_layout({saveGeometry(), panels_->save_state()});
  settings_.set_views(choices());
  const Document& document = session().document();
  if (has_kept_model()) settings_.set_last(path_text(document.model->folder), from_utf8(document.source));
}

void MainWindow::end() {
  files_->end();
  remember();
  runs_.stop_all();
}

// Escape puts away what talks to the user, wherever the keyboard is.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  const bool escape = event->key() == Qt::Key_Escape;
  if (escape && !is_in_lab() && views_->put_away_message()) return;
  if (escape && panels_->is_seen(QStringLiteral("help"))) return show_help(false);
  if (escape && is_in_lab()) return leave_lab();
  if (escape && start_->is_open()) return start_->leave();
  if (escape && let_go()) return;
  if (escape && from_lab_) return open_lab();
  QMainWindow::keyPressEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (classify_drop(*event->mimeData()).kind == Dropped::Kind::nothing && !event->mimeData()->hasUrls()) return;
  // Whoever drags a file here keeps it: what is offered to be moved is copied.
  event->setDropAction(Qt::CopyAction);
  event->accept();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->setDropAction(Qt::CopyAction);
  event->accept();
  open_dropped(classify_drop(*event->mimeData()));
}

void MainWindow::open_dropped(const Dropped& dropped) {
  switch (dropped.kind) {
    case Dropped::Kind::session:
      return open_session_file(dropped.path);
    case Dropped::Kind::lecture:
      return open_lecture(dropped.path);
    case Dropped::Kind::training:
      return open_recording(dropped.path);
    case Dropped::Kind::model:
      return is_lesson(bytes_of(dropped.path)) ? open_lesson(dropped.path) : open_model(dropped.path);
    case Dropped::Kind::texts:
      return open_texts_file(dropped.path);
    case Dropped::Kind::text:
      return session().set_source(dropped.text);
    case Dropped::Kind::nothing:
      show_error(dropped.problem, tr("Open or drop a model folder, a lesson, a session or a text."), false);
  }
}

void MainWindow::open_texts_file(const QString& path) {
  leave_lab();
  views_->listed_runs()->open(path);
  views_->show_texts();
}

}  // namespace headlight
