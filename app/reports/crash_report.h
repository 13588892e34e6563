// When a signal ends the program: a readable file that says where, for Help → Report a problem. Nothing is sent.
#pragma once

#include <string>
#include <vector>

namespace headlight {

// From here on a signal that ends the program (a bad address, std::terminate(), a failed check of Qt) leaves a file
// crash-*.txt in crash_folder(), one line on the standard error that names it, and then ends the program as before.
void keep_crash_reports();

std::string crash_folder();
// Paths, the newest first; of more than ten the oldest are removed.
std::vector<std::string> crash_reports();

}  // namespace headlight
