// Asking for what is to be opened.
#pragma once

#include <QString>

#include "app/file_dialogs.h"

class QWidget;

namespace headlight {

// Where the first question begins: on the desktop, if there is one, else at home.
QString desktop_folder();

// The file or folder that was chosen, for classify_file(), goes to `take`. A double click on a folder that holds a
// model or a lesson chooses that, as on a file; other folders are gone into. Always Qt's dialog: those of desktops let
// one choose either a file or a folder, and a model can be both.
void ask_what_to_open(QWidget* parent, const QString& title, TakePath take);

}  // namespace headlight
