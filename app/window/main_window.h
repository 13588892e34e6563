// The window: connects what runs, what lasts and how it looks with the views. It holds no state of its own beyond them.
//
// RunController runs the document. DocumentViews makes every widget that shows it and links them. WindowPanels says
// which panel stands in which slot of the Stage. SessionFiles, Appearance, Exports, WindowMenus and StatusPanel do what
// their names say.
#pragma once

#include <QMainWindow>
#include <memory>

#include "app/actions.h"
#include "app/appearance.h"
#include "app/classroom/classroom.h"
#include "app/document/drop.h"
#include "app/jobs/run_controller.h"
#include "app/panels/document_views.h"
#include "app/panels/status_panel.h"
#include "app/settings.h"
#include "app/stage/window_panels.h"
#include "app/window/export.h"
#include "app/window/session_files.h"
#include "app/window/top_bar.h"
#include "app/window/window_menus.h"

namespace headlight {

class Finder;
class Lab;
class LectureWalk;
class LessonsColumn;
class Presentation;
class StartPage;
struct TaughtWindow;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  enum class Remember { yes, no };  // no: layout and choices are neither read nor written (pictures, tests)
  explicit MainWindow(Remember remember, RunWorker::Runner runner = run, ModelLoader::Loader loader = ModelLoader::open,
                      QWidget* parent = nullptr);
  ~MainWindow() override;

  void start(Document document) { session().start(std::move(document)); }
  // A file of weights without a model is only looked at, in a window of its own.
  void open_model(const QString& name_or_path);
  void open_session_file(const QString& path) { files_->open(path); }
  // Goes on with the newest session that a window left which did not end well, and that opens; false where there is
  // none. All others are kept.
  bool restore_left_behind() { return files_->restore_left_behind(); }
  // Says what is kept of such sessions, when nothing else is to be said.
  void offer_left_behind();
  // The program was asked to end (a signal: logging out, a kill), and nobody can be asked what is to be saved.
  void end();
  // All that would be saved now.
  SessionState session_state() const;

  Session& session() { return runs_.session(); }
  RunWorker& worker() { return runs_.worker(); }
  SideRuns& side_runs() { return runs_.side_runs(); }
  Selection& selection() { return selection_; }
  WindowPanels& panels() { return *panels_; }
  DocumentViews& views() { return *views_; }
  Actions& actions() { return actions_; }
  StatusPanel& status() { return *status_; }
  StartPage& start_page() { return *start_; }
  TopBar& bar() { return *bar_; }
  Classroom& classroom() { return *classroom_; }
  Finder& finder() { return *finder_; }
  TaughtWindow taught();  // as the classroom sees it
  void open_lesson(const QString& name_or_folder, int step = -1);
  void open_lecture(const QString& path);
  LectureWalk& lecture() { return *lecture_; }
  void open_dropped(const Dropped& dropped);
  void open_texts_file(const QString& path);
  // The training lab in place of the pictures; what it trains goes on when it is left.
  Lab& lab();
  bool is_in_lab() const;
  void open_lab();
  void leave_lab();
  void open_recording(const QString& name_or_path);
  void open_preset(const QString& name);
  // A lesson asks for what is shown: files, tables and panels that would say it are not to be had.
  void cover(bool covered, bool withheld);
  // The last good result; null before the first.
  std::shared_ptr<const Result> result() const { return runs_.result(); }

 signals:
  void resultShown(quint64 id);
  void runFailed(const QString& message);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void ask_for_base(const QString& adapter);
  void look_at(const QString& name_or_path);
  void connect_runs();
  void connect_actions();
  void connect_panels();
  void connect_sessions();
  void connect_presenter();
  void connect_lessons();
  void connect_lecture();
  void choose_lesson_language(const QString& language);
  void print_lesson(Classroom::Print what, const QString& lesson = {});
  void write_lesson(Classroom::Print what, const QString& path, const QString& lesson);
  void connect_finder();
  void connect_lab();
  void lab_changed();
  void show_title();
  void show_training();
  void open_moment(const std::shared_ptr<const ModelBundle>& model, const QString& source);
  bool has_kept_model();
  void show_document();
  void show_result(const std::shared_ptr<const Result>& result, bool other_model);
  void show_failure(QString message, bool defect);
  void show_status();
  void show_caption();
  void show_ways();
  void show_set_aside();  // a text of the person's that is none for this model
  void open_number(bool asked_for);
  bool let_go();  // false: nothing is chosen
  void show_differences();
  void show_error(const QString& what, const QString& advice, bool of_run, QAction* action = nullptr);
  void take_session(const OpenedSession& opened);
  void keep_variant();
  void keep_as(const QString& name);
  void open_to_compare();
  void compare_with(const QString& path);
  void show_help(bool shown);
  void explain(const QWidget& widget);
  void show_about();
  QVariantMap choices() const;  // in all views
  void take_choices(const QVariantMap& choices);
  void update_actions();
  void retranslate();
  void remember();  // for the next start

  BackgroundThread::Ending ending_;  // the last to go: everything in the background is waited for together
  Remember remember_;
  UserSettings settings_;
  Selection selection_;
  RunController runs_;
  Actions actions_;
  Appearance appearance_;
  SessionFiles* files_ = nullptr;
  Classroom* classroom_ = nullptr;
  LectureWalk* lecture_ = nullptr;
  Presentation* presentation_ = nullptr;
  Finder* finder_ = nullptr;
  Lab* lab_ = nullptr;
  std::optional<QVariantMap> labs_;  // of a session, until the lab is wanted
  WindowPanels* panels_;
  DocumentViews* views_;
  StatusPanel* status_;
  TopBar* bar_;
  StartPage* start_;
  LessonsColumn* lessons_ = nullptr;  // of the start page
  Exports* exports_;
  std::optional<WindowMenus> menus_;
  std::shared_ptr<const ModelBundle> shown_model_;
  bool run_error_shown_ = false;
  QString set_aside_said_;                     // in the message that stands there
  bool from_lab_ = false;                      // the model is that of a moment of a training
  std::shared_ptr<const ModelBundle> moment_;  // the model of a moment of a training, which no file holds
  bool covered_ = false;                       // by a question of a lesson
  bool withheld_ = false;                      // what a lesson asks for, here or later, does not get into files
  bool number_closed_ = false;                 // by a person: it opens only when it is asked for again
  bool number_opened_ = false;                 // by a click on a picture: it goes with the choice
  QPoint pressed_;                             // where the mouse went down in a picture
  SelectionState before_press_;  // some pictures choose when the button goes down, others when it comes up
  std::optional<SessionState::Place> wanted_selection_;  // of a session, until its first result
};

}  // namespace headlight
