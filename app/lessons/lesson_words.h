// The .md files of lessons, courses and the glossary.
#pragma once

#include <filesystem>

#include "app/lessons/lesson.h"

namespace headlight {

inline constexpr std::size_t kMaxWordsBytes = 256 << 10;

// A file of text that stands in `folder` itself: no link out of it, UTF-8, at most so large.
std::string read_text_in(const std::filesystem::path& folder, const std::string& name, std::size_t most);
// A folder that stands inside the lesson's: no way out of it by '..', an absolute path or a link, nor out of what it
// holds. Need not be there. Throws FileError.
std::filesystem::path folder_in(const std::filesystem::path& lesson, const std::string& relative);
LessonWords read_words(const std::filesystem::path& folder, const std::string& language, const Lesson& lesson);

// "# Title" and a sentence: of a course.
struct TitledText {
  std::string title, summary;
};
TitledText read_titled(const std::filesystem::path& folder, const std::string& name);

}  // namespace headlight
