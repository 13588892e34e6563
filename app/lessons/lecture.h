// A lecture list: lessons and steps of one's own in one order, with minutes, as one file (docs/lessons.md, "A
// lecture").
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/drop.h"
#include "app/lessons/lesson.h"

namespace headlight {

inline constexpr int kLectureVersion = 1;

struct LectureEntry {
  std::string lesson;                      // the name of a bundled one, or a folder; empty: a step of one's own
  std::string title, words;                // of a step of one's own; the words are Markdown as those of lessons
  std::optional<SessionState> state = {};  // what the window shows at it; none: the words alone
  std::string view = {};                   // the picture in front
  int minutes = 5;                         // planned
  int key = 0;                             // which one it is while the list is changed; not of the file
};

struct Lecture {
  std::string title;
  std::optional<int> begins;  // minutes after midnight; none: whenever it begins
  std::vector<LectureEntry> entries;

  int minutes() const;  // of all
  // When the entry begins, in minutes after midnight; none without a beginning.
  std::optional<int> begins_at(int entry) const;
};

// Throws FileError; FormatError "FILE:LINE: ..." for what is no lecture list, with its key. Models of own steps are
// bundled ones, or lie in the folder of the file.
Lecture read_lecture(const std::filesystem::path& file);
// Whole or not at all. Folders of lessons are named from the file's own folder. Throws FileError, and UsageError for a
// step that shows a model from elsewhere.
void write_lecture(const Lecture& lecture, const std::filesystem::path& file);
bool is_lecture(const std::filesystem::path& file);  // by its name

// The lesson of an entry; a step of one's own is a lesson of one step. `file`: of the list, for what is named from
// there. Throws FileError, FormatError.
std::shared_ptr<const Lesson> lesson_of(const LectureEntry& entry, const std::filesystem::path& file);

}  // namespace headlight
