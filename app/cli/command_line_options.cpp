#include "app/cli/command_line_options.h"

#include <cmath>

#include "app/cli/printed/text_format.h"
#include "model/text/nearest.h"
#include "model/text/utf8.h"
#include "widgets/export/export.h"

namespace headlight {

namespace {

constexpr double kShortestSide = 16, kSmallestType = 4, kLargestType = 72;

struct PathWords {
  const char *kind, *expected;
};
PathWords words_of(PathKind kind) {
  switch (kind) {
    case PathKind::file:
      return {"FILE", "the name of a file"};
    case PathKind::folder:
      return {"FOLDER", "the name of a folder"};
    case PathKind::model:
      break;
  }
  return {"NAME", "a folder or a name"};
}

void check_path(const char* names, PathKind kind, const std::string& path) {
  if (path.empty() || (kind == PathKind::file && path.ends_with('/')))
    options::refuse(names, words_of(kind).expected, path);
}

// "3.3in" -> 316.8: pixels, 96 for an inch. Pixels themselves have no unit and are whole.
std::optional<double> pixels_of(const std::string& text) {
  static constexpr std::pair<const char*, double> kUnits[] = {
      {"in", 96}, {"mm", 96 / 25.4}, {"cm", 96 / 2.54}, {"pt", 96.0 / 72}};
  for (const auto& [unit, pixels] : kUnits)
    if (text.ends_with(unit)) {
      const auto number = options::exact_number<double>(text.substr(0, text.size() - 2));
      return number ? std::optional(*number * pixels) : std::nullopt;
    }
  const auto whole = options::exact_number<int>(text);
  return whole ? std::optional<double>(*whole) : std::nullopt;
}

bool is_side(const std::optional<double>& side) { return side && *side >= kShortestSide && *side <= kLongestSide; }

// "1280x800" -> {1280, 800}
std::optional<std::pair<int, int>> size_of(const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) return {};
  const auto width = pixels_of(text.substr(0, cross)), height = pixels_of(text.substr(cross + 1));
  return is_side(width) && is_side(height) && *width * *height <= kMostPixels
             ? std::optional(std::pair(static_cast<int>(std::lround(*width)), static_cast<int>(std::lround(*height))))
             : std::nullopt;
}

}  // namespace

namespace options {

CLI::Option* add(CLI::App* command, const char* names, const std::string& kind, const std::string& help,
                 const Read& read) {
  const auto take = [read](const CLI::results_t& values) {
    for (const std::string& value : values) read(value);
    return true;
  };
  return command->add_option(names, take, help)->type_name(kind);
}

void refuse(const char* names, const std::string& expected, const std::string& found, const std::string& advice) {
  const std::string all = names;
  throw CLI::ValidationError(all.substr(all.rfind(',') + 1),
                             "expected " + expected + ", found '" + found + "'" + advice);
}

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", number);
  return text;
}

}  // namespace options

CLI::Option* text_option(CLI::App* command, const char* names, std::string& text, const char* help) {
  return options::add(command, names, "TEXT", help, [&text](const std::string& value) { text = valid_utf8(value); });
}

CLI::Option* text_option(CLI::App* command, const char* names, std::optional<std::string>& text, const char* help) {
  return options::add(command, names, "TEXT", help, [&text](const std::string& value) { text = valid_utf8(value); });
}

CLI::Option* texts_option(CLI::App* command, std::string& path) {
  return path_option(command, "--texts", PathKind::file, path, "list of texts (.txt .tsv .jsonl .json), all of them");
}

CLI::Option* repeated_option(CLI::App* command, const char* names, std::vector<std::string>& list, const char* help) {
  const auto read = [&list](const std::string& value) { list.push_back(valid_utf8(value)); };
  return options::add(command, names, "TEXT", help, read)
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->take_all()
      ->allow_extra_args(false);
}

CLI::Option* name_option(CLI::App* command, const char* names, std::string& name, const std::string& help) {
  const auto read = [names, &name](const std::string& value) {
    if (value.empty()) options::refuse(names, "a name", value);
    name = valid_utf8(value);
  };
  return options::add(command, names, "NAME", help, read);
}

CLI::Option* path_option(CLI::App* command, const char* names, PathKind kind, std::string& path,
                         const std::string& help) {
  const auto read = [names, kind, &path](const std::string& value) {
    check_path(names, kind, value);
    path = value;
  };
  return options::add(command, names, words_of(kind).kind, help, read);
}

CLI::Option* paths_option(CLI::App* command, const char* names, PathKind kind, std::vector<std::string>& paths,
                          int most, const char* help) {
  const auto read = [names, kind, &paths](const std::string& value) {
    check_path(names, kind, value);
    paths.push_back(value);
  };
  return options::add(command, names, words_of(kind).kind, help, read)
      ->expected(1, most)
      ->take_all()
      ->allow_extra_args(false);
}

CLI::Option* word_option(CLI::App* command, const char* names, std::string& word, std::vector<std::string> known,
                         const char* help, std::map<std::string, std::string> aliases) {
  std::string kind;
  for (const std::string& each : known) kind += (kind.empty() ? "{" : ",") + each;
  const auto read = [names, &word, known = std::move(known), aliases = std::move(aliases)](const std::string& value) {
    const auto alias = aliases.find(value);
    const std::string& meant = alias == aliases.end() ? value : alias->second;
    if (std::find(known.begin(), known.end(), meant) == known.end())
      options::refuse(names, "one of " + joined(known), value, did_you_mean(value, known));
    word = meant;
  };
  CLI::Option* option = options::add(command, names, kind + "}", help, read);
  return word.empty() ? option : option->default_str(word);
}

CLI::Option* size_option(CLI::App* command, int& width, int& height, const char* help) {
  const auto read = [&width, &height](const std::string& text) {
    const auto size = size_of(text);
    if (!size) options::refuse("--size", "WIDTHxHEIGHT, sides from 16 to 16384 and at most 50 million pixels", text);
    std::tie(width, height) = *size;
  };
  return options::add(command, "--size", "WIDTHxHEIGHT", help, read)
      ->default_str(std::to_string(width) + "x" + std::to_string(height));
}

CLI::Option* length_option(CLI::App* command, const char* names, std::optional<double>& length, Unit unit,
                           const char* help) {
  const auto read = [names, unit, &length](const std::string& text) {
    constexpr double kPoint = 96.0 / 72;
    const auto bare = unit == Unit::points ? options::exact_number<double>(text) : std::nullopt;
    const auto pixels = bare ? std::optional(*bare * kPoint) : pixels_of(text);
    const double points = pixels.value_or(0) / kPoint;
    if (unit == Unit::pixels && !is_side(pixels))
      options::refuse(names, "a length from 16 to 16384 pixels, as 3.3in", text);
    if (unit == Unit::points && !(points >= kSmallestType && points <= kLargestType))
      options::refuse(names, "a size from 4 to 72 points, as 8pt", text);
    length = unit == Unit::points ? points : *pixels;
  };
  return options::add(command, names, "LENGTH", help, read);
}

}  // namespace headlight
