#include "app/lessons/lesson_recording.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/lessons/lesson_words.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

// The files of a lesson as text: what stands in front of the first step, and each step.
struct LessonFiles {
  Json json;
  struct Words {
    std::string head;
    std::vector<std::string> steps;  // without their headings
  };
  std::map<std::string, Words> words;
};

LessonFiles read_source(const fs::path& folder) {
  read_lesson(folder);  // what is wrong is told with file and line
  LessonFiles source;
  source.json = parse_json(read_text_in(folder, "lesson.json", 1 << 20), (folder / "lesson.json").string());
  std::error_code error;
  for (const std::string language : kLessonLanguages) {
    if (!fs::exists(folder / (language + ".md"), error)) continue;
    const std::string text = read_text_in(folder, language + ".md", kMaxWordsBytes);
    LessonFiles::Words words;
    bool fenced = false;
    std::string* to = &words.head;
    for (const TextLine& line : lines_of(text)) {
      if (line.text.starts_with("```")) fenced = !fenced;
      if (!fenced && line.text.starts_with("## ")) {
        to = &words.steps.emplace_back();
        continue;
      }
      *to += std::string(line.text) + "\n";
    }
    source.words[language] = std::move(words);
  }
  return source;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \n\t\r"), end = text.find_last_not_of(" \n\t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::map<std::string, std::string> files_of(const LessonFiles& source) {
  std::map<std::string, std::string> files;
  files["lesson.json"] = source.json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  for (const auto& [language, words] : source.words) {
    std::string text = trimmed(words.head) + "\n";
    for (std::size_t i = 0; i < words.steps.size(); ++i)
      text += "\n## " + source.json["steps"][i]["id"].get<std::string>() + "\n\n" + trimmed(words.steps[i]) + "\n";
    files[language + ".md"] = std::move(text);
  }
  return files;
}

// Tried in a folder of its own first: a lesson that would not open is not written.
void write_source(const fs::path& folder, const LessonFiles& source) {
  const auto files = files_of(source);
  {
    const StagingFolder trial(fs::absolute(folder).parent_path());
    for (const auto& [name, text] : files) write_file_atomically(trial.path() / name, text);
    try {
      read_lesson(trial.path());
    } catch (const FormatError& error) {
      std::string what = error.what();
      const std::string shown = trial.path().string() + "/";
      if (what.starts_with(shown)) what.erase(0, shown.size());
      throw FormatError(what);
    }
  }
  make_folder(folder);
  for (const auto& [name, text] : files) write_file_atomically(folder / name, text);
}

Json state_json(const SessionState& state) {
  const auto models = bundled_models();
  const std::string name = state.model.name.toStdString();
  if (std::ranges::none_of(models, [&](const fs::path& each) { return each.filename() == name; }))
    throw UsageError("only bundled models can be recorded; '" + name +
                     "' is none: put its folder into the lesson's, and "
                     "name it there (docs/lessons.md)");
  const Json whole = Json::parse(write_session(state, QStringLiteral("/lesson")).toStdString());
  Json made = {{"model", {{"name", name}}}, {"source", state.source}};
  for (const char* key : {"target", "prefix"})
    if (whole.contains(key)) made[key] = whole[key];
  for (const char* key : {"settings", "edits"})
    if (!whole[key].empty()) made[key] = whole[key];
  if (!(state.decode == DecodeSettings())) made["decode"] = whole["decode"];
  if (state.seed != 1) made["seed"] = whole["seed"];
  if (!whole["selection"].empty()) made["selection"] = whole["selection"];
  return made;
}

Json& steps_of(LessonFiles& source) { return source.json["steps"]; }

void check(const LessonFiles& source, int step) {
  if (step < 0 || step >= static_cast<int>(source.json["steps"].size()))
    throw UsageError("the lesson has no step " + std::to_string(step + 1));
}

// What a step must take back where it does not have it itself.
constexpr std::array kReset = {"settings", "edits", "decode", "target", "prefix", "selection", "seed"};

// Each step says its whole state, so that steps can change places.
void make_whole(Json& steps) {
  Json before = Json::object();
  std::map<std::string, Json> states;
  for (Json& step : steps) {
    Json state = step.contains("from") ? states[step["from"].get<std::string>()] : before;
    if (step.contains("state"))
      for (const auto& [key, value] : step["state"].items()) {
        if (key == "model" && state.contains("model") && state["model"] != value)
          for (const char* gone : kReset) state.erase(gone);
        if (value.is_null())
          state.erase(key);
        else
          state[key] = value;
      }
    step.erase("from");
    if (!state.empty()) {
      step["state"] = state;
      for (const char* key : kReset)
        if (!state.contains(key)) step["state"][key] = nullptr;
    }
    before = state;
    states[step["id"].get<std::string>()] = state;
  }
}

}  // namespace

