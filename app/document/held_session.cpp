#include "app/document/held_session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSet>

namespace headlight {

namespace {

QString clean(const QString& path) { return QDir::cleanPath(QFileInfo(path).absoluteFilePath()); }
QString note_of(const QString& path) { return path + ".opening"; }
QString asked_note_of(const QString& path) { return path + ".asked"; }

// Those of this process. One that ended may have had our number (in a container every one has the same): its locks look
// like ours.
QSet<QString>& held_here() {
  static QSet<QString> paths;
  return paths;
}

std::unique_ptr<QLockFile> lock_of(const QString& path) {
  auto lock = std::make_unique<QLockFile>(path + ".lock");
  lock->setStaleLockTime(0);  // a lock is void when its process is gone, however old it is
  qint64 process = 0;
  QString host, program;
  if (!held_here().contains(path) && lock->getLockInfo(&process, &host, &program) &&
      process == QCoreApplication::applicationPid())
    lock->removeStaleLockFile();
  return lock;
}

}  // namespace

HeldSession::HeldSession(QString path, std::unique_ptr<QLockFile> lock)
    : path_(std::move(path)), lock_(std::move(lock)) {
  held_here().insert(path_);
}

std::unique_ptr<HeldSession> HeldSession::take(const QString& file) {
  const QString path = clean(file);
  if (held_here().contains(path)) return nullptr;
  auto lock = lock_of(path);
  if (!lock->tryLock(0)) return nullptr;
  return std::unique_ptr<HeldSession>(new HeldSession(path, std::move(lock)));
}

HeldSession::~HeldSession() {
  if (opening_) end_opening();
  held_here().remove(path_);
}

bool HeldSession::begin_opening() {
  QFile note(note_of(path_));
  opening_ = note.open(QIODevice::WriteOnly);
  return opening_;
}

void HeldSession::end_opening() {
  QFile::remove(note_of(path_));
  opening_ = false;
}

void HeldSession::note_asked() { QFile(asked_note_of(path_)).open(QIODevice::WriteOnly); }

bool HeldSession::remove() {
  end_opening();
  QFile::remove(asked_note_of(path_));
  return !QFile::exists(path_) || QFile::remove(path_);
}

bool HeldSession::is_abandoned(const QString& file) {
  const QString path = clean(file);
  if (held_here().contains(path)) return false;
  const auto lock = lock_of(path);
  // Where no lock can be made (a full disk, a folder that can only be read) none is held, either.
  return lock->tryLock(0) || lock->error() != QLockFile::LockFailedError;
}

bool HeldSession::ended_program(const QString& path) { return QFile::exists(note_of(clean(path))); }

bool HeldSession::was_asked(const QString& path) { return QFile::exists(asked_note_of(clean(path))); }

}  // namespace headlight
