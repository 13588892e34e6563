// Keeps the session safe while somebody works: after a crash or a power cut, at most the last seconds are lost.
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <functional>
#include <memory>

#include "app/document/held_session.h"
#include "app/jobs/latest.h"

namespace headlight {

struct AutosaveTiming {
  int settled_ms = 2'000;   // after the last change
  int at_most_ms = 20'000;  // after the first change that is not saved yet
};

// Writes to FOLDER/PID.headlight, in one step and off the GUI thread; a lock beside it says that its process lives. The
// file goes at a clean end, that is with this object, or where the user throws it away; nothing else removes it.
class Autosave : public QObject {
  Q_OBJECT
 public:
  // `content` is what to save now; called on the GUI thread.
  explicit Autosave(std::function<QByteArray()> content, const QString& folder = default_folder(),
                    AutosaveTiming timing = {}, QObject* parent = nullptr);
  ~Autosave() override;

  static QString default_folder();
  // Files of processes that did not end well, the newest first. What they left half written is removed.
  static QStringList left_behind(const QString& folder = default_folder());
  // Goes on with a file that was left behind, so that what it holds is on the disk all the time. What was saved so far
  // goes, or (keep) is left behind itself: somebody may want it back.
  void take_over(std::unique_ptr<HeldSession> file, bool keep);
  // The program was asked to end and cannot ask what is to be saved: what there is now stays for the next start.
  void leave_behind();
  // What was taken over is open, and has not ended the program.
  void opened();

  // Of this process; empty while the folder cannot be written.
  QString path() const { return file_ ? file_->path() : QString(); }

 public slots:
  void touch();  // something has changed

 signals:
  void saved();
  // Once, until it works again; it is tried again and again.
  void failed(const QString& message);

 private:
  void write();
  void write_now();  // into the file that is held
  void written(const QByteArray& content, const QString& problem);
  QString claim();  // a file of our own; else says why there is none

  std::function<QByteArray()> content_;
  QString folder_;
  std::unique_ptr<HeldSession> file_;
  QTimer settled_, at_most_;
  Latest<QByteArray> writer_;
  QByteArray last_;
  bool writing_ = false, failing_ = false, opening_ = false, leaves_ = false;
};

}  // namespace headlight
