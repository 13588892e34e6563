#include "app/lessons/lesson_words.h"

#include <algorithm>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/text/nearest.h"
#include "model/text/utf8.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxTitle = 120;
constexpr TextLength kMostText = {400, 1200};  // of one part; --check wants less

[[noreturn]] void fail(const std::string& file, int line, const std::string& what) {
  throw FormatError(file + ":" + std::to_string(line) + ": " + what);
}

using Part = WordsPart;

RichText text_of(const Part& part, const std::string& file) {
  RichText text = parse_markdown(part.lines, file);
  const TextLength length = length_of(text);
  if (length.words > kMostText.words || length.characters > kMostText.characters)
    fail(file, part.line, "a text of more than 400 words or 1,200 characters");
  return text;
}

// Where it is, and how many bytes it has: a Chinese one does as well.
std::pair<std::size_t, std::size_t> colon_in(const std::string& text) {
  const std::size_t colon = text.find(':'), wide = text.find("：");
  return wide < colon ? std::pair(wide, std::size_t{3}) : std::pair(colon, std::size_t{1});
}

void add_part(const Part& part, const LessonStep& step, StepWords& words, const std::string& file) {
  const auto once = [&](RichText& to) {
    if (!to.empty()) fail(file, part.line, "'### " + part.name + "' is there twice in this step");
    to = text_of(part, file);
    if (to.empty()) fail(file, part.line, "'### " + part.name + "' has no words");
  };
  if (part.name == "question") return once(words.question);
  if (part.name == "reveal") return once(words.reveal);
  if (part.name == "teacher") return once(words.teacher);
  if (part.name == "hint") {
    words.hints.push_back(text_of(part, file));
    if (words.hints.back().empty()) fail(file, part.line, "a hint without words");
    if (words.hints.size() > 5) fail(file, part.line, "expected at most 5 hints");
    return;
  }
  if (part.name.starts_with("claim ")) return once(words.claims[trimmed(part.name.substr(6))]);
  if (part.name == "choices") {
    for (const auto& [id, line] : named_lines(part, file)) {
      if (std::ranges::find(step.answer.choices, id) == step.answer.choices.end())
        fail(file, line.number,
             "lesson.json has no choice '" + id + "' in the step '" + step.id + "'" +
                 did_you_mean(id, step.answer.choices));
      words.choices.push_back({id, parse_markdown({line}, file)});
      if (words.choices.back().words.empty()) fail(file, line.number, "a choice without words");
    }
    return;
  }
  if (part.name == "chart") {
    for (const auto& [id, line] : named_lines(part, file)) words.chart[id] = trimmed(line.text);
    return;
  }
  fail(file, part.line,
       "there is no part '" + part.name.substr(0, 60) + "'" +
           did_you_mean_or("parts: ", part.name,
                           {"question", "choices", "hint", "reveal", "claim NAME", "teacher", "chart"}));
}

// Each choice has its words, in the order of lesson.json; each claim that a condition names is there.
void check_step(const LessonStep& step, StepWords& words, const std::string& file) {
  std::vector<LessonChoice> ordered;
  for (const std::string& id : step.answer.choices) {
    const auto found = std::ranges::find(words.choices, id, &LessonChoice::id);
    if (found == words.choices.end())
      fail(file, words.line, "the step '" + step.id + "' lacks words for the choice '" + id + "'");
    ordered.push_back(*found);
  }
  words.choices = std::move(ordered);
  for (const auto* list : {&step.expect, &step.then})
    for (const Expectation& each : *list)
      if (!each.claim.empty() && !words.claims.contains(each.claim))
        fail(file, words.line, "the step '" + step.id + "' lacks '### claim " + each.claim + "'");
  for (const auto& [name, text] : words.claims) {
    const auto named = [&name](const Expectation& each) { return each.claim == name; };
    if (std::ranges::none_of(step.expect, named) && std::ranges::none_of(step.then, named))
      fail(file, text.empty() ? words.line : text.front().line,
           "no condition of the step '" + step.id + "' names the claim '" + name + "'");
  }
  if (step.asks() && words.question.empty())
    fail(file, words.line, "the step '" + step.id + "' asks: it needs '### question'");
  if (!step.asks() && !words.choices.empty())
    fail(file, words.line, "the step '" + step.id + "' has choices and asks for none");
  if (words.text.empty() && words.question.empty()) fail(file, words.line, "the step '" + step.id + "' has no words");
}

