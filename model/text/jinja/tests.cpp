#include <algorithm>
#include <unordered_map>

#include "model/text/jinja/builtins.h"
#include "model/text/jinja/letters.h"

namespace headlight::jinja {

namespace {

using Kind = Value::Kind;
using C = const FilterCall&;

const Value& other(C c) {
  if (c.arguments.positional.empty()) fail_with("a test lacks its argument");
  return c.arguments.positional[0];
}

Whole remainder(C c, const Value& by) {
  if (c.value.is_undefined()) fail_undefined(c.value);
  if (!c.value.is_whole() || !by.is_whole()) fail_with("a test needs whole numbers");
  if (by.whole() == 0) fail_with("integer modulo by zero");
  return c.value.whole() % by.whole();
}

bool has_case(C c, LetterClass wanted, LetterClass unwanted) {
  bool any = false;
  for (const char32_t letter : letters(printed(c.value, c.limits))) {
    if (is_of(letter, unwanted)) return false;
    any = any || is_of(letter, wanted);
  }
  return any;
}

bool is_mapping(const Value& value) { return value.is(Kind::dict); }

}  // namespace

const Test* find_test(const std::string& name) {
  static const Test equals = [](C c) { return equal(c.value, other(c), c.limits); };
  static const Test differs = [](C c) { return !equal(c.value, other(c), c.limits); };
  static const Test below = [](C c) { return less(c.value, other(c), c.limits); };
  static const Test above = [](C c) { return less(other(c), c.value, c.limits); };
  static const Test at_most = [](C c) { return !less(other(c), c.value, c.limits); };
  static const Test at_least = [](C c) { return !less(c.value, other(c), c.limits); };
  static const std::unordered_map<std::string, Test> rows = {
      {"defined", [](C c) { return !c.value.is_undefined(); }},
      {"undefined", [](C c) { return c.value.is_undefined(); }},
      {"none", [](C c) { return c.value.is(Kind::none); }},
      {"string", [](C c) { return c.value.is_text(); }},
      {"mapping", [](C c) { return is_mapping(c.value); }},
      {"sequence",
       [](C c) {
         return c.value.is_text() || c.value.is(Kind::list) || c.value.is(Kind::tuple) || is_mapping(c.value) ||
                c.value.is(Kind::range) || c.value.is_undefined();
       }},
      {"iterable", [](C c) { return is_iterable(c.value); }},
      {"number", [](C c) { return c.value.is_number(); }},
      {"float", [](C c) { return c.value.is(Kind::real); }},
      {"integer", [](C c) { return c.value.is(Kind::whole); }},
      {"boolean", [](C c) { return c.value.is(Kind::boolean); }},
      {"true", [](C c) { return c.value.is(Kind::boolean) && c.value.whole() != 0; }},
      {"false", [](C c) { return c.value.is(Kind::boolean) && c.value.whole() == 0; }},
      {"callable",
       [](C c) {
         if (c.value.is_undefined()) return true;
         return (c.value.is(Kind::function) || c.value.is(Kind::object)) && c.value.function().call != nullptr;
       }},
      {"odd", [](C c) { return remainder(c, 2) != 0; }},
      {"even", [](C c) { return remainder(c, 2) == 0; }},
      {"divisibleby", [](C c) { return remainder(c, other(c)) == 0; }},
      {"eq", equals},
      {"==", equals},
      {"equalto", equals},
      {"ne", differs},
      {"!=", differs},
      {"lt", below},
      {"<", below},
      {"lessthan", below},
      {"gt", above},
      {">", above},
      {"greaterthan", above},
      {"le", at_most},
      {"<=", at_most},
      {"ge", at_least},
      {">=", at_least},
      {"in", [](C c) { return contains(other(c), c.value, c.limits); }},
      {"sameas",
       [](C c) {
         if (c.value.is(Kind::none) || c.value.is_number())
           return c.value.kind() == other(c).kind() && equal(c.value, other(c), c.limits);
         return c.value.same_object(other(c));
       }},
      {"lower", [](C c) { return has_case(c, LetterClass::lower, LetterClass::upper); }},
      {"upper", [](C c) { return has_case(c, LetterClass::upper, LetterClass::lower); }},
      {"escaped", [](C c) { return c.value.is_safe(); }},
      {"filter", [](C c) { return c.value.is_text() && find_filter(c.value.text()) != nullptr; }},
      {"test", [](C c) { return c.value.is_text() && find_test(c.value.text()) != nullptr; }},
  };
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : &found->second;
}

}  // namespace headlight::jinja
