// QMainWindow::restoreState() for a window that may be on the screen.
#pragma once

#include <QByteArray>

class QMainWindow;

namespace headlight {

// While the window can be seen, Qt 6.4 shows the bars of tabs in a loop over a set that changes under it, and crashes
// now and then; so it is put away for the moment.
void restore_panels(QMainWindow& window, const QByteArray& state);

}  // namespace headlight
