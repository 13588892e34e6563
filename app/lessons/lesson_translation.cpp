#include "app/lessons/lesson_translation.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/lessons/lesson_words.h"
#include "model/core/ascii.h"
#include "model/core/errors.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr int kMostWords = 100, kMostCharacters = 170;  // a little more than docs/lessons.md asks for
constexpr int kLongText = 8;                            // words: from here on two languages do not say the same

// What a part says, as far as it can be compared with the same part in another language.
struct PartFacts {
  std::set<std::string> values, names;  // {value}; ids of choices, series of a chart
  std::string plain;
  RichText text;
  bool empty() const { return plain.empty() && names.empty(); }
};

struct NamedPart {
  std::string step, name;  // step empty: in front of the first one; name empty: the step's own text
  int line = 0;
  PartFacts facts;
};

std::string problem_of(const Error& error, const std::string& file) {
  const std::string what = error.what();
  const std::string folder = fs::path(file).parent_path().string() + "/";
  return what.starts_with(folder) ? what.substr(folder.size()) : what;
}

PartFacts facts_of(const WordsPart& part, const std::string& file) {
  PartFacts facts;
  const auto take = [&](const RichText& text) {
    for (const TextBlock& block : text)
      for (const TextSpan& span : block.spans)
        if (span.value) facts.values.insert(span.text);
    facts.plain += plain_text(text);
    facts.text.insert(facts.text.end(), text.begin(), text.end());
  };
  if (part.level == 3 && (part.name == "choices" || part.name == "chart")) {
    for (const auto& [name, line] : named_lines(part, file)) {
      facts.names.insert(name);
      take(parse_markdown({line}, file));
    }
  } else {
    take(parse_markdown(part.lines, file));
  }
  return facts;
}

// Of a whole file; what is wrong in a part is told, and the others are looked at all the same.
std::vector<NamedPart> named_parts(const fs::path& path, std::vector<std::string>& faults) {
  std::vector<NamedPart> found;
  const std::string file = path.string();
  std::string text;
  std::map<std::string, int> hints;  // of a step
  std::string step;
  try {
    text = read_text_in(path.parent_path(), path.filename().string(), kMaxWordsBytes);
    for (const WordsPart& part : parts_of(text, file)) {
      if (part.level < 2) continue;
      if (part.level == 2) step = part.name;
      NamedPart made{step, part.level == 2 ? std::string() : part.name, part.line, {}};
      if (made.name == "hint" && ++hints[step] > 1) made.name += " " + std::to_string(hints[step]);
      try {
        made.facts = facts_of(part, file);
      } catch (const Error& error) {
        faults.push_back(problem_of(error, file));
        continue;
      }
      found.push_back(std::move(made));
    }
  } catch (const Error& error) {
    faults.push_back(problem_of(error, file));
  }
  return found;
}

std::string part_title(const std::string& name) { return name.empty() ? "its text" : "'### " + name + "'"; }

class Comparison {
 public:
  Comparison(const Lesson& lesson, std::string language)
      : lesson_(lesson), file_(std::move(language) + ".md"), path_(lesson.folder / file_) {}

  std::vector<TranslationGap> gaps(const fs::path& from) {
    std::error_code error;
    if (!fs::exists(path_, error)) {
      say(-1, file_ + ": missing; copy " + from.filename().string() + " to it, and translate that");
      return std::move(gaps_);
    }
    std::vector<std::string> faults, ignored;
    theirs_ = named_parts(from, ignored);
    mine_ = named_parts(path_, faults);
    for (const std::string& fault : faults) say(-1, fault);
    for (const NamedPart& each : theirs_) compare(each);
    for (const NamedPart& each : mine_)
      if (each.name.empty() && lesson_.step(each.step) < 0)
        say(-1, file_ + ":" + std::to_string(each.line) + ": lesson.json has no step '" + each.step + "'");
    check_lengths();
    // What is wrong in another way than by what is not there.
    if (const auto found = lesson_.unread.find(path_.stem().string()); gaps_.empty() && found != lesson_.unread.end())
      say(-1, found->second);
    return std::move(gaps_);
  }

 private:
  void say(int step, const std::string& what) { gaps_.push_back({step, what}); }
  const NamedPart* find(const std::string& step, const std::string& name) const {
    const auto found =
        std::ranges::find_if(mine_, [&](const NamedPart& each) { return each.step == step && each.name == name; });
    return found == mine_.end() ? nullptr : &*found;
  }