std::string record_step(const fs::path& folder, const std::string& title, const RecordedStep& step) {
  LessonFiles source;
  std::error_code error;
  const bool there = is_lesson(folder);
  if (!there && fs::exists(folder, error) && !fs::is_empty(folder, error))
    throw UsageError(folder.string() + " has other files in it: choose an empty folder, or that of a lesson");
  if (there) {
    source = read_source(folder);
  } else {
    source.json = {
        {"headlight_lesson", 1}, {"order", 1}, {"minutes", 10}, {"claims", Json::array()}, {"sources", Json::array()},
        {"steps", Json::array()}};
    for (const auto& [language, words] : step.words)
      source.words[language] = {"# " + (title.empty() ? std::string("A lesson") : title) + "\n\n" +
                                    (title.empty() ? std::string("A lesson") : title) + "\n",
                                {}};
  }
  if (step.words.empty() || trimmed(step.words.begin()->second).empty()) throw UsageError("a step needs words");
  make_whole(steps_of(source));
  std::string id;
  for (int number = static_cast<int>(steps_of(source).size()) + 1;; ++number) {
    id = "step-" + std::to_string(number);
    if (std::ranges::none_of(steps_of(source), [&](const Json& each) { return each["id"] == id; })) break;
  }
  Json made = {{"id", id}, {"kind", "show"}, {"state", state_json(step.state)}};
  for (const char* key : kReset)
    if (!made["state"].contains(key)) made["state"][key] = nullptr;
  if (!step.view.empty()) made["view"] = step.view;
  if (!step.arrangement.empty() && step.arrangement != "look") made["arrangement"] = step.arrangement;
  if (!step.side.empty()) made["side"] = step.side;
  if (!step.below.empty()) made["below"] = step.below;
  if (!step.output.empty() && step.output.size() < 400) {
    std::string quoted;
    for (const char c : step.output) quoted += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
    made["expect"] = {"output == \"" + quoted + "\""};
  }
  steps_of(source).push_back(std::move(made));
  for (auto& [language, words] : source.words) {
    const auto given = step.words.find(language);
    const bool has = given != step.words.end() && !trimmed(given->second).empty();
    words.steps.push_back(has ? given->second : step.words.begin()->second);  // until it is translated
  }
  write_source(folder, source);
  return id;
}

void move_step(const fs::path& folder, int from, int to) {
  LessonFiles source = read_source(folder);
  check(source, from), check(source, to);
  make_whole(steps_of(source));
  const auto moved = [&](auto& list) {
    auto one = std::move(*(list.begin() + from));
    list.erase(list.begin() + from);
    list.insert(list.begin() + to, std::move(one));
  };
  moved(steps_of(source));
  for (auto& [language, words] : source.words) moved(words.steps);
  write_source(folder, source);
}

void remove_step(const fs::path& folder, int step) {
  LessonFiles source = read_source(folder);
  check(source, step);
  make_whole(steps_of(source));
  steps_of(source).erase(steps_of(source).begin() + step);
  for (auto& [language, words] : source.words) words.steps.erase(words.steps.begin() + step);
  write_source(folder, source);
}

std::string step_words(const fs::path& folder, int step, const std::string& language) {
  const LessonFiles source = read_source(folder);
  check(source, step);
  const auto found = source.words.find(language);
  return found == source.words.end() ? "" : trimmed(found->second.steps[static_cast<std::size_t>(step)]);
}

void set_step_words(const fs::path& folder, int step, const std::string& language, const std::string& text) {
  LessonFiles source = read_source(folder);
  check(source, step);
  if (std::ranges::find(kLessonLanguages, language) == kLessonLanguages.end())
    throw UsageError("lessons are in en or zh_CN");
  // A new language begins as a copy of the first.
  if (!source.words.contains(language)) source.words[language] = source.words.begin()->second;
  source.words[language].steps[static_cast<std::size_t>(step)] = text;
  write_source(folder, source);
}

}  // namespace headlight
