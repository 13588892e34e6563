// The window: connects the document, the computing thread and the views. It holds no state of its own beyond them.
#pragma once

#include <QMainWindow>
#include <memory>

#include "app/actions.h"
#include "app/autosave.h"
#include "app/companion.h"
#include "app/compute_job.h"
#include "app/model_loader.h"
#include "app/recent.h"
#include "app/session.h"
#include "app/session_opener.h"
#include "app/settings.h"
#include "app/status_panel.h"
#include "app/window_panels.h"

namespace headlight {

class Presenter;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  enum class Remember { yes, no };  // no: layout and choices are neither read nor written (pictures, tests)
  explicit MainWindow(Remember remember, Computer::Runner runner = run, QWidget* parent = nullptr);
  ~MainWindow() override;

  void start(Document document);
  void open_model(const QString& name_or_folder);
  void open_session_file(const QString& path);
  // Goes on with the newest session that a window left which did not end well, and that opens; false where there is
  // none. All others are kept.
  bool restore_left_behind();
  // Says what is kept of such sessions, when nothing else is to be said.
  void offer_left_behind();
  // All that would be saved now.
  SessionState session_state() const;

  Session& session() { return session_; }
  Computer& computer() { return computer_; }
  Companion& companion() { return companion_; }
  Selection& selection() { return selection_; }
  WindowPanels& panels() { return *panels_; }
  Actions& actions() { return actions_; }
  StatusPanel& status() { return *status_; }
  // The last good result; null before the first.
  std::shared_ptr<const Result> result() const { return result_; }

 signals:
  void resultShown(quint64 id);
  void runFailed(const QString& message);

 protected:
  bool focusNextPrevChild(bool next) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void make_menus();
  void connect_document();
  void connect_views();
  void connect_actions();
  void connect_appearance();
  void connect_companion();
  void connect_sessions();
  void connect_presenter();
  void document_changed();
  void show_result(const std::shared_ptr<const Result>& result);
  void show_status();
  void show_differences();
  void show_error(const QString& what, const QString& advice, bool of_run, QAction* action = nullptr);
  void select_something(const Result& result);
  void fit_selection(const Result& result);
  void ask_weight(int entry, qint64 cell);
  void open_edit(const QString& site, qint64 cell);
  void save_session_file(QString path);  // empty: asks for one
  void open_left_behind(const QString& path);
  void session_opened(const OpenedSession& opened);
  void take_left_behind(OpenedSession opened);
  void take_session(const OpenedSession& opened);
  void first_run_ended();
  void remember_model(const ModelBundle& model);
  void set_theme(ThemeChoice choice);
  void set_font_scale(double scale);
  void choose_language(const QString& language);
  void show_hint(bool shown);
  void update_actions();
  void retranslate();

  Remember remember_;
  UserSettings settings_;
  ThemeChoice theme_ = ThemeChoice::light;
  Selection selection_;
  Session session_;
  Actions actions_;
  Computer computer_;
  ModelLoader loader_;
  SessionOpener opener_;
  RecentFiles recent_;
  Companion companion_;
  std::unique_ptr<Autosave> autosave_;
  Presenter* presenter_ = nullptr;
  WindowPanels* panels_;
  StatusPanel* status_;
  QMenu *recent_menu_, *file_menu_, *edit_menu_, *view_menu_, *panels_menu_, *ways_menu_, *colours_menu_,
      *language_menu_, *help_menu_;
  std::shared_ptr<const Result> result_;
  std::shared_ptr<const ModelBundle> shown_model_;
  bool run_error_shown_ = false;
  std::unique_ptr<HeldSession> left_;                    // a session that was left behind, while it is opened
  bool restored_ = false;                                // what is open was left behind, and is saved nowhere else
  bool offered_ = false;                                 // what was left behind, in this window
  QString opened_path_;                                  // of the session whose first run has not ended yet
  QString left_problem_;                                 // why the newest that was left behind could not be opened
  QString session_path_;                                 // where it was saved or opened; empty: nowhere yet
  std::optional<SessionState::Place> wanted_selection_;  // of a session, until its first result
};

}  // namespace headlight