  void compare(const NamedPart& wanted) {
    const int step = lesson_.step(wanted.step);
    if (!wanted.step.empty() && !find(wanted.step, "")) {
      if (wanted.name.empty()) say(step, file_ + ": the step is missing");
      return;
    }
    if (wanted.facts.empty()) return;
    const NamedPart* mine = find(wanted.step, wanted.name);
    const std::string title = part_title(wanted.name);
    if (!mine) return say(step, file_ + ": " + title + " is missing");
    const std::string at = file_ + ":" + std::to_string(mine->line) + ": ";
    if (mine->facts.empty()) return say(step, at + title + " has no words");
    const auto lacks = [&](const std::set<std::string>& all, const std::set<std::string>& there, const char* open,
                           const char* close) {
      for (const std::string& each : all)
        if (!there.contains(each)) say(step, at + title + " lacks " + open + each + close);
    };
    lacks(wanted.facts.names, mine->facts.names, "'- ", ":'");
    lacks(wanted.facts.values, mine->facts.values, "the value {", "}");
    if (mine->facts.plain == wanted.facts.plain && length_of(wanted.facts.text).words >= kLongText)
      say(step, at + title + " is not translated yet");
  }

  // Of what the lesson does not hold, for it could not be read; --check measures the rest.
  void check_lengths() {
    if (!lesson_.unread.contains(path_.stem().string())) return;
    for (const NamedPart& each : mine_) {
      RichText text = each.facts.text;
      if (!each.name.empty() && each.name != "reveal") continue;
      if (const NamedPart* question = each.name.empty() ? find(each.step, "question") : nullptr)
        text.insert(text.end(), question->facts.text.begin(), question->facts.text.end());
      if (const std::string problem = length_problem(text); !problem.empty())
        say(lesson_.step(each.step), file_ + ":" + std::to_string(each.line) + ": " + problem);
    }
  }

  const Lesson& lesson_;
  std::string file_;
  fs::path path_;
  std::vector<NamedPart> theirs_, mine_;
  std::vector<TranslationGap> gaps_;
};

std::string missing_file(const fs::path& folder, const std::string& language) {
  return folder.filename().string() + "/" + language + ".md: missing; copy " + kLessonLanguages[0] +
         ".md to it, and translate that";
}

}  // namespace

std::string length_problem(const RichText& text) {
  const TextLength length = length_of(text);
  if (length.words > kMostWords && length.characters == 0)
    return "has " + std::to_string(length.words) + " words; expected at most 90";
  if (length.characters > kMostCharacters)
    return "has " + std::to_string(length.characters) + " characters; expected at most 150";
  return {};
}

std::vector<TranslationGap> translation_gaps(const Lesson& lesson, const std::string& language) {
  const LessonWords& from = lesson.in(kLessonLanguages[0]);
  if (from.language == language) return {};
  return Comparison(lesson, language).gaps(from.file);
}

std::vector<std::string> course_gaps(const fs::path& folder, const std::string& language) {
  std::error_code error;
  const fs::path from = folder / (std::string(kLessonLanguages[0]) + ".md"), file = folder / (language + ".md");
  if (!fs::exists(from, error) || from == file) return {};
  if (!fs::exists(file, error)) return {missing_file(folder, language)};
  try {
    read_titled(folder, language + ".md");
  } catch (const Error& problem) {
    return {problem.what()};
  }
  // Its headings are words as well: they can only be counted.
  const auto sections = [](const fs::path& path) {
    std::vector<std::string> ignored;
    return named_parts(path, ignored).size();
  };
  if (const std::size_t mine = sections(file), theirs = sections(from); mine < theirs)
    return {file.string() + ": has " + std::to_string(mine) + " of " + std::to_string(theirs) + " sections"};
  return {};
}

std::vector<std::string> glossary_gaps(const fs::path& folder, const std::string& language) {
  std::error_code error;
  const fs::path from = folder / (std::string(kLessonLanguages[0]) + ".md"), file = folder / (language + ".md");
  if (!fs::exists(from, error) || from == file) return {};
  if (!fs::exists(file, error)) return {missing_file(folder, language)};
  std::vector<std::string> gaps;
  try {
    const std::vector<GlossaryEntry> mine = read_glossary(file);
    for (const GlossaryEntry& each : read_glossary(from))
      if (std::ranges::find(mine, each.id, &GlossaryEntry::id) == mine.end())
        gaps.push_back(file.string() + ": the word '" + each.id + "' is missing");
  } catch (const Error& problem) {
    gaps.emplace_back(problem.what());
  }
  return gaps;
}

}  // namespace headlight
