#include "model/core/numbers.h"

#include <locale.h>  // newlocale and strtod_l are not of C++
#include <stdlib.h>

#include <cerrno>
#include <cmath>
#include <string>
#include <utility>

namespace headlight {

std::from_chars_result parse_number(const char* from, const char* end, double& value) {
  constexpr std::string_view kFirst = "-.0123456789iInN";  // no blanks, no sign +
  const std::string_view all(from, static_cast<std::size_t>(end - from));
  if (all.empty() || kFirst.find(all.front()) == kFirst.npos) return {from, std::errc::invalid_argument};
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string text(all.substr(0, all.find_first_of("xX")));  // nothing hexadecimal
  char* stop = nullptr;
  const int before = std::exchange(errno, 0);
  const double number = ::strtod_l(text.c_str(), &stop, plain);
  // A number too small to have all its digits is one nevertheless.
  const bool beyond = errno == ERANGE && !(std::abs(number) > 0 && std::abs(number) < 1);
  errno = before;
  if (stop == text.c_str()) return {from, std::errc::invalid_argument};
  value = number;
  return {from + (stop - text.c_str()), beyond ? std::errc::result_out_of_range : std::errc()};
}

bool parse_number(std::string_view text, double& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = parse_number(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace headlight
