// What the parts of the window ask of each other, and what its actions do.

#include <QApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QToolButton>
#include <QUrl>
#include <QWhatsThis>
#include <utility>

#include "app/classroom/classroom.h"
#include "app/classroom/lessons_list.h"
#include "app/classroom/record_dialog.h"
#include "app/dialogs/keyboard_dialog.h"
#include "app/dialogs/open_folder.h"
#include "app/file_dialogs.h"
#include "app/find/finder.h"
#include "app/lab/lab.h"
#include "app/lectures/lecture_walk.h"
#include "app/messages.h"
#include "app/presentation/presentation.h"
#include "app/presentation/presenter.h"
#include "app/stage/first_selection.h"
#include "app/text/source_bar.h"
#include "app/window/learned_panel.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "widgets/base/ask.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/stepper/stepper_view.h"
#include "widgets/views/texts/texts_view.h"

namespace headlight {

void MainWindow::connect_runs() {
  connect(&session().undo_stack(), &QUndoStack::indexChanged, this, &MainWindow::update_actions);
  connect(&session(), &Session::refused, this,
          [this](const QString& message) { show_error(message, tr("Nothing was changed."), false); });
  connect(&runs_, &RunController::changed, this, &MainWindow::show_document);
  connect(&runs_, &RunController::loading, status_, &StatusPanel::set_loading);
  connect(&runs_, &RunController::started, status_, &StatusPanel::run_started);
  connect(&runs_, &RunController::progress, status_, &StatusPanel::run_progress);
  connect(&runs_, &RunController::stopped, status_, &StatusPanel::run_ended);
  connect(&runs_, &RunController::finished, this, &MainWindow::show_result);
  connect(&runs_, &RunController::failed, this, &MainWindow::show_failure);
  connect(&runs_, &RunController::modelFailed, this, [this](const QString& message) {
    if (session().document().model) views_->show_model(*session().document().model);
    show_error(message, tr("The model that was open before is still open."), false);
  });
}

void MainWindow::connect_actions() {
  for (QAction* action : actions_.findChildren<QAction*>()) addAction(action);  // shortcuts work wherever the focus is
  const auto on = [this](const char* id, auto what) { connect(actions_[id], &QAction::triggered, this, what); };
  on("open", [this] {
    ask_what_to_open(this, tr("Open a model, a lesson, a session, a training or a file"),
                     [this](const QString& path) { open_dropped(classify_file(path)); });
  });
  connect(views_->compare(), &CompareView::openWanted, this, &MainWindow::open_to_compare);
  connect(views_->source_bar(), &SourceBar::otherModelWanted, actions_["open"], &QAction::trigger);
  const auto open_texts = [this] {
    ask_for_file(this, {"texts", tr("Open a list of texts"), {}, {tr("Texts (*.txt *.tsv *.jsonl *.json)")}},
                 [this](const QString& path) { open_texts_file(path); });
  };
  on("open_texts", open_texts);
  connect(views_->texts(), &TextsView::openWanted, this, open_texts);
  on("start", [this] { start_->open(); });
  connect(start_, &StartPage::textWanted, &session(), &Session::set_source);
  runs_.side_runs().serve(start_->learned());
  connect(exports_, &Exports::failed, this, [this](const QString& problem) {
    show_error(problem, tr("Nothing was written. Choose another place and try again."), false);
  });
  connect(exports_, &Exports::written, this, [this](const QString& path) {
    auto* open = new QAction(tr("Open the folder"), this);
    connect(open, &QAction::triggered, this,
            [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath())); });
    show_error(message_text(tr("Saved as %1").arg(path)), {}, false, open);
  });
  connect(exports_, &Exports::copied, this, [this] { status_->say(tr("The picture is on the clipboard.")); });
  views_->source_bar()->set_next_example_action(actions_["next_example"]);
  on("write_output", [this] { views_->source_bar()->write_output(); });
  on("quit", [this] { close(); });
  on("undo", [this] { is_in_lab() ? lab_->undo() : session().undo_stack().undo(); });
  on("redo", [this] { session().undo_stack().redo(); });
  on("reset", [this] { session().clear_differences(); });
  on("stop", [this] { is_in_lab() ? lab_->stop() : runs_.stop(); });
  on("focus_source", [this] { is_in_lab() ? lab_->page()->focus_probe() : views_->source_bar()->focus_source(); });
  on("next_example", [this] { views_->source_bar()->next_example(); });
  on("next_panel", [this] { is_in_lab() ? lab_->page()->focus_first() : panels_->focus_next(); });
  // Presenting has the whole screen already: this key ends it, as Escape does.
  on("full_screen", [this](bool full) {
    if (presentation_->is_active()) return presentation_->presenter()->stop();
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, full));
  });
  on("hint", [this](bool shown) { show_help(shown); });
  on("whats_this", [this] {
    if (const QWidget* widget = QApplication::focusWidget()) explain(*widget);
    QWhatsThis::enterWhatsThisMode();
  });
  on("keyboard", [this] {
    auto* keys = new KeyboardDialog(this);
    keys->setAttribute(Qt::WA_DeleteOnClose);
    keys->open();
  });
  on("about", [this] { show_about(); });
}

