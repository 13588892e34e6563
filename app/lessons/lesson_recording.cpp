#include "app/lessons/lesson_recording.h"

#include <algorithm>
#include <functional>

#include "app/lessons/lesson_words.h"
#include "model/core/ascii.h"
#include "model/core/json_library.h"
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
  const auto lesson = read_lesson(folder);  // what is wrong is told with file and line
  LessonFiles source;
  source.json = parse_json(read_text_in(folder, "lesson.json", 1 << 20), (folder / "lesson.json").string());
  for (const LessonWords& there : lesson->words) {
    const std::string& language = there.language;
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
// `before` makes what else it needs, once it is known to open.
void write_source(const fs::path& folder, const LessonFiles& source, const std::function<void()>& before = nullptr) {
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
  if (before) before();
  for (const auto& [name, text] : files) write_file_atomically(folder / name, text);
}

constexpr int kMostBelow = 2;  // folders
constexpr std::size_t kMostFiles = 200;

// The name of a folder in the lesson's; without signs that a path or a terminal takes for something else.
std::string folder_name(const std::string& name) {
  std::string made;
  for (const char c : name)
    made +=
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ? c : '-';
  return made.empty() ? "model" : made.substr(0, 60);
}

// A lesson opens on any machine: a model that is not bundled comes along, as a folder inside the lesson's.
struct BroughtModel {
  std::string inside;  // the name of its folder; empty: nothing comes along
  fs::path from;
  std::vector<fs::path> files;  // to be copied, from there
};

bool has_same_files(const fs::path& folder, const BroughtModel& model) {
  std::error_code error;
  return std::ranges::all_of(model.files, [&](const fs::path& file) {
    return fs::exists(folder / file, error) &&
           fs::file_size(folder / file, error) == fs::file_size(model.from / file, error);
  });
}

BroughtModel bring_model(const fs::path& folder, const fs::path& model, const std::string& name) {
  std::error_code error;
  if (!fs::is_directory(model, error))
    throw UsageError("'" + name +
                     "' cannot be recorded: only models in a folder can, for the lesson takes a copy along");
  BroughtModel made{{}, model, {}};
  std::uintmax_t bytes = 0;
  // Some libraries keep a part in a folder below; a link stands for its file.
  for (fs::recursive_directory_iterator at(model, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with('.') || at.depth() >= kMostBelow) {
      at.disable_recursion_pending();
      continue;
    }
    if (!fs::is_regular_file(at->path(), error)) continue;
    made.files.push_back(at->path().lexically_relative(model));
    bytes += fs::file_size(at->path(), error);
    if (made.files.size() > kMostFiles)
      throw UsageError("'" + name + "' cannot be recorded: its folder has more than 200 files");
  }
  if (bytes > kMaxRecordedModel)
    throw UsageError("'" + name + "' cannot be recorded: its folder has " + bytes_text(bytes) +
                     "; a lesson takes models of at most " + bytes_text(kMaxRecordedModel) + " along");
  const std::string plain = folder_name(name);
  made.inside = plain;
  for (int number = 2; fs::exists(folder / made.inside, error); ++number) {
    if (fs::equivalent(model, folder / made.inside, error) || has_same_files(folder / made.inside, made)) {
      made.files.clear();
      break;
    }
    made.inside = plain + "-" + std::to_string(number);
  }
  return made;
}

void copy_model(const fs::path& folder, const BroughtModel& model) {
  if (model.files.empty()) return;
  for (const fs::path& file : model.files) {
    make_folder((folder / model.inside / file).parent_path());
    write_file_atomically(folder / model.inside / file, read_file(model.from / file, kMaxRecordedModel));
  }
}

Json state_json(const fs::path& folder, const SessionState& state, BroughtModel& brought) {
  const std::string name = state.model.name.toStdString();
  Json model = {{"name", name}};
  if (!is_bundled(state.model)) {
    brought = bring_model(folder, state.model.folder.toStdString(), name);
    model = {{"name", brought.inside}, {"relative", brought.inside}};
  }
  const Json whole = Json::parse(write_session(state, QStringLiteral("/lesson")).toStdString());
  Json made = {{"model", std::move(model)}, {"source", state.source}};
  for (const char* key : {"target", "prefix", "chat"})
    if (whole.contains(key)) made[key] = whole[key];
  for (const char* key : {"settings", "edits"})
    if (!whole[key].empty()) made[key] = whole[key];
  if (!(state.decode == DecodeSettings())) made["decode"] = whole["decode"];
  if (state.seed != 1) made["seed"] = whole["seed"];
  if (!whole["selection"].empty()) made["selection"] = whole["selection"];
  return made;
}

Json answer_json(const RecordedQuestion& question) {
  using Kind = LessonAnswer::Kind;
  static constexpr std::array kNames = {"choice", "number", "text", "tokens", "cells", "weights"};
  Json made = {{"kind", kNames[static_cast<std::size_t>(question.kind)]}};
  if (question.kind == Kind::choice) {
    const std::vector<std::string> ids = choice_ids(static_cast<std::size_t>(std::max(0, question.choices)));
    if (ids.size() < 2 || ids.size() > 8) throw UsageError("a question needs 2 to 8 choices, one a line");
    if (question.right < 0 || question.right >= question.choices)
      throw UsageError("put a star (*) before the choice that is right");
    made["choices"] = ids;
    made["truth"] = ids[static_cast<std::size_t>(question.right)];
    return made;
  }
  made["truth"] = question.truth;
  if (question.kind == Kind::number) {
    made["from"] = question.from;
    made["to"] = question.to;
    made["step"] = question.step;
    if (!question.unit.empty()) made["unit"] = question.unit;
  }
  if (question.kind == Kind::text) made["length"] = 200;
  if (question.kind == Kind::tokens) made["weights"] = question.weights;
  if (question.kind == Kind::weights) made["over"] = question.over;
  return made;
}

Json& steps_of(LessonFiles& source) { return source.json["steps"]; }

void check(const LessonFiles& source, int step) {
  if (step < 0 || step >= static_cast<int>(source.json["steps"].size()))
    throw UsageError("the lesson has no step " + std::to_string(step + 1));
}

// What a step must take back where it does not have it itself.
constexpr std::array kReset = {"settings", "edits", "decode", "target", "prefix", "chat", "selection", "seed"};

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

bool is_bundled(const SessionState::Model& model) {
  const fs::path folder = model.folder.toStdString();
  for (const fs::path& each : bundled_models()) {
    std::error_code error;
    if (each.filename() == model.name.toStdString() && (folder.empty() || fs::equivalent(each, folder, error)))
      return true;
  }
  return false;
}

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
  BroughtModel brought;
  Json made = {{"id", id}, {"kind", "show"}, {"state", state_json(folder, step.state, brought)}};
  if (step.question) {
    made["kind"] = "predict";
    made["answer"] = answer_json(*step.question);
    if (!step.question->closed.empty()) made["closed"] = step.question->closed;
    if (!step.question->spotlight.empty()) made["spotlight"] = step.question->spotlight;
    made["state"].erase("selection");  // it would give the answer away
  }
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
  using Kind = LessonAnswer::Kind;
  if (step.question && !step.question->expect.empty() &&
      (step.question->kind == Kind::tokens || step.question->kind == Kind::weights))
    made["expect"].push_back(step.question->expect);
  steps_of(source).push_back(std::move(made));
  for (auto& [language, words] : source.words) {
    const auto given = step.words.find(language);
    const bool has = given != step.words.end() && !trimmed(given->second).empty();
    words.steps.push_back(has ? given->second : step.words.begin()->second);  // until it is translated
  }
  write_source(folder, source, [&] { copy_model(folder, brought); });
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

LessonTexts remove_step(const fs::path& folder, int step) {
  LessonFiles source = read_source(folder);
  check(source, step);
  LessonTexts before = files_of(source);
  make_whole(steps_of(source));
  steps_of(source).erase(steps_of(source).begin() + step);
  for (auto& [language, words] : source.words) words.steps.erase(words.steps.begin() + step);
  write_source(folder, source);
  return before;
}

void put_back(const fs::path& folder, const LessonTexts& before) {
  for (const auto& [name, text] : before) write_file_atomically(folder / name, text);
}

std::string lesson_title(const fs::path& folder, const std::string& language) {
  const auto lesson = read_lesson(folder);
  for (const LessonWords& words : lesson->words)
    if (words.language == language) return words.title;
  return {};
}

void set_lesson_title(const fs::path& folder, const std::string& language, const std::string& title) {
  LessonFiles source = read_source(folder);
  const auto found = source.words.find(language);
  if (found == source.words.end() || trimmed(title).empty()) return;
  std::string& head = found->second.head;
  const std::size_t end = std::min(head.find('\n'), head.size());
  const std::string old = trimmed(head.substr(2, end - 2));
  std::string rest = trimmed(head.substr(end));
  if (rest == old || rest.starts_with(old + "\n")) rest = trimmed(title) + rest.substr(old.size());  // no sentence yet
  head = "# " + trimmed(title) + "\n\n" + rest + "\n";
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
  if (!is_language(language)) throw UsageError("'" + language + "' is no language, like en or zh_CN");
  // A new language begins as a copy of the first.
  if (!source.words.contains(language)) source.words[language] = source.words.begin()->second;
  source.words[language].steps[static_cast<std::size_t>(step)] = text;
  write_source(folder, source);
}

}  // namespace headlight
