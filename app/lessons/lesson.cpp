#include "app/lessons/lesson.h"

#include <algorithm>

namespace headlight {

const LessonWords& Lesson::in(const std::string& language) const {
  for (const std::string& wanted : {language, std::string("en")})
    if (const auto found = std::ranges::find(words, wanted, &LessonWords::language); found != words.end())
      return *found;
  return words.front();
}

const std::vector<std::string>& Lesson::sources_in(const std::string& language) const {
  const auto found = sources.find(language);
  return found != sources.end() && !found->second.empty() ? found->second : sources.at(kLessonLanguages[0]);
}

bool LessonStep::asks_first(const StepWords& words) const {
  return !chart.slides() && !words.question.empty();
}

int Lesson::step(const std::string& id) const {
  const auto found = std::ranges::find(steps, id, &LessonStep::id);
  return found == steps.end() ? -1 : static_cast<int>(found - steps.begin());
}

bool is_lesson(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::is_regular_file(folder / "lesson.json", error);
}

}  // namespace headlight
