// date_task: the distribution of the book (models.md 8.1), 1970-2017, four surface forms.
// wide_date_task: 1950-2049 and the forms that people type.
#include "model/training/tasks/dates.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "model/training/tasks/draw.h"
#include "model/training/tasks/task.h"

namespace headlight {

namespace {

constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};
constexpr const char* kWeekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

struct Date {
  int year, month, day, weekday;
};

Date draw_date(Random& random, int first_year, int last_year) {
  using namespace std::chrono;
  const sys_days first = year{first_year} / January / 1, last = year{last_year} / December / 31;
  const auto span = static_cast<std::uint32_t>((last - first).count() + 1);
  const sys_days at = first + days{static_cast<int>(random.below(span))};
  const year_month_day date{at};
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())), static_cast<int>(weekday{at}.c_encoding())};
}

std::string number(int n, std::size_t digits = 1) {
  const std::string text = std::to_string(n);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::string ordinal(int n) {
  const bool teen = n >= 11 && n <= 13;
  return number(n) + (teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th");
}

// Half as they are, a quarter in lower case, a quarter in upper case.
std::string recase(std::string text, Random& random) {
  const std::uint32_t choice = random.below(4);
  for (char& c : text) {
    if (choice == 2 && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (choice == 3 && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// What a letter of a form stands for, and where the target has it; others stand for themselves.
struct Part {
  std::string text;
  const char* field;  // null: none that is written
  Index target, target_count;
};
std::optional<Part> part_of(char sign, const Date& d) {
  const auto year = [](std::string text) { return Part{std::move(text), "year", 0, 4}; };
  const auto month = [](std::string text) { return Part{std::move(text), "month", 5, 2}; };
  const auto day = [](std::string text) { return Part{std::move(text), "day", 8, 2}; };
  switch (sign) {
    case 'Y':
      return year(number(d.year));
    case 'y':
      return year(number(d.year % 100, 2));
    case 'm':
      return month(number(d.month));
    case 'M':
      return month(number(d.month, 2));
    case 'N':
      return month(kMonths[d.month - 1]);
    case 'S':
      return month(std::string(kMonths[d.month - 1]).substr(0, 3));
    case 'd':
      return day(number(d.day));
    case 'D':
      return day(number(d.day, 2));
    case 'o':
      return day(ordinal(d.day));
    case 'W':
      return Part{kWeekdays[d.weekday], nullptr, 0, 0};
    default:
      return std::nullopt;
  }
}

// Every form is as likely as the others.
Example draw_form(const Date& date, const std::vector<std::string>& forms, Random& random) {
  Example example;
  for (const char sign : pick(forms, random)) {
    const std::optional<Part> part = part_of(sign, date);
    if (part && part->field)
      example.fields.push_back({part->field, static_cast<Index>(example.source.size()),
                                static_cast<Index>(part->text.size()), part->target, part->target_count});
    example.source += part ? part->text : std::string(1, sign);
  }
  example.source = recase(std::move(example.source), random);
  example.target = number(date.year, 4) + "-" + number(date.month, 2) + "-" + number(date.day, 2);
  return example;
}

Example draw_book(Random& random) {
  static const std::vector<std::string> forms = {"m/d/y", "S d, Y", "N d, Y", "W, N d, Y"};
  return draw_form(draw_date(random, 1970, 2017), forms, random);
}

Example draw_wide(Random& random) {
  static const std::vector<std::string> forms = {"m/d/y", "m/d/Y", "M/D/Y", "S d, Y", "N d, Y", "W, N d, Y", "d N Y",
                                                 "d S Y", "Y/m/d", "Y-M-D", "d.m.Y",  "D.M.Y",  "N o, Y",    "N d Y"};
  return draw_form(draw_date(random, 1950, 2049), forms, random);
}

// The 59 characters of the book's file: digits, five signs, and the letters of month and weekday names in both cases.
constexpr const char *kDate = "date", *kWideDate = "date_wide";

std::vector<std::string> characters(const std::string& extra) {
  std::vector<std::string> tokens;
  for (const char c : " ,-/0123456789_" + extra) tokens.emplace_back(1, c);
  for (const char* letters : {"ABCDEFGHIJLMNOPRSTUVWY", "abcdefghijlmnoprstuvwy"})
    for (const char* c = letters; *c; ++c) tokens.emplace_back(1, *c);
  return tokens;
}

}  // namespace

Task date_task() {
  return {kDate,
          "Dates, as in the book",
          "Reads a date between 1970 and 2017 in one of four English forms and writes it as YYYY-MM-DD.",
          rules_of_width(characters(""), 29, 10, "_"),
          {"september 27, 1994", "AUGUST 23, 1983", "Wednesday, April 6, 2011", "8/14/05"},
          draw_book};
}

Task wide_date_task() {
  return {
      kWideDate,
      "Dates",
      "Reads a date between 1950 and 2049 in one of fourteen forms (English names, US m/d/y, European d.m.y, ISO) and "
      "writes it as YYYY-MM-DD.",
      rules_of_width(characters("."), 29, 10, "_"),
      {"November 21, 2026", "Saturday, November 21, 2026", "21 NOV 2026", "september 3rd, 1994", "AUGUST 23, 1983",
       "11/21/26", "21.11.2026", "2026-11-21"},
      draw_wide};
}

bool reads_dates(const std::string& task) { return task == kDate || task == kWideDate; }

}  // namespace headlight