void MainWindow::connect_panels() {
  const auto on = [this](const char* id, auto what) { connect(actions_[id], &QAction::triggered, this, what); };
  on("show_table", [this] { is_in_lab() ? lab_->toggle_table() : panels_->toggle_table(); });
  panels_->set_panel_actions({actions_["show_table"], actions_["export"], actions_["copy_picture"]},
                             {actions_["beside"], actions_["below"], actions_["take_out"]});
  on("beside", [this] { panels_->move_beside(); });
  on("below", [this] { panels_->move_below(); });
  on("take_out", [this] { panels_->take_out(); });
  on("save_arrangement", [this] {
    ask_for_text(this, {tr("Save this arrangement"), tr("Its name in the bar:"), {}}, [this](const QString& typed) {
      const QString name = typed.trimmed().left(24);
      const auto save = [this, name] { panels_->save_arrangement(name); };
      if (!panels_->arrangements().contains(name)) return save();
      ask_to_lose(
          this,
          {tr("There is an arrangement of this name. Replace it? It cannot be brought back."), name, tr("&Replace")},
          save);
    });
  });
  on("reset_layout", [this] {
    const auto reset = [this] {
      settings_.forget_layout();
      panels_->reset_layout();
    };
    const QString own = panels_->arrangement();
    if (std::ranges::find(Arrangements::kNames, own) != Arrangements::kNames.end()) return reset();
    ask_to_lose(this, {tr("Remove this arrangement of yours? It cannot be brought back."), own, tr("&Remove")}, reset);
  });
  for (const char* way : Arrangements::kNames)
    on(way, [this, way] {
      panels_->arrange(QString::fromUtf8(way));
      show_ways();
    });
  connect(bar_, &TopBar::chosen, this, [this](int way) { panels_->arrange(panels_->arrangements().value(way)); });
  bar_->set_present_action(actions_["present"]);
  connect(panels_, &WindowPanels::arranged, this, [this] {
    runs_.set_shown(panels_->read());
    status_->hush();
    selection_.set_changing(panels_->arrangement() == QLatin1String("change"));
    show_ways();
    show_caption();
    // The colours of a picture that was not seen before are known when it is.
    QMetaObject::invokeMethod(
        this, [this] { show_caption(); }, Qt::QueuedConnection);
    actions_["hint"]->setChecked(panels_->is_seen(QStringLiteral("help")));
    // Who asks how a number came about wants to see one.
    if (result() && !selection_.state().entry && panels_->is_seen(QStringLiteral("inspector")))
      selection_.set(first_selection(*result()));
  });
  connect(panels_, &WindowPanels::closed, this,
          [this](const QString& name) { number_closed_ = number_closed_ || name == QLatin1String("inspector"); });
  connect(views_, &DocumentViews::captionChanged, this, &MainWindow::show_caption);
  connect(panels_, &WindowPanels::lacking, this,
          [this](const QString& title) { status_->say(tr("Of this model there is no picture ‘%1’.").arg(title)); });
}

