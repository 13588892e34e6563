#include "app/lessons/lesson_check.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/lessons/lesson_list.h"
#include "app/lessons/lesson_translation.h"
#include "model/recording/presets.h"
#include "model/text/nearest.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

class Checker {
 public:
  Checker(LessonRuns& runs, const ViewProblem& view_problem, const std::string& language)
      : runs_(runs), view_problem_(view_problem), language_(language) {}

  LessonReport check() {
    report_.steps = static_cast<int>(runs_.lesson().steps.size());
    for (step_ = 0; step_ < report_.steps; ++step_) {
      runs_.cancel().check();
      tried([&] { check_step(); });
    }
    check_words();
    check_translations();
    return std::move(report_);
  }

 private:
  const LessonStep& step() const { return runs_.lesson().steps[static_cast<std::size_t>(step_)]; }

  void say(const std::string& what) {
    report_.problems.push_back("step " + std::to_string(step_ + 1) + " (" + step().id + "): " + what);
  }
  template <class Work>
  void tried(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      say(error.what());
    }
  }

  void check_step() {
    const ExpressionScope scope = runs_.scope(step_);
    check_views(scope);
    if (step().kind == LessonStep::Kind::chart) tried([&] { runs_.measure(step_); });
    check_conditions(step().expect, scope);
    ExpressionScope revealed = scope;
    if (step().asks()) {
      tried([&] { revealed.answer = true_answer(runs_, step_); });
      if (!step().closed.empty())
        tried([&] {
          if (step().closed.places(scope, runs_.cancel()).of == Places::Of::cells)
            say("'closed' names neither steps nor tokens");
        });
    }
    if (step().kind == LessonStep::Kind::act) check_solution(scope, revealed);
    if (step().trains()) {
      tried([&] { runs_.training_before(step_); });
      tried([&] {
        if (!step().training.preset.empty()) find_preset(step().training.preset);
      });
    }
    if (!step().select.empty())
      tried([&] {
        const ExpressionValue value = step().select.evaluate(scope, runs_.cancel());
        if (!std::holds_alternative<Places>(value) && !std::holds_alternative<LinkTarget>(value))
          say("'select' names no place");
      });
    if (!step().spotlight.empty()) tried([&] { check_target(step().spotlight, revealed); });
    for (const NamedExpression& each : step().values)
      tried([&] { each.expression.evaluate(revealed, runs_.cancel()); });
  }

  void check_views(const ExpressionScope& scope) {
    if (!step().view.empty()) check_view(step().view, scope);
    for (const auto* panels : {&step().side, &step().below})
      for (const std::string& each : *panels)
        if (!each.empty()) check_view(each, scope);
  }

  void check_view(const std::string& view, const ExpressionScope& scope) {
    if (const std::string problem = view_problem_(view, scope.run.get()); !problem.empty()) say(problem);
  }

  void check_conditions(const std::vector<Expectation>& all, const ExpressionScope& scope) {
    for (const Expectation& each : all) {
      const Checked checked = check_condition(each.that, scope, runs_.cancel());
      if (checked.outcome == Checked::Outcome::holds) {
        ++report_.conditions;
      } else {
        say("\"" + each.that.text() + "\" does not hold" + (checked.found.empty() ? "" : ": " + checked.found));
      }
    }
  }

  void check_solution(const ExpressionScope& scope, ExpressionScope& revealed) {
    tried([&] {
      if (step().done.holds(scope, runs_.cancel())) say("\"" + step().done.text() + "\" is done already");
    });
    const ExpressionScope solved = runs_.solved(step_);
    if (const Checked checked = check_condition(step().done, solved, runs_.cancel());
        checked.outcome != Checked::Outcome::holds)
      say("the solution does not bring about \"" + step().done.text() + "\"" +
          (checked.found.empty() ? "" : ": " + checked.found));
    else
      ++report_.conditions;
    check_conditions(step().then, solved);
    revealed = solved;
  }

  void check_target(const Expression& expression, const ExpressionScope& scope) {
    const ExpressionValue value = expression.evaluate(scope, runs_.cancel());
    if (const auto* target = std::get_if<LinkTarget>(&value)) {
      if (target->kind == LinkTarget::Kind::view || target->kind == LinkTarget::Kind::panel)
        check_view(target->name, scope);
    } else if (!std::holds_alternative<Places>(value)) {
      say("\"" + expression.text() + "\" names no place");
    }
  }

  void check_words() {
    for (const LessonWords& words : runs_.lesson().words)
      for (step_ = 0; step_ < report_.steps; ++step_) check_words(words, words.steps[static_cast<std::size_t>(step_)]);
  }

  void check_words(const LessonWords& words, const StepWords& here) {
    const std::string at = words.language + ".md: ";
    RichText read = here.text;
    read.insert(read.end(), here.question.begin(), here.question.end());
    using Measured = std::pair<const RichText*, const char*>;
    for (const auto& [text, name] :
         {Measured(&read, "the text with its question"), Measured(&here.reveal, "the reveal")}) {
      if (const std::string problem = length_problem(*text); !problem.empty()) say(at + name + " " + problem);
    }
    ExpressionScope scope;
    try {
      scope = runs_.scope(step_);
    } catch (const Error&) {
      return;  // told already
    }
    const auto links = [&](const RichText& text) {
      for (const TextBlock& block : text)
        for (const TextSpan& span : block.spans)
          if (!span.link.empty()) tried([&] { check_link(span.link, words, block.line, scope); });
    };
    links(here.text), links(here.question);
    for (const RichText& hint : here.hints) links(hint);
    // What stands behind the reveal may speak of what the learner's own run has.
    if (step().solution) tried([&] { scope = runs_.solved(step_); });
    links(here.reveal);
    for (const auto& [name, claim] : here.claims) links(claim);
  }

  // Also a language that the course has, or that was asked for, and the lesson has not.
  void check_translations() {
    const Lesson& lesson = runs_.lesson();
    std::set<std::string> languages;
    const auto add = [&](const std::vector<std::string>& all) { languages.insert(all.begin(), all.end()); };
    add(languages_in(lesson.folder));
    std::error_code error;
    if (const fs::path course = fs::absolute(lesson.folder, error).parent_path();
        fs::exists(course / "course.json", error))
      add(languages_in(course));
    if (!language_.empty()) languages.insert(language_);
    for (const std::string& language : languages)
      for (const TranslationGap& gap : translation_gaps(lesson, language)) {
        step_ = gap.step;
        gap.step < 0 ? report_.problems.push_back(gap.what) : say(gap.what);
      }
  }

  void check_link(const std::string& link, const LessonWords& words, int line, const ExpressionScope& scope) {
    const std::string at = words.language + ".md:" + std::to_string(line) + ": ";
    if (link.starts_with("word:")) {
      const std::vector<GlossaryEntry>& entries = glossary(words.language);
      std::vector<std::string> known;
      for (const GlossaryEntry& entry : entries) known.push_back(entry.id);
      if (std::ranges::find(known, link.substr(5)) == known.end())
        say(at + "the glossary has no word '" + link.substr(5) + "'" + did_you_mean(link.substr(5), known));
    } else if (link.starts_with("lesson:")) {
      load_bundled_lesson(link.substr(7));
    } else if (link.starts_with("step:")) {
      if (runs_.lesson().step(link.substr(5)) < 0) say(at + "there is no step '" + link.substr(5) + "'");
    } else {
      try {
        check_target(Expression(link), scope);
      } catch (const Error& error) {
        say(at + error.what());
      }
    }
  }

  LessonRuns& runs_;
  const ViewProblem& view_problem_;
  const std::string& language_;
  int step_ = 0;
  LessonReport report_;
};

}  // namespace

