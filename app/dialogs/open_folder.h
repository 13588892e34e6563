// Asking for what is to be opened.
#pragma once

#include <QString>

class QWidget;

namespace headlight {

// Where the first question begins: on the desktop, if there is one, else at home.
QString first_folder();

// The file or folder that was chosen, for classify_file(); empty: none. A double click on a folder that holds a model
// or a lesson chooses that, as on a file; other folders are gone into. Later questions begin where the last one ended.
QString ask_what_to_open(QWidget* parent, const QString& title);

}  // namespace headlight
