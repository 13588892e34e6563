// What the command line says of itself for others: its manual page, and what completes it in a shell. Both are made
// from the options as they are declared (app/cli/command_line.cpp), so that neither can say anything else.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace headlight {

std::vector<std::string> command_page_names();  // man, bash, zsh, fish
std::string command_page(const CLI::App& app, const std::string& name);

// troff with the macros of man(7).
std::string manual_page(const CLI::App& app);

}  // namespace headlight
