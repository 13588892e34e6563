// Session files (.headlight): all that a window shows, as one JSON text that people can read. How a person reads it
// (language, theme, size of the type) is theirs and stands in no file.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVariantMap>
#include <optional>

#include "app/settings.h"
#include "model/core/json.h"
#include "model/decode/run.h"
#include "widgets/base/selection.h"

namespace headlight {

inline constexpr int kSessionVersion = 1;
inline constexpr std::size_t kMaxSessionBytes = 16 << 20;
inline constexpr const char* kSessionSuffix = "headlight";  // of file names, without the dot

struct SessionState : RunInputs {
  struct Model {
    QString name;
    QString folder;     // absolute
    QString relative;   // from the folder of the session file; filled in by reading
    QByteArray sha256;  // model_hash(); empty: unknown
    bool operator==(const Model&) const = default;
  };
  // What is selected, by the names of sites: another text has other entries.
  struct Place {
    std::optional<int> source_token, step;
    QString site;  // empty: none
    std::optional<qint64> cell;
    bool operator==(const Place&) const = default;
  };

  QString program;  // the version that wrote it; filled in by reading
  Model model;
  SharedJson settings;  // of the model's configuration, where they differ from the training
  Place selection;
  UserSettings::Layout layout;  // QMainWindow::saveGeometry() and saveState()
  QVariantMap views;            // of each view by its name: texts, numbers, truth values, lists and maps of them
};

// Every number keeps its bits: a run of what was read is bit for bit the run of what was written. `path` is where the
// file will be: the model is named from there.
QByteArray write_session(const SessionState& state, const QString& path);
// Throws FormatError that names the file, the key, what was expected and what was found: for content that is no whole
// session, for one of a newer program, and for more than 16 MB, kMaxEdits edits, the keys and numbers that so many can
// have, or 1 MB of text. Unknown keys are ignored.
SessionState read_session(const QByteArray& content, const QString& path);
// The same of one object within a file, which stands at `where` there: a step of a lesson is a session.
SessionState session_of(const Json& json, const std::string& file, const std::string& where = {});

SessionState::Place named_selection(const SelectionState& selection, const Result& result);
// What does not exist in this result is left out.
SelectionState selection_in(const SessionState::Place& place, const Result& result);

}  // namespace headlight
