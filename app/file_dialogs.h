// Asking for files and folders: in the dialog of the desktop where it has one, else in Qt's, in the language of the
// program. A question begins where the last answer to one of its kind lay, also after a start.
#pragma once

#include <QString>
#include <QStringList>

class QFileDialog;
class QWidget;

namespace headlight {

struct FileQuestion {
  const char* kind;  // "export", "lesson", "open"; null: it always begins in `begin`
  QString title;
  QString name = {};         // suggested
  QStringList filters = {};  // "Sessions (*.headlight)"
  QString begin = {};        // the folder of the first question of its kind; empty: home
};

// For a picture that may become a file of each kind that figures have; `name` with an ending.
FileQuestion figure_question(const QString& title, const QString& name);

// Each returns an empty text where nobody has chosen.
QString ask_for_folder(QWidget* parent, const FileQuestion& question);
QString ask_for_file(QWidget* parent, const FileQuestion& question);
// A name without one of the endings gets that of the chosen filter. `options` stand below the names of the files
// and stay the asker's: dialogs of desktops take none, so that such a question is always Qt's.
QString ask_where_to_write(QWidget* parent, const FileQuestion& question, QWidget* options = nullptr);

// Where a question of this kind begins, and where the next one will.
QString first_folder(const FileQuestion& question);
void remember_folder(const FileQuestion& question, const QString& chosen);

}  // namespace headlight
