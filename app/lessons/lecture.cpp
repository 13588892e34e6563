#include "app/lessons/lecture.h"

#include <algorithm>
#include <numeric>

#include "app/lessons/json_lines.h"
#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_recording.h"
#include "app/lessons/lesson_values.h"
#include "app/lessons/lesson_words.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxLectureBytes = 4 << 20, kMaxEntries = 100, kLongestTitle = 200, kLongestWords = 4000;
constexpr JsonLimits kLectureLimits{.depth = 32, .keys = 100'000, .values = 400'000};
constexpr int kDay = 24 * 60;

bool is_bundled_name(const std::string& name) {
  return std::ranges::any_of(bundled_models(), [&](const fs::path& each) { return each.filename() == name; });
}

// Markdown for one step: values need a lesson's file, which names them.
RichText own_words(const std::string& words, const std::string& file) {
  RichText text = parse_markdown(lines_of(words), file);
  for (const TextBlock& block : text)
    for (const TextSpan& span : block.spans)
      if (span.value) throw FormatError(file + ": a step of one's own has no values, found '{" + span.text + "}'");
  return text;
}

// "10:15"
std::optional<int> time_of_day(const Settings& at, const char* key) {
  if (!at.has(key)) return std::nullopt;
  const std::string text = at.text(key);
  const auto digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  if (text.size() == 5 && text[2] == ':' && digit(0) && digit(1) && digit(3) && digit(4)) {
    const int hours = std::stoi(text.substr(0, 2)), minutes = std::stoi(text.substr(3));
    if (hours < 24 && minutes < 60) return 60 * hours + minutes;
  }
  at.fail(key, "expected a time such as \"10:15\"");
}

std::string clock_text(int minutes) {
  const auto two = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return two(minutes / 60) + ":" + two(minutes % 60);
}

LectureEntry read_entry(const Json& json, const std::string& file, const std::string& where) {
  const Settings at(json, file, where);
  LectureEntry entry;
  entry.minutes = static_cast<int>(at.integer("minutes", 1, 240, entry.minutes));
  if (at.has("lesson")) {
    at.allow_only({"lesson", "minutes"});
    entry.lesson = LessonValues::text(at, "lesson", 4096);
    if (entry.lesson.empty()) at.fail("lesson", "expected the name or the folder of a lesson");
    return entry;
  }
  at.allow_only({"title", "words", "state", "view", "minutes"});
  entry.title = LessonValues::text(at, "title", kLongestTitle);
  if (entry.title.empty()) at.fail("title", "expected a title, or 'lesson'");
  entry.words = LessonValues::text(at, "words", kLongestWords);
  entry.view = LessonValues::text(at, "view", 40);
  own_words(entry.words, file);
  if (!at.has("state")) return entry;
  entry.state = session_of(at.at("state"), file, where + ".state");
  SessionState::Model& model = entry.state->model;
  const std::string relative = bytes_of(model.relative);
  if (relative.empty() || relative.starts_with("..")) {
    model.relative.clear();
    if (!is_bundled_name(bytes_of(model.name)))
      at.fail("state.model", "expected a model that comes with the program, or one in the folder of this file");
  } else {
    try {
      folder_in(fs::path(file).parent_path(), relative);
    } catch (const FileError& error) {
      at.fail("state.model.relative", error.what());
    }
  }
  model.folder.clear();
  return entry;
}

Json entry_json(const LectureEntry& entry, const fs::path& file) {
  Json json = Json::object();
  if (!entry.lesson.empty()) {
    std::error_code error;
    const bool folder = fs::is_directory(entry.lesson, error);
    json["lesson"] = folder ? "./" + fs::relative(entry.lesson, file.parent_path(), error).string() : entry.lesson;
  } else {
    json["title"] = entry.title;
    if (!entry.words.empty()) json["words"] = entry.words;
    if (entry.state) {
      Json state = Json::parse(write_session(*entry.state, path_text(file)).toStdString());
      const std::string name = bytes_of(entry.state->model.name);
      if (!is_bundled(entry.state->model) && state["model"]["relative"].get<std::string>().starts_with(".."))
        throw UsageError("the step '" + entry.title + "' shows the model '" + name +
                         "', which does not come with the program: save the list in a folder that holds the model");
      state["model"]["folder"] = "";  // of this machine
      state["window"] = Json::object();
      json["state"] = std::move(state);
    }
    if (!entry.view.empty()) json["view"] = entry.view;
  }
  json["minutes"] = entry.minutes;
  return json;
}

}  // namespace

int Lecture::minutes() const {
  return std::accumulate(entries.begin(), entries.end(), 0,
                         [](int sum, const LectureEntry& each) { return sum + each.minutes; });
}

std::optional<int> Lecture::begins_at(int entry) const {
  if (!begins) return std::nullopt;
  int at = *begins;
  for (int i = 0; i < entry; ++i) at += entries[static_cast<std::size_t>(i)].minutes;
  return at % kDay;
}

bool is_lecture(const fs::path& file) { return file.extension() == std::string(".") + kLectureSuffix; }

Lecture read_lecture(const fs::path& path) {
  const fs::path file = fs::absolute(path);
  const std::string name = file.string(), text = read_file(file, kMaxLectureBytes);
  try {
    const Json json = parse_json(text, name, kLectureLimits);
    const Settings all(json, name);
    if (!all.has("headlight_lecture")) all.fail("headlight_lecture", "missing; this is no lecture list of Headlight");
    if (all.integer("headlight_lecture", 1, 1'000'000) > kLectureVersion)
      all.fail("headlight_lecture", "this list was made by a newer Headlight");
    all.allow_only({"headlight_lecture", "title", "begins", "entries"});
    Lecture lecture{LessonValues::text(all, "title", kLongestTitle), time_of_day(all, "begins"), {}};
    const Json& entries = LessonValues::list(all, "entries", 0, kMaxEntries);
    for (std::size_t i = 0; i < entries.size(); ++i)
      lecture.entries.push_back(read_entry(entries[i], name, "entries[" + std::to_string(i) + "]"));
    return lecture;
  } catch (const FormatError& found) {
    throw FormatError(with_line(found.what(), name, text));
  }
}

void write_lecture(const Lecture& lecture, const fs::path& path) {
  const fs::path file = fs::absolute(path);
  Json json = {{"headlight_lecture", kLectureVersion}, {"title", lecture.title}};
  if (lecture.begins) json["begins"] = clock_text(*lecture.begins);
  json["entries"] = Json::array();
  for (const LectureEntry& entry : lecture.entries) json["entries"].push_back(entry_json(entry, file));
  write_file_atomically(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::shared_ptr<const Lesson> lesson_of(const LectureEntry& entry, const fs::path& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  if (!entry.lesson.empty())
    return entry.lesson.starts_with(".") ? read_lesson(folder / entry.lesson) : load_lesson(entry.lesson);
  auto lesson = std::make_shared<Lesson>();
  lesson->folder = folder;
  lesson->name = entry.title;
  lesson->minutes = entry.minutes;
  lesson->sources["en"];  // none
  LessonStep step;
  step.id = "own";
  step.kind = entry.state ? LessonStep::Kind::show : LessonStep::Kind::card;
  step.state = entry.state;
  step.view = entry.view;
  lesson->steps.push_back(std::move(step));
  LessonWords words{"en", file.string(), entry.title, {}, {}, {}};
  words.steps.emplace_back();
  words.steps.back().text =
      entry.words.empty() ? RichText{words_block(entry.title)} : own_words(entry.words, file.string());
  lesson->words.push_back(std::move(words));
  return lesson;
}

}  // namespace headlight
