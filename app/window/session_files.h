// What lasts: session files, what is saved without being asked, what a window left behind, and what was open lately.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <optional>

#include "app/actions.h"
#include "app/document/held_session.h"
#include "app/document/recent.h"
#include "app/document/session_file.h"
#include "app/jobs/autosave.h"
#include "app/jobs/latest.h"
#include "app/jobs/session_opener.h"

class QMessageBox;

namespace headlight {

class SessionFiles : public QObject {
  Q_OBJECT
 public:
  // `state`: all that would be saved now; nothing before a model is open. `remember`: whether anything is read or
  // written without being asked.
  SessionFiles(QWidget* window, Actions* actions, bool remember, std::function<std::optional<SessionState>()> state);
  ~SessionFiles() override;

  RecentFiles& recent() { return recent_; }
  void open(const QString& path);
  // Asks for the place where there is none yet; `then` follows when it was written.
  void save(bool as, const std::function<void()>& then = {});
  // Whether all that was changed or kept is in a file, so that nothing is lost; else it asks, and `go_on` follows
  // unless the person stays.
  bool may_leave(const std::function<void()>& go_on);
  // The program was asked to end, and nobody can be asked: what would be lost is left for the next start.
  void end();
  // Something that is saved has changed.
  void touch();
  // Goes on with the newest session that a window left which did not end well, and that opens; false where there is
  // none. All others are kept.
  bool restore_left_behind();
  // Says what is kept of such sessions; `quiet`: the user was told enough.
  void offer_left_behind(bool quiet);
  bool may_offer() const { return remember_ && !offered_; }
  // The first run of what was opened has ended, well or not.
  void first_run_ended();
  // Of the session whose first run has not ended yet; empty: none.
  QString opened_path() const { return opened_path_; }
  void remember_model(const ModelBundle& model);

 signals:
  void leaving();  // what is open may be left: what only lies over it goes first
  void opened(const headlight::OpenedSession& session);
  void saved(const QString& path);
  // For the user. The action, if there is one, leads to what is kept.
  void message(const QString& what, const QString& advice, QAction* action = nullptr);

 private:
  void connect_actions();
  bool save_to(const QString& path);  // false: it could not be written
  void start_autosave();
  void open_left_behind(const QString& path);
  void session_opened(const OpenedSession& session);
  void take(const OpenedSession& session);
  void take_left_behind(OpenedSession session);
  QStringList unsaved() const;  // in words

  QWidget* window_;
  Actions& actions_;
  bool remember_;
  std::function<std::optional<SessionState>()> state_;
  SessionOpener opener_;
  RecentFiles recent_;
  std::unique_ptr<Autosave> autosave_;
  Latest<QByteArray> hash_;            // of the model that is open, so that saving need not wait for it
  std::unique_ptr<HeldSession> left_;  // a session that was left behind, while it is opened
  bool restored_ = false;              // what is open was left behind, and is saved nowhere else
  bool offered_ = false;               // what was left behind, in this window
  QString path_;                       // where it was saved or opened; empty: nowhere yet
  QString opened_path_;
  QByteArray kept_;              // what was changed, as the file has it, or as the person lets it go
  QPointer<QMessageBox> asked_;  // whether to go
  QString left_problem_;         // why the newest that was left behind could not be opened
};

}  // namespace headlight
