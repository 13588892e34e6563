// The values of a lesson's file, each read with its bounds: what is wrong with one is told with its place.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "model/core/json.h"

namespace headlight {

class Settings;

// All throw FormatError.
struct LessonValues {
  static constexpr std::size_t kMaxValues = 20;

  static const Json& list(const Settings& at, const char* key, std::size_t least, std::size_t most);
  static std::string text(const Settings& at, const char* key, std::size_t longest, const std::string& fallback = {});
  static std::vector<std::string> texts(const Settings& at, const char* key, std::size_t longest);
  static std::vector<std::string> names(const Settings& at, const char* key);
  static double number(const Settings& at, const char* key, double least, double most, double fallback);
  static bool flag(const Settings& at, const char* key);
  static std::string word(const Settings& at, const char* key, const std::vector<std::string>& known,
                          const std::string& fallback = {});
  static Expression parsed(const Settings& at, const std::string& key, const std::string& text);
  static Expression expression(const Settings& at, const char* key);
  static std::vector<NamedExpression> named(const Settings& at, const char* key, std::size_t most = kMaxValues);

  // What is asked for (lesson_answer.cpp).
  static void read_answer(const Settings& at, LessonAnswer& answer);
  // The training of a step (lesson_training.cpp), and the name of a recording.
  static void read_training(const Settings& at, LessonTraining& training);
  static void check_recording(const Settings& at, const char* key, const std::string& name);
  // `x`, `data` and `bars` of a chart of curves (lesson_curve.cpp).
  static void read_curve(const Settings& at, LessonChart::Curve& curve);

  // Numbers from one to another in steps, of an answer or of a slider; and whether they are that.
  template <class Range>
  static void read_range(const Settings& at, Range& range) {
    for (const char* key : {"from", "to"}) needed(at, key);
    range.from = number(at, "from", -1e6, 1e6, range.from);
    range.to = number(at, "to", -1e6, 1e6, range.to);
    range.step = number(at, "step", 1e-6, 1e6, range.step);
  }
  template <class Range>
  static void check_range(const Settings& at, const Range& range) {
    if (!(range.to > range.from)) refuse(at, "to", "expected more than 'from'");
    if ((range.to - range.from) / range.step > 10'000)
      refuse(at, "step", "expected at most 10,000 steps from 'from' to 'to'");
  }

 private:
  static void needed(const Settings& at, const char* key);
  [[noreturn]] static void refuse(const Settings& at, const char* key, const char* what);
};

}  // namespace headlight
