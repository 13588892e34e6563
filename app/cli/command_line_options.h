// Kinds of options: each reads its value exactly or says what was expected, what was found, and for which option.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/core/numbers.h"

namespace headlight {

// A text, also an empty one. Arguments are bytes: what is a text becomes UTF-8 here, once; paths stay what they are.
CLI::Option* text_option(CLI::App* command, const char* names, std::string& text, const char* help);
CLI::Option* text_option(CLI::App* command, const char* names, std::optional<std::string>& text, const char* help);
// A name, which is not empty.
CLI::Option* name_option(CLI::App* command, const char* names, std::string& name, const std::string& help);
// A path, which is not empty: often that is a variable of the shell that was never set. That of a FILE does not end
// like that of a FOLDER.
enum class PathKind { model, file, folder };
CLI::Option* path_option(CLI::App* command, const char* names, PathKind kind, std::string& path,
                         const std::string& help);
// Several behind each other, at most `most`.
CLI::Option* paths_option(CLI::App* command, const char* names, PathKind kind, std::vector<std::string>& paths,
                          int most, const char* help);
// "--texts FILE", a list of texts (model/io/text_list.h).
CLI::Option* texts_option(CLI::App* command, std::string& path);
// One text each time that it is given.
CLI::Option* repeated_option(CLI::App* command, const char* names, std::vector<std::string>& list, const char* help);
// One of these words. An alias stands for another one of them.
CLI::Option* word_option(CLI::App* command, const char* names, std::string& word, std::vector<std::string> known,
                         const char* help, std::map<std::string, std::string> aliases = {});
// WIDTHxHEIGHT. Pictures over 16384 a side are refused: they would not fit the memory of most machines.
// Sides may have a unit, "3.3inx82mm": in, mm, cm or pt; without one they are pixels, 96 for an inch.
CLI::Option* size_option(CLI::App* command, int& width, int& height, const char* help);

// A length with its unit, else in this one.
enum class Unit { pixels, points };
CLI::Option* length_option(CLI::App* command, const char* names, std::optional<double>& length, Unit unit,
                           const char* help);

namespace options {

using Read = std::function<void(const std::string&)>;
CLI::Option* add(CLI::App* command, const char* names, const std::string& kind, const std::string& help,
                 const Read& read);
[[noreturn]] void refuse(const char* names, const std::string& expected, const std::string& found,
                         const std::string& advice = {});
std::string number_text(double number);
std::string number_text(std::integral auto number) { return std::to_string(number); }

// Decimal digits and nothing else: no sign where there is none to be, no spaces, no octal or hexadecimal.
template <class Number>
std::optional<Number> exact_number(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto read = [&] {
    if constexpr (std::integral<Number>)
      return std::from_chars(text.data(), end, number);
    else
      return parse_number(text.data(), end, number);
  };
  const auto [at, error] = read();
  return error == std::errc() && at == end ? std::optional(number) : std::nullopt;
}

template <class Number>
CLI::Option* add_number(CLI::App* command, const char* names, Number low, Number high, const char* help,
                        std::function<void(Number)> put) {
  const std::string from = number_text(low), to = number_text(high);
  const auto read = [names, low, high, from, to, put = std::move(put)](const std::string& text) {
    const std::optional<Number> number = exact_number<Number>(text);
    if (!number || !(*number >= low && *number <= high))  // nothing is within what is no number
      refuse(names, std::string(std::integral<Number> ? "a whole number" : "a number") + " from " + from + " to " + to,
             text);
    put(*number);
  };
  return add(command, names, from + ".." + to, help, read);
}

}  // namespace options

// A number from `low` to `high`. The value before is the default, where it is one of these.
template <class Number>
CLI::Option* number_option(CLI::App* command, const char* names, Number& value, std::type_identity_t<Number> low,
                           std::type_identity_t<Number> high, const char* help) {
  CLI::Option* option =
      options::add_number<Number>(command, names, low, high, help, [&value](Number number) { value = number; });
  return value >= low && value <= high ? option->default_str(options::number_text(value)) : option;
}
template <class Number>
CLI::Option* number_option(CLI::App* command, const char* names, std::optional<Number>& value,
                           std::type_identity_t<Number> low, std::type_identity_t<Number> high, const char* help) {
  return options::add_number<Number>(command, names, low, high, help, [&value](Number number) { value = number; });
}

}  // namespace headlight
