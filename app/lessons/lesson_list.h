// The courses that come with the program, and lessons by name.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/lessons/lesson_words.h"

namespace headlight {

// What a list shows of a lesson, without its steps being checked.
struct ListedLesson {
  std::string name;  // "why-attention/looking-back"
  std::filesystem::path folder;
  int minutes = 0;
  int steps = 0;
  std::vector<std::string> claims;
  std::map<std::string, std::string> title = {}, summary = {};  // by language
  std::set<std::string> terms = {};                             // of the glossary, which its words link to
  std::map<std::string, std::vector<std::string>> first = {};   // of each step the first sentence without a value
};

struct Course {
  std::string name;  // of the folder
  std::filesystem::path folder;
  int order = 0;
  std::map<std::string, TitledText> words;  // by language
  std::vector<ListedLesson> lessons;        // in their order
};

// The text of this language, else in English, else any.
const std::string& in_language(const std::map<std::string, std::string>& texts, const std::string& language);

std::filesystem::path lessons_root();  // empty: there are none
// Read once; what cannot be read is left out here: opening it says what is wrong.
const std::vector<Course>& courses();
// A folder of a lesson, or the name of a bundled one. Throws FileError, FormatError.
std::shared_ptr<const Lesson> load_lesson(const std::string& name_or_folder);
// The lesson after this one (1), or the one before (-1), from course to course; empty: there is none.
std::string lesson_beside(const std::string& name, int direction);
// What a link leads to: a name, never a path.
std::shared_ptr<const Lesson> load_bundled_lesson(const std::string& name);
// Words that texts link to, in this language; empty where there are none.
const std::vector<GlossaryEntry>& glossary(const std::string& language);
// The same, in English where this language lacks a word.
std::vector<GlossaryEntry> glossary_in(const std::string& language);
// Every language that a course or one of its lessons has.
std::set<std::string> course_languages();

}  // namespace headlight