LessonReport check_lesson(LessonRuns& runs, const ViewProblem& view_problem, const std::string& language) {
  return Checker(runs, view_problem, language).check();
}

Checked check_condition(const Expression& condition, const ExpressionScope& scope, const CancelToken& cancel) {
  try {
    if (condition.holds(scope, cancel)) return {};
    return {Checked::Outcome::fails, condition.sides(scope, cancel)};
  } catch (const NotInThisRun& error) {
    return {Checked::Outcome::absent, error.what()};
  }
}

ExpressionValue true_answer(LessonRuns& runs, int at) {
  const LessonStep& step = runs.lesson().steps[static_cast<std::size_t>(at)];
  const LessonAnswer& answer = step.answer;
  const ExpressionScope scope = runs.scope(at);
  using Kind = LessonAnswer::Kind;
  if (answer.kind == Kind::choice) {
    if (!answer.right.empty()) return answer.right;
    for (const NamedExpression& each : answer.truths)
      if (each.expression.holds(scope, runs.cancel())) return each.name;
    throw UsageError("no choice is true here");
  }
  const ExpressionValue value = answer.truth.evaluate(scope, runs.cancel());
  const auto refuse = [&](const char* expected) {
    throw UsageError("\"" + answer.truth.text() + "\": expected " + expected + ", found " + kind_text(value));
  };
  switch (answer.kind) {
    case Kind::number: {
      const double number = answer.truth.number(scope, runs.cancel());
      if (!(number >= answer.from && number <= answer.to))
        throw UsageError("\"" + answer.truth.text() + "\" is " + value_text(ExpressionValue(number)) + ", outside " +
                         value_text(ExpressionValue(answer.from)) + " to " + value_text(ExpressionValue(answer.to)));
      return number;
    }
    case Kind::text:
      if (!std::holds_alternative<std::string>(value)) refuse("a text");
      break;
    case Kind::tokens:
      if (!std::holds_alternative<Places>(value) ||
          std::get<Places>(value).of != (answer.of_output ? Places::Of::output : Places::Of::source))
        refuse(answer.of_output ? "steps of the output" : "tokens of the source");
      if (std::get<Places>(value).empty()) refuse("at least one place");
      if (!answer.weights.empty()) {
        const ExpressionValue weights = answer.weights.evaluate(scope, runs.cancel());
        const auto* row = std::get_if<NumberList>(&weights);
        if (!row || !row->over_source) throw UsageError("\"" + answer.weights.text() + "\": expected a row of weights");
      }
      break;
    case Kind::cells:
      if (!std::holds_alternative<Places>(value) || std::get<Places>(value).of != Places::Of::cells) refuse("squares");
      break;
    case Kind::weights: {
      if (!std::holds_alternative<NumberList>(value) || !std::get<NumberList>(value).over_source)
        refuse("a row of weights");
      const Places over = answer.over.places(scope, runs.cancel());
      if (over.of != Places::Of::source || over.at.empty() || over.at.size() > 24)
        throw UsageError("\"" + answer.over.text() + "\": expected 1 to 24 tokens of the source");
      break;
    }
    case Kind::curve: {
      const auto* curve = std::get_if<NumberList>(&value);
      const auto is_share = [](double each) { return each >= 0 && each <= 1; };
      if (!curve || curve->values.size() != static_cast<std::size_t>(answer.points) ||
          !std::ranges::all_of(curve->values, is_share))
        refuse(("a list of " + std::to_string(answer.points) + " shares").c_str());
      break;
    }
    case Kind::choice:
      break;
  }
  return value;
}

std::optional<std::string> step_value(const LessonStep& step, const TextSpan& span, const ExpressionScope& scope,
                                      const CancelToken& cancel) {
  const auto found = std::ranges::find(step.values, span.text, &NamedExpression::name);
  if (found == step.values.end()) return {};
  try {
    return value_text(found->expression.evaluate(scope, cancel), span.decimals);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace headlight
