// The options of 'headlight analyse', and which of them each method takes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/cli/command_line.h"

namespace headlight {

struct AnalyseMethod {
  const char* name;
  const char* what;
  bool lists;           // takes a list of texts
  const char* takes;    // of the options that not all methods have: "--pair --side"
  bool stored = false;  // takes stored attention too
};
const std::vector<AnalyseMethod>& analyse_methods();
const AnalyseMethod& analyse_method(const std::string& name);

void declare_analyse(CLI::App& app, AnalyseCommand& command, const char* model_help);
// Says which options this method does not take.
void tell_unused(const AnalyseCommand& command);

}  // namespace headlight
