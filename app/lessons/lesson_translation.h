// What a language of a lesson lacks beside the words that it is translated from: for who adds one (docs/lessons.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"

namespace headlight {

struct TranslationGap {
  int step = -1;  // of the lesson; negative: of the file as a whole
  std::string what;
};

// All at once, in the order of the words that it is translated from: English, else the first language there is.
// `language` need not be there.
std::vector<TranslationGap> translation_gaps(const Lesson& lesson, const std::string& language);
// The same of a course's title and plan, and of a glossary: files of `folder` beside its en.md.
std::vector<std::string> course_gaps(const std::filesystem::path& folder, const std::string& language);
std::vector<std::string> glossary_gaps(const std::filesystem::path& folder, const std::string& language);

// What a step or a reveal has too much of, to be read from the back of a room; empty: it is short enough.
std::string length_problem(const RichText& text);

}  // namespace headlight
