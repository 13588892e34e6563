// Asking for files and folders: in the dialog of the desktop where it has one, else in Qt's, in the language of the
// program. A question begins where the last answer to one of its kind lay, also after a start.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

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

// What was chosen goes to `take`, which is not called where nobody has chosen (widgets/base/ask.h).
using TakePath = std::function<void(const QString& path)>;
void ask_for_folder(QWidget* parent, const FileQuestion& question, TakePath take);
void ask_for_file(QWidget* parent, const FileQuestion& question, TakePath take);
// A name without one of the endings gets that of the chosen filter. `options` stand below the names of the files and
// go with the dialog, so that what they say is kept elsewhere; dialogs of desktops take none: such a question is
// always Qt's.
void ask_where_to_write(QWidget* parent, const FileQuestion& question, TakePath take, QWidget* options = nullptr);

// For a question of another form: a dialog that begins where the question does, and opening it.
QFileDialog* file_dialog(QWidget* parent, const FileQuestion& question);
void open_file_dialog(QFileDialog* dialog, const FileQuestion& question, TakePath take);

// Where a question of this kind begins, and where the next one will.
QString first_folder(const FileQuestion& question);
void remember_folder(const FileQuestion& question, const QString& chosen);

}  // namespace headlight
