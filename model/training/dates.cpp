// date_task: the distribution of the book (models.md 8.1), 1970-2017, four surface forms.
// wide_date_task: 1950-2049 and the forms that people type.
#include "model/training/dates.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "model/training/task.h"

namespace headlight {

namespace {

constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                   "July",    "August",   "September", "October", "November", "December"};
constexpr const char* kWeekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

struct Date {
  int year, month, day, weekday;
  std::string month_name() const { return kMonths[month - 1]; }
  std::string month_short() const { return month_name().substr(0, 3); }
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

std::string format(const char* pattern, int a, int b, int c) {
  char text[40];
  std::snprintf(text, sizeof text, pattern, a, b, c);
  return text;
}

std::string number(int n) { return std::to_string(n); }

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

Example finish(std::string source, const Date& date, Random& random) {
  return {recase(std::move(source), random), format("%04d-%02d-%02d", date.year, date.month, date.day)};
}

Example draw_book(Random& random) {
  const Date d = draw_date(random, 1970, 2017);
  const std::string tail = " " + number(d.day) + ", " + number(d.year);
  switch (random.below(4)) {
    case 0:
      return finish(format("%d/%d/%02d", d.month, d.day, d.year % 100), d, random);
    case 1:
      return finish(d.month_short() + tail, d, random);
    case 2:
      return finish(d.month_name() + tail, d, random);
    default:
      return finish(std::string(kWeekdays[d.weekday]) + ", " + d.month_name() + tail, d, random);
  }
}

Example draw_wide(Random& random) {
  const Date d = draw_date(random, 1950, 2049);
  const std::string year = number(d.year), day = number(d.day), tail = " " + day + ", " + year;
  std::string text;
  switch (random.below(14)) {
    case 0:
      text = format("%d/%d/%02d", d.month, d.day, d.year % 100);
      break;
    case 1:
      text = format("%d/%d/%d", d.month, d.day, d.year);
      break;
    case 2:
      text = format("%02d/%02d/%d", d.month, d.day, d.year);
      break;
    case 3:
      text = d.month_short() + tail;
      break;
    case 4:
      text = d.month_name() + tail;
      break;
    case 5:
      text = std::string(kWeekdays[d.weekday]) + ", " + d.month_name() + tail;
      break;
    case 6:
      text = day + " " + d.month_name() + " " + year;
      break;
    case 7:
      text = day + " " + d.month_short() + " " + year;
      break;
    case 8:
      text = format("%d/%d/%d", d.year, d.month, d.day);
      break;
    case 9:
      text = format("%04d-%02d-%02d", d.year, d.month, d.day);
      break;
    case 10:
      text = format("%d.%d.%d", d.day, d.month, d.year);
      break;
    case 11:
      text = format("%02d.%02d.%d", d.day, d.month, d.year);
      break;
    case 12:
      text = d.month_name() + " " + ordinal(d.day) + ", " + year;
      break;
    default:
      text = d.month_name() + " " + day + " " + year;
      break;
  }
  return finish(std::move(text), d, random);
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
