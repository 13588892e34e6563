// Lessons without a window.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "app/classroom/paper/lesson_paper.h"
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/platform.h"
#include "app/cli/unused_options.h"
#include "app/cli/window_start.h"
#include "app/language.h"
#include "app/lessons/lecture.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_translation.h"
#include "app/stage/view_table.h"
#include "model/core/json_library.h"
#include "model/text/message_line.h"
#include "model/text/nearest.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

int list(const LessonCommand& command) {
  const std::string language = command.language.empty() ? "en" : command.language;
  if (command.json) {
    Json all = Json::array();
    for (const Course& course : courses())
      for (const ListedLesson& lesson : course.lessons)
        all.push_back({{"name", lesson.name},
                       {"title", in_language(lesson.title, language)},
                       {"summary", in_language(lesson.summary, language)},
                       {"minutes", lesson.minutes},
                       {"steps", lesson.steps},
                       {"claims", lesson.claims},
                       {"folder", lesson.folder.string()}});
    std::cout << all.dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
    return 0;
  }
  for (const Course& course : courses())
    for (const ListedLesson& lesson : course.lessons) {
      std::cout << escaped_line(lesson.name) << "\t" << escaped_line(in_language(lesson.title, language)) << "\t"
                << lesson.minutes << " min\t";
      for (std::size_t i = 0; i < lesson.claims.size(); ++i) std::cout << (i ? " " : "") << lesson.claims[i];
      std::cout << "\n";
    }
  return 0;
}

std::string view_problem(const std::string& name, const AnalysedRun* run) {
  std::vector<std::string> known;
  for (const ViewRow& row : view_table()) {
    known.emplace_back(row.name);
    if (row.name != name) continue;
    return row.offers && run && !row.offers(*run) ? "the view '" + name + "' has nothing to show of this model" : "";
  }
  for (const ViewRow& row : number_panels()) {
    known.emplace_back(row.name);
    if (row.name == name) return {};
  }
  return "there is no view '" + name + "'" + did_you_mean_or("views: ", name, known);
}

int check(const std::shared_ptr<const Lesson>& lesson, const std::string& language, const CancelToken& cancel) {
  LessonRuns runs(lesson);
  runs.set_cancel(cancel);
  const LessonReport report = check_lesson(runs, view_problem, language);
  for (const std::string& problem : report.problems) std::cout << escaped_line(problem) << "\n";
  std::cout << escaped_line(lesson->name) << ": " << report.steps << (report.steps == 1 ? " step, " : " steps, ")
            << report.conditions << (report.conditions == 1 ? " condition holds" : " conditions hold");
  if (!report.ok())
    std::cout << ", " << report.problems.size() << (report.problems.size() == 1 ? " problem" : " problems");
  std::cout << "\n";
  return report.ok() ? 0 : 1;
}

// A course: its words, the glossary beside it, and each of its lessons.
int check_course(const fs::path& course, const std::string& wanted, const CancelToken& cancel) {
  std::vector<std::string> languages = languages_in(course), problems;
  if (!wanted.empty() && std::ranges::find(languages, wanted) == languages.end()) languages.push_back(wanted);
  const fs::path glossary = fs::absolute(course).lexically_normal().parent_path() / "glossary";
  for (const std::string& language : languages)
    for (const auto& gaps : {course_gaps(course, language), glossary_gaps(glossary, language)})
      problems.insert(problems.end(), gaps.begin(), gaps.end());
  for (const std::string& problem : problems) std::cout << escaped_line(problem) << "\n";
  int status = problems.empty() ? 0 : 1;
  std::vector<fs::path> lessons;
  for (const auto& each : fs::directory_iterator(course))
    if (is_lesson(each.path())) lessons.push_back(each.path());
  std::ranges::sort(lessons);
  for (const fs::path& each : lessons) status = std::max(status, check(read_lesson(each), wanted, cancel));
  return status;
}

// Its folder, or its name among the bundled ones; empty: it is none.
fs::path course_folder(const std::string& name) {
  std::error_code error;
  for (const fs::path& folder : {fs::path(name), lessons_root() / name})
    if (!name.empty() && fs::exists(folder / "course.json", error)) return folder.parent_path() / folder.filename();
  return {};
}