void MainWindow::connect_sessions() {
  connect(files_, &SessionFiles::opened, this, &MainWindow::take_session);
  connect(files_, &SessionFiles::message, this, [this](const QString& what, const QString& advice, QAction* action) {
    show_error(what, advice, false, action);
  });
  connect(files_, &SessionFiles::saved, this,
          [this](const QString& path) { status_->say(message_text(tr("Saved as %1").arg(path))); });
  connect(&files_->recent(), &RecentFiles::modelChosen, this, &MainWindow::open_model);
  connect(&session(), &Session::changed, files_, &SessionFiles::touch);
  connect(&session(), &Session::looked, this, [this] {
    files_->remember_model(*session().document().model);
    show_set_aside();
  });
  connect(&selection_, &Selection::changed, files_, &SessionFiles::touch);
  connect(panels_, &WindowPanels::arranged, files_, &SessionFiles::touch);
  connect(views_, &DocumentViews::keepWanted, this, &MainWindow::keep_variant);
  connect(views_->compare(), &CompareView::variantsChanged, files_, &SessionFiles::touch);
}

void MainWindow::connect_presenter() {
  presentation_ = new Presentation({this, bar_, &actions_, &appearance_, panels_, views_, status_, &selection_,
                                    remember_ == Remember::yes, [this] { start_->leave(); },
                                    [this](int direction) {  // an open lesson has the remote
                                      if (!classroom_->is_open()) {
                                        if (is_in_lab()) lab_->step(direction);
                                        return false;
                                      }
                                      direction > 0 ? classroom_->forward() : classroom_->back();
                                      return true;
                                    },
                                    [this]() -> QWidget* { return is_in_lab() ? lab_->page() : nullptr; },
                                    [this](bool presenting) {
                                      if (lab_) lab_->set_presenting(presenting);
                                    }});
  connect(views_, &DocumentViews::stepped, this, [this](int rows) {
    status_->set_stopped(rows, result() ? static_cast<int>(result()->steps.size()) : 0, views_->step_sentence());
  });
  connect(status_->show_all(), &QToolButton::clicked, views_->stepper(), &StepperView::leave);
}

TaughtWindow MainWindow::taught() {
  return {this,
          &runs_,
          panels_,
          views_,
          status_,
          &selection_,
          presentation_->presenter(),
          [this](bool covered, bool withheld) { cover(covered, withheld); },
          [this] { return session_state(); },
          [this](const QString& folder, int step) { open_lesson(folder, step); }};
}

void MainWindow::connect_lecture() {
  const auto shown = [this]() -> std::optional<LectureEntry> {
    if (!session().document().model || !result()) return std::nullopt;
    LectureEntry entry;
    entry.state = session_state();
    entry.view = panels_->front().toStdString();
    return entry;
  };
  lecture_ = new LectureWalk(
      classroom_, shown,
      [this] {
        if (!presentation_->presenter()->is_active()) actions_["present"]->trigger();
      },
      this);
  connect(lecture_, &LectureWalk::failed, this,
          [this](const QString& message) { show_error(message, tr("The list is as it was before."), false); });
  connect(actions_["lecture"], &QAction::triggered, lecture_, &LectureWalk::show_list);
}

