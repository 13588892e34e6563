// a+b -> the sum, digit by digit.
// models.md 8.1: numbers of 1-3 digits
#include "model/training/tasks/task.h"

namespace headlight {

namespace {

// Each length is as likely as the others, as in the book: one-digit numbers would hardly occur otherwise.
std::uint32_t draw_number(Random& random) {
  constexpr std::uint32_t kBounds[] = {10, 100, 1000};
  return random.below(kBounds[random.below(3)]);
}

Example draw_sum(Random& random) {
  const std::uint32_t a = draw_number(random), b = draw_number(random);
  std::string sum = std::to_string(a + b);
  sum.resize(4, ' ');
  return {std::to_string(a) + "+" + std::to_string(b), std::move(sum)};
}

}  // namespace

Task addition_task() {
  return {"addition",
          "Addition",
          "Reads a sum of two numbers of up to three digits as text and writes the result, digit by digit.",
          rules_of_width({" ", "+", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "_"}, 7, 4, "_"),
          {"123+456", "999+1", "57+5", "628+521"},
          draw_sum};
}

}  // namespace headlight