// Each entry of a lecture list.
int check_lecture(const fs::path& file, const std::string& language, const CancelToken& cancel) {
  int status = 0;
  for (const LectureEntry& entry : read_lecture(file).entries)
    status = std::max(status, check(lesson_of(entry, file), language, cancel));
  return status;
}

int check(const LessonCommand& command) {
  const Interruptible interruptible;
  if (is_lecture(command.lesson)) return check_lecture(command.lesson, command.language, interruptible.token());
  if (const fs::path course = course_folder(command.lesson); !course.empty())
    return check_course(course, command.language, interruptible.token());
  return check(load_lesson(command.lesson), command.language, interruptible.token());
}

// The words that are to be printed are there.
void check_language(const Lesson& lesson, const std::string& language) {
  std::vector<std::string> known;
  for (const LessonWords& each : lesson.words) known.push_back(each.language);
  if (language.empty() || std::ranges::find(known, language) != known.end()) return;
  if (const auto found = lesson.unread.find(language); found != lesson.unread.end()) throw FormatError(found->second);
  throw UsageError("--language " + language + ": the lesson is not there in this language" +
                   did_you_mean_or("languages: ", language, known));
}

void print(const std::shared_ptr<const Lesson>& lesson, const LessonCommand& command) {
  check_language(*lesson, command.language);
  const std::string language = command.language.empty() ? "en" : command.language;
  choose_language(QString::fromStdString(language));
  Theme::instance().set_mode(command.theme == "dark" && !command.slides.empty() ? Theme::Mode::dark
                                                                                : Theme::Mode::light);
  const Interruptible interruptible;
  LessonRuns runs(lesson);
  runs.set_cancel(interruptible.token());
  LessonPaper paper{&runs, language, command.paper == "letter"};
  if (!command.slides.empty()) write_slides(paper, path_text(command.slides));
  Theme::instance().set_mode(Theme::Mode::light);
  if (!command.worksheet.empty()) write_worksheet(paper, path_text(command.worksheet), false);
  if (!command.answers.empty()) write_worksheet(paper, path_text(command.answers), true);
}

// Of a lecture list each lesson in files of its own: sheet-1.pdf, sheet-2.pdf.
int print(const LessonCommand& command) {
  const auto application = make_offscreen_application();
  if (!is_lecture(command.lesson)) {
    print(load_lesson(command.lesson), command);
    return 0;
  }
  int number = 0;
  for (const LectureEntry& entry : read_lecture(command.lesson).entries) {
    ++number;
    if (entry.lesson.empty()) continue;
    LessonCommand each = command;
    for (std::string* path : {&each.worksheet, &each.answers, &each.slides})
      if (const fs::path file = *path; !path->empty())
        *path = (file.parent_path() / (file.stem().string() + "-" + std::to_string(number))).string() +
                file.extension().string();
    print(lesson_of(entry, command.lesson), each);
  }
  return 0;
}

}  // namespace

int lesson_command(const LessonCommand& given) {
  LessonCommand command = given;
  if (command.language == "zh") command.language = "zh_CN";
  if (!command.language.empty() && !is_language(command.language))
    throw UsageError("--language: expected a language like en, zh or pt_BR, found '" + command.language.substr(0, 60) +
                     "'");
  const bool prints = !command.worksheet.empty() || !command.answers.empty() || !command.slides.empty();
  if (command.list || command.check || prints) {
    const int status = command.list ? list(command) : command.check ? check(command) : print(command);
    tell_unused(command);
    return status;
  }
  // What is wrong with it is told before a window opens.
  std::size_t steps = 0;
  if (is_lecture(command.lesson)) {
    steps = read_lecture(command.lesson).entries.size();
  } else {
    const std::shared_ptr<const Lesson> lesson = load_lesson(command.lesson);
    check_language(*lesson, command.language);
    steps = lesson->steps.size();
  }
  if (command.step > static_cast<int>(steps))
    throw UsageError("--step " + std::to_string(command.step) + ": there are " + std::to_string(steps) + " steps");
  tell_unused(command);
  return lesson_window(command);
}

}  // namespace headlight