void MainWindow::connect_lessons() {
  classroom_ = new Classroom(taught(), remember_ == Remember::yes ? LessonProgress::usual_path() : QString());
  bar_->set_lessons_action(actions_["lessons"]);
  const auto ask_for_lesson = [this] {
    ask_for_folder(this, {"lesson", tr("Open a lesson folder")},
                   [this](const QString& folder) { open_lesson(folder); });
  };
  connect(actions_["lessons"], &QAction::triggered, this, [this, ask_for_lesson] {
    auto* list = new LessonsDialog(&classroom_->progress(), this);
    list->setAttribute(Qt::WA_DeleteOnClose);
    connect(list, &LessonsDialog::chosen, this, [this](const QString& name) { open_lesson(name); });
    connect(list, &LessonsDialog::folderWanted, this, ask_for_lesson);
    connect(list, &LessonsDialog::followed, classroom_, &Classroom::follow);
    connect(list, &LessonsDialog::languageChosen, this, &MainWindow::choose_lesson_language);
    connect(list, &LessonsDialog::worksheetWanted, this,
            [this](const QString& lesson) { print_lesson(Classroom::Print::worksheet, lesson); });
    connect(list, &LessonsDialog::slidesWanted, this,
            [this](const QString& lesson) { print_lesson(Classroom::Print::slides, lesson); });
    list->open();
  });
  connect_lecture();
  connect(actions_["record_lesson"], &QAction::triggered, this, [this] {
    auto* record = findChild<RecordDialog*>();
    if (!record) record = new RecordDialog(taught());
    start_->leave();
    record->show();  // the window goes on: it is what is recorded
    record->raise();
  });
  lessons_ = new LessonsColumn(&classroom_->progress(), this);
  connect(lessons_, &LessonsColumn::chosen, this, [this](const QString& name) { open_lesson(name); });
  connect(lessons_, &LessonsColumn::allWanted, actions_["lessons"], &QAction::trigger);
  connect(classroom_, &Classroom::changed, lessons_, &LessonsColumn::refresh);
  start_->set_lessons(lessons_);
  connect(actions_["explore"], &QAction::triggered, this, [this] { classroom_->explore(!classroom_->exploring()); });
  const auto enable = [this] {
    for (const char* id : {"explore", "lesson_worksheet", "lesson_slides", "lesson_my_answers"})
      actions_[id]->setEnabled(classroom_->is_open());
    show_title();
  };
  connect(files_, &SessionFiles::leaving, classroom_, &Classroom::close);
  connect(classroom_, &Classroom::changed, this, enable);
  connect(this, &MainWindow::resultShown, classroom_, &Classroom::run_shown);
  enable();
  for (const auto& [id, what] : {std::pair("lesson_worksheet", Classroom::Print::worksheet),
                                 {"lesson_slides", Classroom::Print::slides},
                                 {"lesson_my_answers", Classroom::Print::my_answers}})
    connect(actions_[id], &QAction::triggered, this, [this, what = what] { print_lesson(what); });
  connect(classroom_, &Classroom::languageWanted, this, &MainWindow::choose_lesson_language);
  connect(classroom_, &Classroom::failed, this, [this](const QString& message) {
    show_error(message, tr("The window shows what it showed before."), false);
  });
  connect(presentation_->presenter(), &Presenter::activeChanged, classroom_, &Classroom::set_presenting);
  connect(presentation_->presenter(), &Presenter::voteWanted, classroom_, &Classroom::vote);
}

void MainWindow::choose_lesson_language(const QString& language) {
  appearance_.set_lesson_language(language);
  classroom_->retranslate();
  lessons_->refresh();
}

// The open one, or that of the name.
void MainWindow::print_lesson(Classroom::Print what, const QString& lesson) {
  const auto write = [=, this](const QString& path) {
    if (what != Classroom::Print::worksheet) return write_lesson(what, path, lesson);
    before_writing(this, Classroom::key_path(path), [=, this] { write_lesson(what, path, lesson); });
  };
  ask_where_to_write(this, {"export", tr("Write a PDF"), {}, {QStringLiteral("PDF (*.pdf)")}}, write);
}

void MainWindow::write_lesson(Classroom::Print what, const QString& path, const QString& lesson) {
  try {
    classroom_->print(what, path, lesson);
    status_->say(message_text(tr("Saved as %1").arg(path)));
  } catch (const Error& error) {
    show_error(QString::fromUtf8(error.what()), tr("Choose another place and try again."), false);
  }
}

void MainWindow::connect_finder() {
  finder_ = new Finder(
      {this, &actions_, panels_, views_, &selection_, classroom_, &files_->recent(),
       [this](const QString& folder) { open_model(folder); }, [this](const QString& path) { open_session_file(path); },
       [this](const QString& name, int step) { open_lesson(name, step); },
       [this](const QString& name) { open_preset(name); }, [this](const QString& name) { open_recording(name); }});
  bar_->set_find_action(actions_["find"]);
  connect(actions_["find"], &QAction::triggered, this, [this] {
    presentation_->presenter()->set_spotlight(false);  // it would lie over the field
    finder_->open();
  });
}

}  // namespace headlight
