#include "model/text/csv.h"

#include <algorithm>
#include <array>

#include "model/core/numbers.h"

namespace headlight {

namespace {

constexpr std::array<std::string_view, 11> kFormula = {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"};

}  // namespace

std::string not_computed(std::string_view text) {
  double number = 0;
  const bool formula = !parse_number(text, number) &&
                       std::ranges::any_of(kFormula, [&](std::string_view sign) { return text.starts_with(sign); });
  return (formula ? "'" : "") + std::string(text);
}

std::string csv_cell(std::string_view text) {
  const std::string field = not_computed(text);
  const bool blank = field.starts_with(' ') || field.ends_with(' ') || field.find_first_of("\t\v\f") != field.npos;
  if (!blank && field.find_first_of(",\"\r\n") == field.npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace headlight