// Names of values that the step lacks.
void check_values(const RichText& text, const LessonStep& step, const std::string& file) {
  for (const TextBlock& block : text)
    for (const TextSpan& span : block.spans) {
      if (!span.value) continue;
      std::vector<std::string> known;
      for (const NamedExpression& each : step.values) known.push_back(each.name);
      if (step.asks()) known.emplace_back("answer");
      if (std::ranges::find(known, span.text) == known.end())
        fail(file, block.line,
             "the step '" + step.id + "' has no value '" + span.text + "'" + did_you_mean(span.text, known));
    }
}

void check_values(const StepWords& words, const LessonStep& step, const std::string& file) {
  for (const RichText* text : {&words.text, &words.question, &words.reveal, &words.teacher})
    check_values(*text, step, file);
  for (const RichText& hint : words.hints) check_values(hint, step, file);
  for (const auto& [name, claim] : words.claims) check_values(claim, step, file);
  for (const LessonChoice& choice : words.choices) check_values(choice.words, step, file);
}

// The title and the sentence behind it.
void read_head(const Part& title, const std::string& file, std::string& name, std::string& summary) {
  if (title.level != 1) fail(file, title.line, "expected '# TITLE' on the first line");
  if (title.name.size() > kMaxTitle) fail(file, title.line, "a title of more than 120 bytes");
  name = title.name;
  const RichText text = text_of(title, file);
  if (text.empty()) fail(file, title.line, "expected a sentence behind the title: what it is about");
  summary = plain_text(text.front());
}

void check_front(const std::vector<Part>& parts, const std::string& file) {
  for (const TextLine& line : parts.front().lines)
    if (!trimmed(line.text).empty()) fail(file, line.number, "expected '# TITLE' first, found other text");
  if (parts.size() < 2) fail(file, 1, "expected '# TITLE', found no heading");
}

}  // namespace

std::vector<WordsPart> parts_of(std::string_view text, const std::string& file) {
  std::vector<WordsPart> parts(1);
  bool fenced = false;
  for (const TextLine& line : lines_of(text)) {
    if (trimmed(line.text) == "```") fenced = !fenced;
    const std::size_t level = line.text.find_first_not_of('#');
    const bool heading = !fenced && level != std::string_view::npos && level >= 1 && line.text[level] == ' ';
    if (!heading) {
      parts.back().lines.push_back(line);
      continue;
    }
    if (level > 3) fail(file, line.number, "expected a heading of one to three '#', found " + std::to_string(level));
    parts.push_back({static_cast<int>(level), trimmed(line.text.substr(level)), line.number, {}});
    if (parts.back().name.empty()) fail(file, line.number, "a heading without words");
  }
  return parts;
}

std::vector<std::pair<std::string, TextLine>> named_lines(const WordsPart& part, const std::string& file) {
  std::vector<std::pair<std::string, TextLine>> found;
  for (const TextLine& line : part.lines) {
    const std::string text = trimmed(line.text);
    if (text.empty()) continue;
    const auto [colon, after] = colon_in(text);
    if (!text.starts_with("- ") || colon == std::string::npos) fail(file, line.number, "expected '- NAME: words'");
    const std::size_t begin = line.text.find(text) + colon + after;
    found.emplace_back(trimmed(text.substr(2, colon - 2)), TextLine{line.text.substr(begin), line.number});
  }
  return found;
}

