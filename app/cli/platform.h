// The application on the platform that is there. Qt ends the program where it finds none, divides by the resolution
// that it is told, and reads its own options from the command line: here it gets what it can bear.
#pragma once

#include <QApplication>
#include <memory>

namespace headlight {

// For commands that draw into files: offscreen, whatever the desktop is set to, so that a picture is the same
// everywhere.
std::unique_ptr<QApplication> make_offscreen_application();
// For the window; offscreen where the environment names no display. Throws UsageError, or ends the program with that
// message and status 2, when it names one that cannot be reached.
std::unique_ptr<QApplication> make_window_application();
bool has_display();  // once there is an application
// Takes scales of the desktop out of the environment that Qt would divide by, or that leave no room for a window.
void drop_strange_scales();

}  // namespace headlight
