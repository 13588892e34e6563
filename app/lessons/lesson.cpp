#include "app/lessons/lesson.h"

#include <QLocale>
#include <algorithm>
#include <cctype>

namespace headlight {

namespace fs = std::filesystem;

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

bool LessonStep::asks_first(const StepWords& words) const { return !chart.slides() && !words.question.empty(); }

int Lesson::step(const std::string& id) const {
  const auto found = std::ranges::find(steps, id, &LessonStep::id);
  return found == steps.end() ? -1 : static_cast<int>(found - steps.begin());
}

int training_step(const Lesson& lesson, int step) {
  const auto at = [&](int k) -> const LessonStep& { return lesson.steps[static_cast<std::size_t>(k)]; };
  int from = step;
  while (from > 0 && at(from).kind == LessonStep::Kind::card && !at(from).state) --from;
  return at(from).trains() ? from : step;
}

// A known language, perhaps with a script or a place: what else ends in .md (README.md) is none.
bool is_language(const std::string& name) {
  const std::size_t end = std::min(name.find('_'), name.size());
  const auto is_lower = [](unsigned char c) { return c >= 'a' && c <= 'z'; };
  if (end < 2 || end > 3 || name.size() > 11 ||
      !std::all_of(name.begin(), name.begin() + static_cast<long>(end), is_lower))
    return false;
  const auto is_rest = [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c)); };
  return name.back() != '_' && std::ranges::all_of(name, is_rest) &&
         QLocale::codeToLanguage(QString::fromStdString(name.substr(0, end))) != QLocale::AnyLanguage;
}

std::vector<std::string> languages_in(const fs::path& folder) {
  constexpr std::size_t kMost = 50;
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().stem().string(); at->path().extension() == ".md" && is_language(name))
      found.push_back(name);
  std::ranges::sort(found, {}, [](const std::string& name) {
    return std::pair(std::ranges::find(kLessonLanguages, name) - kLessonLanguages.begin(), name);
  });
  if (found.size() > kMost) found.resize(kMost);
  return found;
}

bool is_lesson(const fs::path& folder) {
  std::error_code error;
  return std::filesystem::is_regular_file(folder / "lesson.json", error);
}

}  // namespace headlight
