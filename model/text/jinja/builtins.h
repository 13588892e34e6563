// Filters, tests and global functions of templates, a row each.
#pragma once

#include <functional>
#include <string>

#include "model/text/jinja/value.h"

namespace headlight::jinja {

// What a filter or test can ask of the template around it: other filters and tests by name.
struct FilterCall {
  const Value& value;
  const Arguments& arguments;
  Limits& limits;

  const Value* at(std::size_t place, const char* name) const { return arguments.at(place, name); }
  bool flag(std::size_t place, const char* name, bool otherwise = false) const;
  Whole whole(std::size_t place, const char* name, Whole otherwise) const;
  std::string text(std::size_t place, const char* name, const std::string& otherwise) const;
};
using Filter = Value (*)(const FilterCall&);
using Test = bool (*)(const FilterCall&);

const Filter* find_filter(const std::string& name);       // null: there is none
const Filter* find_text_filter(const std::string& name);  // of those that make a text of a text
const Test* find_test(const std::string& name);

// range, dict, namespace, joiner, cycler, raise_exception, and strftime_now at this moment (local time).
Dict global_functions(const std::string& now, Limits& limits);

// For HTML, as Python's escape(): what is safe stays as it is.
std::string escaped(const Value& value, Limits& limits);

// Operators that filters need as well.
Value added(const Value& a, const Value& b, Limits& limits);

}  // namespace headlight::jinja
