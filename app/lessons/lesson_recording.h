// Making lessons: states of the window become steps of a folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"

namespace headlight {

struct RecordedStep {
  SessionState state;  // of a bundled model
  std::string output;  // that it gave: the first condition of the step
  std::string view, arrangement;
  std::vector<std::string> side, below;
  std::map<std::string, std::string> words;  // by language, as Markdown; at least one
};

// The folder is a lesson that opens after each of these, or is as it was. They throw FileError, FormatError for what is
// no lesson, UsageError for what cannot be recorded.

// Adds a step at the end, and makes the folder where there is none. Returns the step's id.
std::string record_step(const std::filesystem::path& folder, const std::string& title, const RecordedStep& step);
void move_step(const std::filesystem::path& folder, int from, int to);
void remove_step(const std::filesystem::path& folder, int step);
// The Markdown of a step, and another one in its place.
std::string step_words(const std::filesystem::path& folder, int step, const std::string& language);
void set_step_words(const std::filesystem::path& folder, int step, const std::string& language,
                    const std::string& words);

}  // namespace headlight
