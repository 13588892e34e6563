// The command line: what was asked for, as plain values. Parsing starts no part of Qt.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headlight {

struct WindowCommand {
  std::string model;  // empty: the last one, or the first bundled one with attention
  std::optional<std::string> source, target;
};

struct RunCommand {
  std::string model, source;
  std::optional<std::string> target;
  std::vector<std::string> settings;  // KEY=VALUE, over config.json
  std::vector<std::string> edits;     // see parse_intervention
  std::string dump;                   // file; empty: none
  bool json = false;
};

struct RenderCommand {
  std::string model, source, view, out;
  std::optional<std::string> target;
  std::vector<std::string> edits;
  std::string theme = "light";
  std::string language = "en";
  int width = 1280, height = 800;
  int scale = 1;  // device pixels for one pixel
};

struct TrainCommand {
  std::string task, architecture, out;
  std::optional<int> epochs;
  std::optional<unsigned long long> seed;
  std::vector<std::string> settings;
  bool resume = false, quiet = false;
  bool half = false;  // store the weights as float16
};

struct EvaluateCommand {
  std::string model, task;
  int limit = 0;  // examples; 0: all of the held-out ones
  bool json = false;
};

struct InspectCommand {
  std::string model;
  bool json = false;
};

struct VerifyCommand {
  std::string model, reference;  // reference empty: the model's own verify.safetensors
};

using Command = std::variant<WindowCommand, RunCommand, RenderCommand, TrainCommand, EvaluateCommand, InspectCommand,
                             VerifyCommand>;

// Nothing to run: help was asked for (status 0) or the line was wrong (status 2).
struct NothingToRun {
  int status = 0;
  std::string text;  // for standard output (status 0) or standard error
};

std::variant<Command, NothingToRun> parse_command_line(int argc, const char* const* argv);

}  // namespace headlight
