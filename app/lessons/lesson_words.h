// The .md files of lessons, courses and the glossary.
#pragma once

#include <filesystem>
#include <utility>

#include "app/lessons/lesson.h"

namespace headlight {

inline constexpr std::size_t kMaxWordsBytes = 256 << 10;

// A file of text that stands in `folder` itself: no link out of it, UTF-8, at most so large.
std::string read_text_in(const std::filesystem::path& folder, const std::string& name, std::size_t most);
// A folder that stands inside the lesson's: no way out of it by '..', an absolute path or a link, nor out of what it
// holds. Need not be there. Throws FileError.
std::filesystem::path folder_in(const std::filesystem::path& lesson, const std::string& relative);
LessonWords read_words(const std::filesystem::path& folder, const std::string& language, const Lesson& lesson);

// A heading with what stands below it, down to the next one of any level.
struct WordsPart {
  int level = 0;  // 0: what stands in front of the first heading
  std::string name;
  int line = 1;
  std::vector<TextLine> lines;  // of the text that was given
};
// All of these throw FormatError with file and line.
std::vector<WordsPart> parts_of(std::string_view text, const std::string& file);
std::vector<std::pair<std::string, TextLine>> named_lines(const WordsPart& part,
                                                          const std::string& file);  // "- id: words"

// "# Title" and a sentence: of a course.
struct TitledText {
  std::string title, summary;
  RichText plan = {};  // what stands below, with its headings
};
TitledText read_titled(const std::filesystem::path& folder, const std::string& name);

}  // namespace headlight
