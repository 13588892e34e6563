// Two timers, one thread that writes, and a lock for each file.

#include "app/jobs/autosave.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>
#include <utility>

#include "app/document/session_file.h"
#include "model/io/file.h"
#include "widgets/export/export.h"

namespace headlight {

Autosave::Autosave(std::function<QByteArray()> content, const QString& folder, AutosaveTiming timing, QObject* parent)
    : QObject(parent),
      content_(std::move(content)),
      folder_(folder),
      writer_([this](const QByteArray& done) { written(done, {}); },
              [this](const QString& problem, bool) { written({}, problem); }) {
  for (QTimer* timer : {&settled_, &at_most_}) {
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, &Autosave::write);
  }
  settled_.setInterval(timing.settled_ms);
  at_most_.setInterval(timing.at_most_ms);
  claim();  // without success it is tried again when there is something to write
}

Autosave::~Autosave() {
  // On a disk that does not answer the file stays, and is offered at the next start.
  if (!writer_.thread().finish_soon()) return;
  if (file_ && !opening_ && !leaves_) file_->remove();  // what was not even shown yet is still wanted
}

QString Autosave::default_folder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + "/autosave";
}

QString Autosave::claim() {
  if (!QDir().mkpath(folder_)) return tr("the folder %1 cannot be made").arg(folder_);
  constexpr int kMost = 1000;  // windows, and files that were left behind by processes with our number
  for (int i = 0; i < kMost; ++i) {
    const QString number = QString::number(QCoreApplication::applicationPid()) + (i ? "-" + QString::number(i) : "");
    const QString path = folder_ + "/" + number + "." + kSessionSuffix;
    if (QFile::exists(path)) continue;
    file_ = HeldSession::take(path);
    if (file_) return {};
  }
  return tr("the folder %1 cannot be written").arg(folder_);
}

void Autosave::touch() {
  settled_.start();
  if (!at_most_.isActive()) at_most_.start();
}

void Autosave::write() {
  if (writing_) return settled_.start();
  settled_.stop();
  at_most_.stop();
  if (!file_) {
    if (const QString problem = claim(); !problem.isEmpty()) return written({}, problem);
  }
  const QByteArray content = content_();
  if (content == last_) return;
  writing_ = true;
  writer_.start([content, path = path()](const CancelToken&) {
    export_bytes(path, content);
    return content;
  });
}

void Autosave::written(const QByteArray& content, const QString& problem) {
  writing_ = false;
  if (problem.isEmpty()) {
    last_ = content;
    failing_ = false;
    emit saved();
    return;
  }
  if (!at_most_.isActive()) at_most_.start();
  if (failing_) return;
  failing_ = true;
  emit failed(tr("Your work cannot be kept safe at the moment: %1.").arg(problem));
}

QStringList Autosave::left_behind(const QString& folder) {
  const QDir dir(folder);
  const QString suffix = QStringLiteral("*.") + kSessionSuffix;
  remove_unfinished(folder.toStdString());
  QStringList paths;
  for (const QString& name : dir.entryList({suffix}, QDir::Files, QDir::Time))
    if (HeldSession::is_abandoned(dir.filePath(name))) paths << dir.filePath(name);
  return paths;
}

void Autosave::take_over(std::unique_ptr<HeldSession> file, bool keep) {
  writer_.thread().finish();
  if (keep && file_)
    write_now();
  else if (file_)
    file_->remove();
  file_ = std::move(file);
  opening_ = true;
  last_.clear();
}

void Autosave::write_now() {
  try {
    export_bytes(file_->path(), content_());
  } catch (const Error&) {
    // What was written before stays.
  }
}

void Autosave::leave_behind() {
  if (!file_ || !writer_.thread().finish_soon()) return;
  write_now();
  file_->note_asked();
  leaves_ = true;
}

void Autosave::opened() {
  if (std::exchange(opening_, false) && file_) file_->end_opening();
}

}  // namespace headlight
