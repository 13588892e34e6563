// The file dialogs and the clipboard for what is shown. Errors come back as text, never as a dialog.
#pragma once

#include <QString>

#include "model/decode/run.h"

class QWidget;

namespace headlight {

class AlignmentView;
class UserSettings;

// Ask for a file and write it. Empty: written, or the user thought better of it; else what went wrong.
QString export_alignment(QWidget* parent, const AlignmentView& view, UserSettings& settings);
QString export_trace(QWidget* parent, const Result& result, UserSettings& settings);
void copy_picture(QWidget& view);

// A file name made from the text: "november-21-2026".
QString suggested_name(const std::string& source);

}  // namespace headlight
