// Looks for the model in the places where it may be.

#include "app/jobs/session_opener.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "app/document/model_hash.h"
#include "model/io/file.h"
#include "model/io/model_folder.h"
#include "model/models/variant.h"
#include "widgets/base/utf8_text.h"
#include "widgets/export/export.h"

namespace headlight {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("SessionOpener", text); }

// Where the model may be, the best place first.
QStringList places(const SessionState::Model& model, const QString& path) {
  QStringList folders;
  const auto add = [&folders](const QString& folder) {
    const QString clean = QDir::cleanPath(folder);
    if (!folders.contains(clean)) folders << clean;
  };
  if (!model.relative.isEmpty()) add(QFileInfo(path).absoluteDir().absoluteFilePath(model.relative));
  if (QDir::isAbsolutePath(model.folder)) add(model.folder);
  for (const std::filesystem::path& folder : bundled_models())
    if (folder.filename() == model.name.toStdString()) add(path_text(folder));
  return folders;
}

SessionState state_in(const QString& path) {
  return read_session(QByteArray::fromStdString(read_file(bytes_of(path), kMaxSessionBytes)), path);
}

// Of these places, those where a model is.
QStringList models(const SessionState::Model& model, const QString& path) {
  const QStringList looked = places(model, path);
  QStringList found;
  for (const QString& folder : looked)
    if (format_of(bytes_of(folder))) found << folder;
  if (found.isEmpty())
    throw FileError(tr("The model %1 of this session is missing. It was looked for in %2.")
                        .arg(model.name, looked.join(tr(", in ")))
                        .toStdString());
  return found;
}

bool is_as_saved(const SessionState::Model& model, const QString& folder) {
  try {
    return model.sha256.isEmpty() || model_hash(folder) == model.sha256;
  } catch (const FileError&) {
    return false;  // loading it says what is wrong
  }
}

// Settings that the model cannot run with are the file's fault, not a failed run.
void check_settings(const OpenedSession& opened) {
  try {
    variant(opened.model, *opened.state.settings);
  } catch (const Error& error) {
    throw FormatError(opened.path.toStdString() + ": settings: " + error.what());
  }
}

}  // namespace

void save_session(const SessionState& state, const QString& path) { export_bytes(path, write_session(state, path)); }

OpenedSession open_session(const QString& path) {
  OpenedSession opened;
  opened.path = path;
  opened.state = state_in(path);
  const SessionState::Model& model = opened.state.model;
  const QStringList found = models(model, path);
  const auto same =
      std::find_if(found.begin(), found.end(), [&](const QString& folder) { return is_as_saved(model, folder); });
  opened.model = load_model(bytes_of(same == found.end() ? found.first() : *same));
  check_settings(opened);
  if (same == found.end())
    opened.notice = tr("The model %1 has changed since this session was saved; numbers may differ.").arg(model.name);
  return opened;
}

SessionSummary summary_of(const QString& path) {
  SessionSummary summary;
  try {
    const SessionState state = state_in(path);
    summary = {state.model.name, from_utf8(state.source), {}};
    models(state.model, path);
  } catch (const Error& error) {
    summary.problem = QString::fromUtf8(error.what());
  }
  return summary;
}

SessionOpener::SessionOpener(QObject* parent)
    : QObject(parent),
      latest_([this](const OpenedSession& session) { emit opened(session); },
              [this](const QString& message, bool) { emit failed(message); }) {}

void SessionOpener::open(const QString& path) {
  latest_.start([path](const CancelToken&) { return open_session(path); });
}

}  // namespace headlight