std::string read_text_in(const fs::path& folder, const std::string& name, std::size_t most) {
  std::error_code error;
  const fs::path path = folder / name;
  if (fs::is_symlink(fs::symlink_status(path, error)))
    throw FormatError(path.string() + ": expected a file, found a link; a lesson is one folder");
  std::string text = read_file(path, most);
  if (!is_utf8(text)) throw FormatError(path.string() + ": expected a text in UTF-8, found other bytes");
  if (text.find('\0') != std::string::npos) throw FormatError(path.string() + ": expected a text, found a zero byte");
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

fs::path folder_in(const fs::path& lesson, const std::string& relative) {
  const auto refuse = [&](const std::string& why) {
    throw FileError("expected a folder inside the lesson's, found '" + relative.substr(0, 60) + "'" + why);
  };
  fs::path at = lesson;
  std::error_code error;
  const auto check_link = [&](const fs::path& path) {
    if (fs::is_symlink(fs::symlink_status(path, error))) refuse(": " + path.filename().string() + " is a link");
  };
  const fs::path wanted(relative);
  if (wanted.empty() || wanted.is_absolute()) refuse("");
  for (const fs::path& part : wanted) {
    if (part == ".." || part == "." || part.empty()) refuse("");
    check_link(at /= part);
  }
  if (fs::exists(at, error) && !fs::is_directory(at, error)) refuse(", a file");
  for (fs::directory_iterator each(at, error), end; !error && each != end; each.increment(error))
    check_link(each->path());
  return at;
}

LessonWords read_words(const fs::path& folder, const std::string& language, const Lesson& lesson) {
  LessonWords words;
  words.language = language;
  words.file = (folder / (language + ".md")).string();
  const std::string& file = words.file;
  const std::string text = read_text_in(folder, language + ".md", kMaxWordsBytes);
  const std::vector<Part> parts = parts_of(text, file);
  check_front(parts, file);
  read_head(parts[1], file, words.title, words.summary);
  words.steps.resize(lesson.steps.size());
  int at = -1;
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const Part& part = parts[i];
    if (part.level == 1) fail(file, part.line, "'# TITLE' is there twice");
    if (part.level == 2) {
      const int found = lesson.step(part.name);
      if (found < 0) {
        std::vector<std::string> known;
        for (const LessonStep& step : lesson.steps) known.push_back(step.id);
        fail(file, part.line,
             "lesson.json has no step '" + part.name.substr(0, 60) + "'" + did_you_mean(part.name, known));
      }
      if (found != at + 1)
        fail(file, part.line,
             "expected the step '" +
                 (at + 1 < static_cast<int>(lesson.steps.size()) ? lesson.steps[static_cast<std::size_t>(at + 1)].id
                                                                 : std::string("(none)")) +
                 "' here, in the order of lesson.json, found '" + part.name + "'");
      at = found;
      words.steps[static_cast<std::size_t>(at)].line = part.line;
      words.steps[static_cast<std::size_t>(at)].text = text_of(part, file);
    } else if (at < 0) {
      if (part.name != "teacher" || !words.teacher.empty())
        fail(file, part.line,
             "expected '### teacher', once, or '## STEP' here, found '" + part.name.substr(0, 60) + "'");
      words.teacher = text_of(part, file);
    } else {
      add_part(part, lesson.steps[static_cast<std::size_t>(at)], words.steps[static_cast<std::size_t>(at)], file);
    }
  }
  if (at + 1 < static_cast<int>(lesson.steps.size()))
    fail(file, parts.back().line,
         "the words of the step '" + lesson.steps[static_cast<std::size_t>(at + 1)].id + "' are missing");
  for (std::size_t i = 0; i < words.steps.size(); ++i) {
    check_step(lesson.steps[i], words.steps[i], file);
    check_values(words.steps[i], lesson.steps[i], file);
  }
  return words;
}

TitledText read_titled(const fs::path& folder, const std::string& name) {
  const std::string file = (folder / name).string();
  const std::string text = read_text_in(folder, name, kMaxWordsBytes);
  const std::vector<Part> parts = parts_of(text, file);
  check_front(parts, file);
  TitledText made;
  read_head(parts[1], file, made.title, made.summary);
  for (std::size_t i = 2; i < parts.size(); ++i) {
    made.plan.push_back(words_block(parts[i].name, true));
    const RichText words = text_of(parts[i], file);
    made.plan.insert(made.plan.end(), words.begin(), words.end());
  }
  return made;
}

std::vector<GlossaryEntry> read_glossary(const fs::path& file) {
  const std::string name = file.string();
  const std::string text = read_text_in(file.parent_path(), file.filename().string(), kMaxWordsBytes);
  std::vector<GlossaryEntry> entries;
  for (const Part& part : parts_of(text, name)) {
    if (part.level < 2) continue;
    const auto [colon, after] = colon_in(part.name);
    GlossaryEntry entry;
    entry.id = trimmed(part.name.substr(0, colon));
    if (colon != std::string::npos) entry.title = trimmed(part.name.substr(colon + after));
    if (!is_name(entry.id) || entry.title.empty()) fail(name, part.line, "expected '## id: Title'");
    if (std::ranges::find(entries, entry.id, &GlossaryEntry::id) != entries.end())
      fail(name, part.line, "the word '" + entry.id + "' is there twice");
    entry.text = text_of(part, name);
    if (entry.text.empty()) fail(name, part.line, "the word '" + entry.id + "' has no text");
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace headlight
