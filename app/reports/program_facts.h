// What somebody who mends the program needs to know of the place where it runs: for 'headlight --version --verbose',
// the reports of crashes, and Help → Report a problem.
#pragma once

#include <string>

namespace headlight {

// Lines "name: value": versions, processor, memory, system, display, places. No text and no name of the person's: a
// path in the home folder begins with "~". Runs without an application; with one it says more of the display.
std::string program_facts();

// The folder for what the program notes of itself: $XDG_STATE_HOME/headlight, or ~/.local/state/headlight.
std::string state_folder();

// The path with the home folder written as "~".
std::string without_home(std::string path);

}  // namespace headlight
