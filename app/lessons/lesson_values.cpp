#include "app/lessons/lesson_values.h"

#include <algorithm>
#include <cmath>

#include "app/lessons/rich_text.h"
#include "model/core/json_library.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/text/nearest.h"

namespace headlight {

namespace {

constexpr std::size_t kMaxTexts = 40;

}  // namespace

const Json& LessonValues::list(const Settings& at, const char* key, std::size_t least, std::size_t most) {
  const Json& found = at.at(key);
  if (!found.is_array()) at.fail(key, "expected a list");
  if (found.size() < least || found.size() > most)
    at.fail(key, "expected " + std::to_string(least) + " to " + std::to_string(most) + " of them, found " +
                     std::to_string(found.size()));
  return found;
}

std::string LessonValues::text(const Settings& at, const char* key, std::size_t longest, const std::string& fallback) {
  const std::string found = at.text(key, fallback);
  if (found.size() > longest)
    at.fail(key, "expected at most " + bytes_text(longest) + ", found " + bytes_text(found.size()));
  return found;
}

std::vector<std::string> LessonValues::texts(const Settings& at, const char* key, std::size_t longest) {
  if (!at.has(key)) return {};
  list(at, key, 0, kMaxTexts);
  std::vector<std::string> found = at.texts(key);
  for (const std::string& each : found)
    if (each.empty() || each.size() > longest)
      at.fail(key, "expected texts of 1 to " + std::to_string(longest) + " bytes");
  return found;
}

std::vector<std::string> LessonValues::names(const Settings& at, const char* key) {
  std::vector<std::string> found = texts(at, key, 40);
  for (const std::string& each : found)
    if (!is_name(each)) at.fail(key, "'" + each + "' is no name; expected letters, digits and '-'");
  return found;
}

double LessonValues::number(const Settings& at, const char* key, double least, double most, double fallback) {
  if (!at.has(key)) return fallback;
  const Json& found = at.at(key);
  const double value = found.is_number() ? found.get<double>() : std::nan("");
  if (!(value >= least && value <= most))
    at.fail(key, "expected a number from " + Json(least).dump() + " to " + Json(most).dump());
  return value;
}

bool LessonValues::flag(const Settings& at, const char* key) {
  if (!at.has(key)) return false;
  if (!at.at(key).is_boolean()) at.fail(key, "expected true or false");
  return at.at(key).get<bool>();
}

std::string LessonValues::word(const Settings& at, const char* key, const std::vector<std::string>& known,
                               const std::string& fallback) {
  const std::string found = at.text(key, fallback);
  if (std::ranges::find(known, found) == known.end() && !(found.empty() && fallback.empty() && !at.has(key)))
    at.fail(key, "there is no '" + found.substr(0, 60) + "'" + did_you_mean_or("known: ", found, known));
  return found;
}

Expression LessonValues::parsed(const Settings& at, const std::string& key, const std::string& text) {
  try {
    return Expression(text);
  } catch (const ExpressionError& error) {
    at.fail(key, error.what());
  }
}

Expression LessonValues::expression(const Settings& at, const char* key) {
  return at.has(key) ? parsed(at, key, at.text(key)) : Expression();
}

std::vector<NamedExpression> LessonValues::named(const Settings& at, const char* key, std::size_t most) {
  std::vector<NamedExpression> found;
  if (!at.has(key)) return found;
  const Settings inside = at.object(key);
  if (at.at(key).size() > most) at.fail(key, "expected at most " + std::to_string(most) + " of them");
  for (const auto& [name, value] : at.at(key).items()) {
    if (!is_name(name)) at.fail(key, "'" + name.substr(0, 60) + "' is no name; expected letters, digits and '-'");
    found.push_back({name, parsed(inside, name, inside.text(name.c_str()))});
  }
  return found;
}

void LessonValues::needed(const Settings& at, const char* key) { at.at(key); }

void LessonValues::refuse(const Settings& at, const char* key, const char* what) { at.fail(key, what); }

}  // namespace headlight
