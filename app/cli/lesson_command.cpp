// Lessons without a window.

#include <iostream>

#include "app/classroom/lesson_paper.h"
#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/platform.h"
#include "app/cli/unused_options.h"
#include "app/cli/window_start.h"
#include "app/language.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lesson_list.h"
#include "app/stage/view_table.h"
#include "model/core/json_library.h"
#include "model/text/message_line.h"
#include "model/text/nearest.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

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

int check(const LessonCommand& command) {
  const std::shared_ptr<const Lesson> lesson = load_lesson(command.lesson);
  const Interruptible interruptible;
  LessonRuns runs(lesson);
  runs.set_cancel(interruptible.token());
  const LessonReport report = check_lesson(runs, view_problem);
  for (const std::string& problem : report.problems) std::cout << escaped_line(problem) << "\n";
  std::cout << escaped_line(lesson->name) << ": " << report.steps << (report.steps == 1 ? " step, " : " steps, ")
            << report.conditions << (report.conditions == 1 ? " condition holds" : " conditions hold");
  if (!report.ok())
    std::cout << ", " << report.problems.size() << (report.problems.size() == 1 ? " problem" : " problems");
  std::cout << "\n";
  return report.ok() ? 0 : 1;
}

int print(const LessonCommand& command) {
  const auto application = make_offscreen_application();
  const std::shared_ptr<const Lesson> lesson = load_lesson(command.lesson);
  const std::string language = command.language.empty() ? "en" : command.language;
  set_language(QString::fromStdString(language));
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
  return 0;
}

}  // namespace

int lesson_command(const LessonCommand& command) {
  const bool prints = !command.worksheet.empty() || !command.answers.empty() || !command.slides.empty();
  if (command.list || command.check || prints) {
    const int status = command.list ? list(command) : command.check ? check(command) : print(command);
    tell_unused(command);
    return status;
  }
  // What is wrong with it is told before a window opens.
  const auto steps = static_cast<int>(load_lesson(command.lesson)->steps.size());
  if (command.step > steps)
    throw UsageError("--step " + std::to_string(command.step) + ": the lesson has " + std::to_string(steps) + " steps");
  tell_unused(command);
  return lesson_window(command);
}

}  // namespace headlight
