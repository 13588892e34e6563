// The file dialogs and the clipboard for what is shown. Errors come back as text, never as a dialog.
#pragma once

#include <QString>
#include <functional>

#include "model/decode/run.h"

class QWidget;

namespace headlight {

class Selection;
class StepperView;
class UserSettings;

// Ask for a file and write it. Empty: written, or the user thought better of it; else what went wrong.
// `name` without ending; `write` makes the file, in the format of its ending.
QString export_view(QWidget* parent, const QString& name, const std::function<void(const QString&)>& write,
                    UserSettings& settings);
// Asks for a file and what to draw, and draws the walk through the computation while a box with a bar tells how far it
// is. `done` gets what went wrong, as above.
void export_stepping(QWidget* parent, StepperView* stepper, Selection* selection, QWidget* view, const QString& name,
                     UserSettings& settings, const std::function<void(const QString& problem)>& done);
QString export_trace(QWidget* parent, const Result& result, UserSettings& settings);
void copy_picture(QWidget& view);

// A file name made from the text: "november-21-2026".
QString suggested_name(const std::string& source);

}  // namespace headlight
