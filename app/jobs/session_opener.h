// Opening session files: finds the model that belongs to one, and says when it is not the same any more.
#pragma once

#include <QObject>
#include <memory>

#include "app/document/session_file.h"
#include "app/jobs/latest.h"

namespace headlight {

struct OpenedSession {
  QString path;
  SessionState state;
  std::shared_ptr<const ModelBundle> model;  // as trained
  QString notice;                            // what has to be said about it; empty: nothing
};

// Writes in one step: the old content stays until the new one is complete. Throws FileError.
void save_session(const SessionState& state, const QString& path);
// Reads the file and loads its model: from where it stands beside the session, else from where it stood, else the
// bundled one of that name; of these the one that has not changed. Takes as long as reading a model; for any thread.
// Throws FileError, also when there is no such model, and FormatError, also for settings that the model has not.
OpenedSession open_session(const QString& path);

// What a session is about, without loading its model; never throws.
struct SessionSummary {
  QString model, source;
  QString problem;  // why it cannot be opened; empty: nothing is in the way
};
SessionSummary summary_of(const QString& path);

// open_session off the GUI thread; of several, only the newest is delivered.
class SessionOpener : public QObject {
  Q_OBJECT
 public:
  explicit SessionOpener(QObject* parent = nullptr);
  void open(const QString& path);

 signals:
  void opened(const headlight::OpenedSession& session);
  void failed(const QString& message);

 private:
  Latest<OpenedSession> latest_;
};

}  // namespace headlight
