// Playing a lesson without a window: every condition, every name, every answer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/lessons/lesson_runs.h"

namespace headlight {

struct LessonReport {
  int steps = 0, conditions = 0;      // that hold
  std::vector<std::string> problems;  // "step 3 (month): ..."; empty: all is well
  bool ok() const { return problems.empty(); }
};

// Whether a picture or a panel is one, and whether this run has something for it: what is wrong, or nothing.
using ViewProblem = std::function<std::string(const std::string& view, const AnalysedRun* run)>;

// Also what is measured live, and what a language lacks beside English; `language`: one that has to be there. Throws
// Cancelled.
LessonReport check_lesson(LessonRuns& runs, const ViewProblem& view_problem, const std::string& language = {});

// What an answer has to be, for this step: the truth in the answer's own terms. Throws Error.
ExpressionValue true_answer(LessonRuns& runs, int step);

// One condition of a step: whether it holds here, and what was found where it does not.
struct Checked {
  enum class Outcome { holds, fails, absent } outcome = Outcome::holds;
  std::string found;  // both sides, or why it cannot be asked
};
Checked check_condition(const Expression& condition, const ExpressionScope& scope, const CancelToken& cancel = {});

// {name} of a text in this scope; nothing where the value needs an answer that was not given.
std::optional<std::string> step_value(const LessonStep& step, const TextSpan& span, const ExpressionScope& scope,
                                      const CancelToken& cancel = {});

}  // namespace headlight
