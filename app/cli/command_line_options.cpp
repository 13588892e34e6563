#include "app/cli/command_line_options.h"

#include "app/cli/printed/text_format.h"
#include "model/text/nearest.h"
#include "model/text/utf8.h"
#include "widgets/export/export.h"

namespace headlight {

namespace {

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

// "1280x800" -> {1280, 800}
std::optional<std::pair<int, int>> size_of(const std::string& text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos) return {};
  const auto width = options::exact_number<int>(text.substr(0, cross)),
             height = options::exact_number<int>(text.substr(cross + 1));
  const auto fits = [](const std::optional<int>& side) { return side && *side >= 16 && *side <= kLongestSide; };
  return fits(width) && fits(height) && *width * 1.0 * *height <= kMostPixels
             ? std::optional(std::pair(*width, *height))
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

}  // namespace headlight
