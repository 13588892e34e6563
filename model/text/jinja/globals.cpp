#include <cstdio>
#include <ctime>

#include "model/text/jinja/builtins.h"

namespace headlight::jinja {

namespace {

using Kind = Value::Kind;

constexpr Whole kLongestRange = 100'000;  // as Jinja's sandbox

Value make_range(const Arguments& arguments) {
  Whole numbers[3] = {0, 0, 1};
  const std::size_t count = arguments.positional.size();
  if (count < 1 || count > 3) fail_with("range expected 1 to 3 arguments");
  for (std::size_t i = 0; i < count; ++i) {
    const Value& given = arguments.positional[i];
    if (given.is_undefined()) fail_undefined(given);
    if (!given.is_whole())
      fail_with(std::string("'") + given.type_name() + "' object cannot be interpreted as an integer");
    numbers[count == 1 ? 1 : i] = given.whole();
  }
  const Range range{numbers[0], numbers[1], numbers[2]};
  if (range.step == 0) fail_with("range() arg 3 must not be zero");
  if (range.count() > kLongestRange) Limits::refuse("it asks for a range of more than 100,000 numbers");
  return Value::range(range);
}

Dict dict_of(const Arguments& arguments, Limits& limits) {
  Dict made;
  if (!arguments.positional.empty()) {
    const Value& from = arguments.positional[0];
    if (from.is(Kind::dict)) {
      made = from.dict();
    } else {
      for (const Value& pair : elements(from, limits)) {
        const Values two = elements(pair, limits);
        if (two.size() != 2) fail_with("dict() needs pairs");
        made.set(two[0], two[1]);
      }
    }
  }
  for (const auto& [name, value] : arguments.named) made.set(name, value);
  return made;
}

Value make_joiner(const Arguments& arguments) {
  const Value* given = arguments.at(0, "sep");
  const auto used = std::make_shared<bool>(false);
  return Value::function("joiner", [by = given ? *given : Value(", "), used](const Arguments&) -> Value {
    return std::exchange(*used, true) ? by : Value("");
  });
}

Value make_cycler(const Arguments& arguments) {
  if (arguments.positional.empty())
    throw TemplateError(TemplateError::Kind::other, "at least one item has to be provided");
  const auto at = std::make_shared<std::size_t>(0);
  const Values items = arguments.positional;
  Dict members;
  members.set("next", Value::function("next", [items, at](const Arguments&) { return items[(*at)++ % items.size()]; }));
  members.set("reset", Value::function("reset", [at](const Arguments&) -> Value { return *at = 0, Value(nullptr); }));
  return Value::object("cycler", std::move(members));
}

// English names whatever the program's language: the texts are read by models.
std::string time_text(const std::string& now, const std::string& pattern, Limits& limits) {
  std::tm time{};
  if (std::sscanf(now.c_str(), "%d-%d-%dT%d:%d:%d", &time.tm_year, &time.tm_mon, &time.tm_mday, &time.tm_hour,
                  &time.tm_min, &time.tm_sec) < 3)
    fail_with("the time is not one: " + now);
  time.tm_year -= 1900, time.tm_mon -= 1, time.tm_isdst = -1;
  std::tm whole = time;
  (void)timegm(&whole);  // the day of the week and of the year
  time.tm_wday = whole.tm_wday, time.tm_yday = whole.tm_yday;
  if (pattern.size() > 10'000) Limits::refuse("it asks for a very long time");
  if (pattern.empty()) return {};
  std::string plain;  // %f, millionths, is Python's alone
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const bool pair = pattern[at] == '%' && at + 1 < pattern.size();
    plain += pair && pattern[at + 1] == 'f' ? "000000" : pattern.substr(at, pair ? 2 : 1);
    at += pair ? 1 : 0;
  }
  std::string made(plain.size() * 12 + 64, '\0');
  static const locale_t english = newlocale(LC_ALL_MASK, "C", nullptr);
  made.resize(strftime_l(made.data(), made.size(), plain.c_str(), &time, english));
  limits.bytes(static_cast<double>(made.size()));
  return made;
}

}  // namespace

Dict global_functions(const std::string& now, Limits& limits) {
  Dict made;
  const auto add = [&](const char* name, std::function<Value(const Arguments&)> call) {
    made.set(name, Value::function(name, std::move(call)));
  };
  add("range", make_range);
  add("dict", [&limits](const Arguments& arguments) { return Value::dict(dict_of(arguments, limits)); });
  add("namespace", [&limits](const Arguments& arguments) { return Value::space(dict_of(arguments, limits)); });
  add("joiner", make_joiner);
  add("cycler", make_cycler);
  add("raise_exception", [&limits](const Arguments& arguments) -> Value {
    const Value* message = arguments.at(0, "message");
    throw TemplateError(TemplateError::Kind::raised, message ? printed(*message, limits) : "");
  });
  add("strftime_now", [now, &limits](const Arguments& arguments) -> Value {
    const Value* pattern = arguments.at(0, "format");
    if (!pattern || !pattern->is_text()) fail_with("strftime_now needs a format");
    return time_text(now, pattern->text(), limits);
  });
  return made;
}

}  // namespace headlight::jinja
