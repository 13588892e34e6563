// date_task: the distribution of the book (models.md 8.1), 1970-2017, four surface forms.
// wide_date_task: 1950-2049 and the forms that people type.
#include "model/training/tasks/dates.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string_view>

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

Date date_at(std::chrono::sys_days at) {
  using namespace std::chrono;
  const year_month_day date{at};
  return {static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())), static_cast<int>(weekday{at}.c_encoding())};
}

Date draw_date(Random& random, int first_year, int last_year) {
  using namespace std::chrono;
  const sys_days first = year{first_year} / January / 1, last = year{last_year} / December / 31;
  const auto span = static_cast<std::uint32_t>((last - first).count() + 1);
  return date_at(first + days{static_cast<int>(random.below(span))});
}

std::string number(int n, std::size_t digits = 1) {
  const std::string text = std::to_string(n);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::string ordinal(int n) {
  const bool teen = n >= 11 && n <= 13;
  return number(n) + (teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th");
}

enum class Letters { as_they_are, lower, upper };

std::string in_letters(std::string text, Letters letters) {
  for (char& c : text) {
    if (letters == Letters::lower && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (letters == Letters::upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// Half as they are, a quarter in lower case, a quarter in upper case.
std::string recase(std::string text, Random& random) {
  const std::uint32_t choice = random.below(4);
  return in_letters(std::move(text), choice == 2   ? Letters::lower
                                     : choice == 3 ? Letters::upper
                                                   : Letters::as_they_are);
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

// What a task draws its dates from.
struct Dates {
  int first_year, last_year;
  std::vector<std::string> forms;
};

const Dates& book_dates() {
  static const Dates dates{1970, 2017, {"m/d/y", "S d, Y", "N d, Y", "W, N d, Y"}};
  return dates;
}

const Dates& wide_dates() {
  static const Dates dates{1950,
                           2049,
                           {"m/d/y", "m/d/Y", "M/D/Y", "S d, Y", "N d, Y", "W, N d, Y", "d N Y", "d S Y", "Y/m/d",
                            "Y-M-D", "d.m.Y", "D.M.Y", "N o, Y", "N d Y"}};
  return dates;
}

std::string iso(const Date& date) {
  return number(date.year, 4) + "-" + number(date.month, 2) + "-" + number(date.day, 2);
}

std::string written(const Date& date, const std::string& form) {
  std::string text;
  for (const char sign : form) {
    const std::optional<Part> part = part_of(sign, date);
    text += part ? part->text : std::string(1, sign);
  }
  return text;
}

// Every form is as likely as the others.
Example draw_form(const Dates& dates, Random& random) {
  const Date date = draw_date(random, dates.first_year, dates.last_year);
  Example example;
  for (const char sign : pick(dates.forms, random)) {
    const std::optional<Part> part = part_of(sign, date);
    if (part && part->field)
      example.fields.push_back({part->field, static_cast<Index>(example.source.size()),
                                static_cast<Index>(part->text.size()), part->target, part->target_count});
    example.source += part ? part->text : std::string(1, sign);
  }
  example.source = recase(std::move(example.source), random);
  example.target = iso(date);
  return example;
}

// A text held against a form: not this one, the beginning of it, or all of it; then with what its numbers say.
struct Reading {
  enum class State { other, begun, whole } state = State::other;
  Date date{0, 0, 0, -1};  // no weekday was named
  bool short_year = false;
};

class DateReader {
 public:
  explicit DateReader(const std::string& text) : text_(in_letters(text, Letters::lower)) {}

  Reading read(const std::string& form) {
    reading_ = {};
    at_ = 0;
    for (const char sign : form) {
      if (at_ == text_.size()) return begun();
      if (!take(sign)) return reading_;
    }
    if (at_ == text_.size()) reading_.state = Reading::State::whole;
    return reading_;
  }

 private:
  Reading begun() {
    reading_.state = Reading::State::begun;
    return reading_;
  }
  bool take(char sign) {
    switch (sign) {
      case 'Y':
        return take_digits(reading_.date.year, 4, 4);
      case 'y':
        reading_.short_year = true;
        return take_digits(reading_.date.year, 2, 2);
      case 'm':
        return take_digits(reading_.date.month, 1, 2);
      case 'M':
        return take_digits(reading_.date.month, 2, 2);
      case 'd':
        return take_digits(reading_.date.day, 1, 2);
      case 'D':
        return take_digits(reading_.date.day, 2, 2);
      case 'o':
        return take_digits(reading_.date.day, 1, 2) && take_ending();
      case 'N':
        if (!take_name(kMonths, std::string::npos, reading_.date.month)) return false;
        ++reading_.date.month;
        return true;
      case 'S':
        if (!take_name(kMonths, 3, reading_.date.month)) return false;
        ++reading_.date.month;
        return true;
      case 'W':
        return take_name(kWeekdays, std::string::npos, reading_.date.weekday);
      default:
        return text_[at_++] == sign;
    }
  }
  bool take_digits(int& value, std::size_t least, std::size_t most) {
    std::size_t count = 0;
    value = 0;
    while (count < most && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = 10 * value + (text_[at_++] - '0');
      ++count;
    }
    if (count < least && at_ == text_.size()) begun();
    return count >= least;
  }
  bool take_ending() {
    const std::string_view rest = std::string_view(text_).substr(at_), two = rest.substr(0, 2);
    for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
      if (two.size() < 2 && ending.starts_with(two)) begun();
      if (two == ending) {
        at_ += 2;
        return true;
      }
    }
    return false;
  }
  bool take_name(std::span<const char* const> names, std::size_t letters, int& which) {
    const std::string_view rest = std::string_view(text_).substr(at_);
    which = 0;
    for (const char* each : names) {
      const std::string name = in_letters(std::string(each).substr(0, letters), Letters::lower);
      if (rest.starts_with(name)) {
        at_ += name.size();
        return true;
      }
      if (name.starts_with(rest)) begun();
      ++which;
    }
    return false;
  }

  std::string text_;
  Reading reading_;
  std::size_t at_ = 0;
};

// The date of a whole reading, and what is wrong with it.
struct Dated {
  Misfit misfit = Misfit::form;
  std::optional<Date> date;
};

Dated dated(const Dates& dates, const std::string& form, const std::string& text, Reading reading) {
  using namespace std::chrono;
  if (reading.short_year) {  // the year of this century or the last one that the task draws
    const int early = 1900 + reading.date.year, late = 2000 + reading.date.year;
    reading.date.year = early >= dates.first_year && early <= dates.last_year ? early : late;
  }
  const year_month_day day{year{reading.date.year}, month{static_cast<unsigned>(reading.date.month)},
                           std::chrono::day{static_cast<unsigned>(reading.date.day)}};
  if (!day.ok()) return {Misfit::day, std::nullopt};
  const Date date = date_at(sys_days{day});
  if (reading.date.weekday >= 0 && reading.date.weekday != date.weekday) return {Misfit::weekday, date};
  if (date.year < dates.first_year || date.year > dates.last_year) return {Misfit::year, date};
  // A zero in front, or letters in another case than one draws them, are no form of it.
  const std::string right = written(date, form);
  for (const Letters letters : {Letters::as_they_are, Letters::lower, Letters::upper})
    if (in_letters(right, letters) == text) return {Misfit::none, date};
  return {Misfit::form, date};
}

// A year or a day in figures, and beside it the name of a month or another number; or the figures of a whole date.
bool like_a_date(const std::string& text) {
  const std::string lower = in_letters(text, Letters::lower);
  int numbers = 0, figures = 0;
  bool within = false;
  for (const char c : lower) {
    const bool figure = c >= '0' && c <= '9';
    numbers += figure && !within ? 1 : 0;
    figures += figure ? 1 : 0;
    within = figure;
  }
  const auto named = [&](const char* month) {
    return lower.find(in_letters(std::string(month).substr(0, 3), Letters::lower)) != std::string::npos;
  };
  return numbers > 1 || figures >= 6 || (numbers == 1 && std::ranges::any_of(kMonths, named));
}

Dated read_date(const Dates& dates, const std::string& text) {
  Dated best;
  if (!like_a_date(text)) best.misfit = Misfit::other;
  DateReader reader(text);
  for (const std::string& form : dates.forms) {
    const Reading reading = reader.read(form);
    if (reading.state == Reading::State::begun && !best.date &&
        (best.misfit == Misfit::form || best.misfit == Misfit::other))
      best.misfit = Misfit::unfinished;
    if (reading.state != Reading::State::whole) continue;
    const Dated found = dated(dates, form, text, reading);
    if (found.misfit == Misfit::none) return found;
    if (!best.date) best = found;
  }
  return best;
}

// One date in all the forms of a task, those first that differ most; and without any sign between its numbers.
Learned learned_dates(const Dates& dates) {
  const auto date_like = [&dates](const std::string& text) {
    using namespace std::chrono;
    const Dated read = read_date(dates, text);
    return read.misfit == Misfit::none ? *read.date : date_at(sys_days{year{2016} / November / 22});
  };
  Learned learned;
  learned.kind = Learned::Kind::date;
  learned.first = dates.first_year;
  learned.last = dates.last_year;
  learned.forms = static_cast<int>(dates.forms.size());
  learned.misfit = [&dates](const std::string& text) {
    return text.empty() ? Misfit::none : read_date(dates, text).misfit;
  };
  learned.tries = [&dates, date_like](const std::string& like) {
    constexpr std::string_view kTelling[] = {"d N Y", "W, N d, Y", "m/d/y", "D.M.Y", "Y/m/d"};
    const Date date = date_like(like);
    std::vector<std::string> forms = dates.forms;
    std::stable_sort(forms.begin(), forms.end(), [&](const std::string& a, const std::string& b) {
      return std::find(std::begin(kTelling), std::end(kTelling), a) <
             std::find(std::begin(kTelling), std::end(kTelling), b);
    });
    std::vector<Learned::Text> texts;
    for (const std::string& form : forms)
      if (std::string text = written(date, form); text != like) texts.push_back({std::move(text), iso(date)});
    return texts;
  };
  learned.beyond = [date_like](const std::string& like) {
    const Date date = date_like(like);
    return Learned::Text{written(date, "YMD"), iso(date)};
  };
  return learned;
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
  Task task{kDate,
            "Dates, as in the book",
            "Reads a date between 1970 and 2017 in one of four English forms and writes it as YYYY-MM-DD.",
            rules_of_width(characters(""), 29, 10, "_"),
            {"september 27, 1994", "AUGUST 23, 1983", "Wednesday, April 6, 2011", "8/14/05"},
            [](Random& random) { return draw_form(book_dates(), random); }};
  task.learned = learned_dates(book_dates());
  return task;
}

Task wide_date_task() {
  Task task{
      kWideDate,
      "Dates",
      "Reads a date between 1950 and 2049 in one of fourteen forms (English names, US m/d/y, European d.m.y, ISO) and "
      "writes it as YYYY-MM-DD.",
      rules_of_width(characters("."), 29, 10, "_"),
      {"November 21, 2026", "Saturday, November 21, 2026", "21 NOV 2026", "september 3rd, 1994", "AUGUST 23, 1983",
       "11/21/26", "21.11.2026", "2026-11-21"},
      [](Random& random) { return draw_form(wide_dates(), random); }};
  task.learned = learned_dates(wide_dates());
  return task;
}

bool reads_dates(const std::string& task) { return task == kDate || task == kWideDate; }

}  // namespace headlight
