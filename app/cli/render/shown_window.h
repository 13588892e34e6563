// A window without anybody in front of it: run, and drawn.
#pragma once

#include "app/document/session.h"
#include "widgets/canvas/figure.h"

namespace headlight {

class MainWindow;

// Runs the document of the window and waits until it is shown. Throws Error when the run fails.
void show_and_wait(MainWindow& window, const Document& document);
// What a widget shows, as it is on the screen.
Figure shown_by(QWidget* widget, const QString& title);

}  // namespace headlight
