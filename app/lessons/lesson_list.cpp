#include "app/lessons/lesson_list.h"

#include <algorithm>

#include "model/core/json_library.h"
#include "model/io/bundled.h"
#include "model/io/json_file.h"
#include "model/text/nearest.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> folders_in(const fs::path& parent) {
  std::vector<fs::path> found;
  std::error_code error, ignored;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error))
    if (fs::is_directory(at->path(), ignored)) found.push_back(at->path());
  std::ranges::sort(found);
  return found;
}

// A sentence says what a step is about; what a value is in it only a run knows.
std::string first_sentence(const RichText& text) {
  for (const TextBlock& block : text) {
    if (std::ranges::any_of(block.spans, &TextSpan::value)) continue;
    const std::string all = plain_text(block);
    std::size_t end = all.size();
    for (const char* mark : {". ", "? ", "! ", ": ", "。", "？", "！", "："})
      if (const std::size_t at = all.find(mark); at < end) end = at;
    return all.substr(0, end);
  }
  return {};
}

ListedLesson listed(const fs::path& folder, int& order) {
  const std::shared_ptr<const Lesson> lesson = read_lesson(folder);
  ListedLesson made{folder.parent_path().filename().string() + "/" + lesson->name, folder, lesson->minutes,
                    static_cast<int>(lesson->steps.size()), lesson->claims};
  for (const LessonWords& words : lesson->words) {
    made.title[words.language] = words.title;
    made.summary[words.language] = words.summary;
    for (const StepWords& step : words.steps) made.first[words.language].push_back(first_sentence(step.text));
    for (const StepWords& step : words.steps)
      for (const RichText* text : {&step.text, &step.question, &step.reveal})
        for (const TextBlock& block : *text)
          for (const TextSpan& span : block.spans)
            if (span.link.starts_with("word:")) made.terms.insert(span.link.substr(5));
  }
  order = lesson->order;
  return made;
}

std::map<std::string, TitledText> read_course_words(const fs::path& folder) {
  std::map<std::string, TitledText> words;
  for (const std::string& language : languages_in(folder)) {
    try {
      words[language] = read_titled(folder, language + ".md");
    } catch (const Error&) {
      if (std::ranges::find(kLessonLanguages, language) != kLessonLanguages.end()) throw;
    }
  }
  return words;
}

std::vector<Course> read_courses() {
  std::vector<Course> found;
  std::error_code error;
  for (const fs::path& folder : folders_in(lessons_root())) {
    if (!fs::exists(folder / "course.json", error)) continue;
    try {
      Course course{folder.filename().string(), folder, 0, {}, {}};
      const std::string file = (folder / "course.json").string();
      const Json json = parse_json(read_text_in(folder, "course.json", 1 << 16), file, {.depth = 4, .keys = 20});
      const Settings settings(json, file);
      settings.allow_only({"headlight_course", "order"});
      settings.integer("headlight_course", 1, 1);
      course.order = static_cast<int>(settings.integer("order", 1, 1000));
      course.words = read_course_words(folder);
      std::vector<std::pair<int, ListedLesson>> lessons;
      for (const fs::path& lesson : folders_in(folder)) {
        if (!is_lesson(lesson)) continue;
        try {
          int order = 0;
          ListedLesson made = listed(lesson, order);
          lessons.emplace_back(order, std::move(made));
        } catch (const Error&) {
        }
      }
      std::ranges::stable_sort(lessons, {}, [](const auto& each) { return each.first; });
      for (auto& [order, lesson] : lessons) course.lessons.push_back(std::move(lesson));
      found.push_back(std::move(course));
    } catch (const Error&) {
    }
  }
  std::ranges::stable_sort(found, {}, &Course::order);
  return found;
}

}  // namespace

const std::string& in_language(const std::map<std::string, std::string>& texts, const std::string& language) {
  static const std::string none;
  for (const std::string& wanted : {language, std::string("en")})
    if (const auto found = texts.find(wanted); found != texts.end()) return found->second;
  return texts.empty() ? none : texts.begin()->second;
}

fs::path lessons_root() { return bundled_folder(Bundled::lessons); }

const std::vector<Course>& courses() {
  static const std::vector<Course> all = read_courses();
  return all;
}

std::shared_ptr<const Lesson> load_lesson(const std::string& name_or_folder) {
  std::error_code error;
  return fs::is_directory(name_or_folder, error) ? read_lesson(name_or_folder) : load_bundled_lesson(name_or_folder);
}

std::string lesson_beside(const std::string& name, int direction) {
  std::vector<const ListedLesson*> all;
  for (const Course& course : courses())
    for (const ListedLesson& each : course.lessons) all.push_back(&each);
  const auto here = std::ranges::find(all, name, &ListedLesson::name);
  if (here == all.end()) return {};
  const auto at = here - all.begin() + direction;
  return at < 0 || at >= std::ssize(all) ? std::string() : all[static_cast<std::size_t>(at)]->name;
}

std::shared_ptr<const Lesson> load_bundled_lesson(const std::string& wanted) {
  const fs::path root = lessons_root();
  const fs::path name(wanted);
  const bool inside =
      !name.is_absolute() && std::ranges::none_of(name, [](const fs::path& part) { return part == ".."; });
  if (inside && !root.empty() && is_lesson(root / name)) {
    auto lesson = std::make_shared<Lesson>(*read_lesson(root / name));
    lesson->name = name.lexically_normal().string();
    return lesson;
  }
  std::vector<std::string> known;
  for (const Course& course : courses())
    for (const ListedLesson& lesson : course.lessons) known.push_back(lesson.name);
  throw FileError("there is no lesson " + wanted +
                  (known.empty() ? ", and none is bundled" : did_you_mean_or("bundled lessons: ", wanted, known)));
}

const std::vector<GlossaryEntry>& glossary(const std::string& language) {
  static std::map<std::string, std::vector<GlossaryEntry>> all;
  const auto [found, first] = all.try_emplace(language);
  if (!first) return found->second;
  const fs::path file = lessons_root() / "glossary" / (language + ".md");
  std::error_code error;
  if (fs::exists(file, error)) {
    try {
      found->second = read_glossary(file);
    } catch (const Error&) {
    }
  }
  return found->second;
}

std::vector<GlossaryEntry> glossary_in(const std::string& language) {
  std::vector<GlossaryEntry> entries = glossary(language);
  for (const GlossaryEntry& each : glossary(kLessonLanguages[0]))
    if (std::ranges::find(entries, each.id, &GlossaryEntry::id) == entries.end()) entries.push_back(each);
  return entries;
}

std::set<std::string> course_languages() {
  std::set<std::string> found;
  for (const Course& course : courses()) {
    for (const auto& [language, words] : course.words) found.insert(language);
    for (const ListedLesson& lesson : course.lessons)
      for (const auto& [language, title] : lesson.title) found.insert(language);
  }
  return found;
}

}  // namespace headlight
