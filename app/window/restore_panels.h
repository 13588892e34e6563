// QMainWindow::restoreState() for a window that may be on the screen.
#pragma once

#include <QByteArray>

class QMainWindow;

namespace headlight {

// While the window can be seen, Qt 6.4 shows the bars of tabs in a loop over a set that changes under it, and crashes
// now and then; so it is put away for the moment. Panels that had another name when the state was saved are found.
void restore_panels(QMainWindow& window, QByteArray state);

}  // namespace headlight
