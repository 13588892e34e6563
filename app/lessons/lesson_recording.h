// Making lessons: states of the window become steps of a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/lessons/lesson_question.h"

namespace headlight {

struct RecordedStep {
  SessionState state;  // of a bundled model, or of one in a folder, which is copied into the lesson's
  std::string output;  // that it gave: the first condition of the step
  std::string view, arrangement;
  std::vector<std::string> side, below;
  std::optional<RecordedQuestion> question;  // none: the step shows
  std::map<std::string, std::string> words;  // by language, as Markdown; at least one
};

// Whether it comes with the program, so that a name is enough.
bool is_bundled(const SessionState::Model& model);

// The folder is a lesson that opens after each of these, or is as it was. They throw FileError, FormatError for what is
// no lesson, UsageError for what cannot be recorded.

// Adds a step at the end, and makes the folder where there is none. Returns the step's id.
std::string record_step(const std::filesystem::path& folder, const std::string& title, const RecordedStep& step);
// A lesson takes models of at most so many bytes.
inline constexpr std::uintmax_t kMaxRecordedModel = 256 << 20;
void move_step(const std::filesystem::path& folder, int from, int to);
// Returns the lesson as it was: its texts by file, for put_back().
using LessonTexts = std::map<std::string, std::string>;
LessonTexts remove_step(const std::filesystem::path& folder, int step);
void put_back(const std::filesystem::path& folder, const LessonTexts& before);
// The title in this language; another one in its place.
std::string lesson_title(const std::filesystem::path& folder, const std::string& language);
void set_lesson_title(const std::filesystem::path& folder, const std::string& language, const std::string& title);
// The Markdown of a step, and another one in its place.
std::string step_words(const std::filesystem::path& folder, int step, const std::string& language);
void set_step_words(const std::filesystem::path& folder, int step, const std::string& language,
                    const std::string& words);

}  // namespace headlight
