// Asking for the folder of a model.
#pragma once

#include <QString>

class QWidget;

namespace headlight {

// Where the first question begins: on the desktop, if there is one, else at home.
QString first_folder();

// The folder that was chosen; empty: none. A double click on a folder that holds a model opens that, as on a file;
// other folders are gone into. Later questions begin where the last one ended.
QString ask_for_model_folder(QWidget* parent, const QString& title);

}  // namespace headlight
