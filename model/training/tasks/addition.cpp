// a+b -> the sum, digit by digit.
// models.md 8.1: numbers of 1-3 digits
#include <algorithm>
#include <string_view>

#include "model/training/tasks/task.h"

namespace headlight {

namespace {

constexpr std::uint32_t kBounds[] = {10, 100, 1000};
constexpr std::size_t kMostDigits = std::size(kBounds);

// Each length is as likely as the others, as in the book: one-digit numbers would hardly occur otherwise.
std::uint32_t draw_number(Random& random) { return random.below(kBounds[random.below(kMostDigits)]); }

Example draw_sum(Random& random) {
  const std::uint32_t a = draw_number(random), b = draw_number(random);
  std::string sum = std::to_string(a + b);
  sum.resize(4, ' ');
  return {std::to_string(a) + "+" + std::to_string(b), std::move(sum)};
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= kMostDigits && (text.size() == 1 || text.front() != '0') &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Misfit misfit_of_sum(const std::string& text) {
  const std::size_t plus = text.find('+');
  const std::string_view a = std::string_view(text).substr(0, plus);
  if (text.empty() || !is_number(a)) return text.empty() ? Misfit::none : Misfit::form;
  if (plus == std::string::npos || plus + 1 == text.size()) return Misfit::unfinished;
  return is_number(std::string_view(text).substr(plus + 1)) ? Misfit::none : Misfit::form;
}

Learned::Text summed(const std::string& text) {
  const std::size_t plus = text.find('+');
  return {text, std::to_string(std::stoi(text.substr(0, plus)) + std::stoi(text.substr(plus + 1)))};
}

}  // namespace

Task addition_task() {
  Task task{"addition",
            "Addition",
            "Reads a sum of two numbers of up to three digits as text and writes the result, digit by digit.",
            rules_of_width({" ", "+", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "_"}, 7, 4, "_"),
            {"123+456", "999+1", "57+5", "628+521"},
            draw_sum};
  task.learned.kind = Learned::Kind::sum;
  task.learned.last = static_cast<int>(kMostDigits);
  task.learned.misfit = misfit_of_sum;
  task.learned.tries = [](const std::string&) {
    return std::vector{summed("7+5"), summed("999+1"), summed("57+5"), summed("628+521"), summed("80+8")};
  };
  task.learned.beyond = [](const std::string&) { return summed("1234+5"); };
  return task;
}

}  // namespace headlight
