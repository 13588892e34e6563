// Looks at names and folders only; whether a file is sound, opening it says.

#include "app/document/drop.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <filesystem>

#include "app/document/session_file.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/formats/format.h"
#include "model/text/utf8.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr std::size_t kMaxDropped = 1 << 20;
constexpr int kLinesOfList = 3;  // ends of lines within

QString tr(const char* text) { return QCoreApplication::translate("Drop", text); }

Dropped unusable(const QString& problem) { return {Dropped::Kind::nothing, {}, {}, problem}; }
Dropped model(const QString& folder) { return {Dropped::Kind::model, folder, {}, {}}; }

// QUrl::toLocalFile() would lose bytes that are no UTF-8.
QString local_path(const QUrl& url) {
  return path_text(QByteArray::fromPercentEncoding(url.path(QUrl::FullyEncoded).toLatin1()).toStdString());
}

Dropped classify_text(const QString& text) {
  const QString trimmed = text.trimmed();
  if (trimmed.isEmpty()) return unusable(tr("There is no text in what was dropped."));
  if (trimmed.toUtf8().size() > static_cast<qsizetype>(kMaxDropped))
    return unusable(tr("The text is longer than 1 MB: drop a sentence or a paragraph."));
  return {Dropped::Kind::text, {}, trimmed, {}};
}

Dropped list_of_texts(const QFileInfo& file) { return {Dropped::Kind::texts, file.absoluteFilePath(), {}, {}}; }

// A text of a few lines is one text; of more lines, or more than one text can be, each line is one.
Dropped classify_text_file(const QString& path) {
  const QFileInfo file(path);
  if (file.size() > static_cast<qint64>(kMaxDropped)) return list_of_texts(file);
  try {
    const std::string bytes = read_file(bytes_of(path), kMaxDropped);
    if (!is_utf8(bytes)) return unusable(tr("%1 is no text in UTF-8.").arg(path));
    const QString text = QString::fromStdString(bytes);  // without a mark of the byte order
    if (text.trimmed().count(u'\n') >= kLinesOfList) return list_of_texts(file);
    return classify_text(text);
  } catch (const FileError& error) {
    return unusable(QString::fromUtf8(error.what()));
  }
}

}  // namespace

Dropped classify_file(const QString& path) {
  const QFileInfo file(path);  // of the text of the path only
  std::error_code none;
  if (!std::filesystem::exists(bytes_of(path), none)) return unusable(tr("There is no file %1.").arg(path));
  const QString suffix = file.suffix().toLower();
  const bool is_folder = std::filesystem::is_directory(bytes_of(path), none);
  if (!is_folder && suffix == kSessionSuffix) return {Dropped::Kind::session, file.absoluteFilePath(), {}, {}};
  if (!is_folder && suffix == kLectureSuffix) return {Dropped::Kind::lecture, file.absoluteFilePath(), {}, {}};
  if (!is_folder && suffix == kTrainingSuffix) return {Dropped::Kind::training, file.absoluteFilePath(), {}, {}};
  if (const auto opened = opened_by(bytes_of(file.absoluteFilePath()))) return model(path_text(*opened));
  if (is_folder && QFileInfo(path + QStringLiteral("/lesson.json")).isFile()) return model(path);
  if (is_folder) return unusable(tr("The folder %1 holds no model.").arg(path));
  if (suffix == "tsv" || suffix == "jsonl") return list_of_texts(file);
  if (suffix == "txt") return classify_text_file(path);
  if (looks_like_a_part(bytes_of(path)))
    return unusable(tr("%1 is not in the folder of a model: the files of a model have to stand together.").arg(path));
  return unusable(tr("%1 is no session, no model and no text.").arg(path));
}

Dropped classify_drop(const QMimeData& data) {
  Dropped first;
  for (const QUrl& url : data.urls()) {
    const Dropped dropped = url.isLocalFile() ? classify_file(local_path(url))
                                              : unusable(tr("%1 is not on this machine: save it first, then drop the "
                                                            "file.")
                                                             .arg(url.toDisplayString()));
    if (dropped.kind != Dropped::Kind::nothing) return dropped;
    if (first.problem.isEmpty()) first = dropped;
  }
  if (!first.problem.isEmpty()) return first;
  if (data.hasText()) return classify_text(data.text());
  return unusable(tr("Only sessions, model folders and texts can be dropped here."));
}

}  // namespace headlight
