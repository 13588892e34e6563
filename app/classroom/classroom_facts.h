// What a step of the open lesson needs: computed beside the window, for the files of the classroom alone.
#pragma once

#include <QList>
#include <QRect>

#include "app/classroom/classroom.h"
#include "app/lessons/lesson_check.h"
#include "widgets/base/selection.h"

namespace headlight {

using FoundConditions = std::vector<std::pair<const Expectation*, Checked>>;

struct Classroom::Facts {
  int step = 0;
  std::shared_ptr<const Document> document;
  SelectionState selection;
  std::optional<ExpressionValue> truth, spot, select;
  Places closed;
  std::vector<int> later;     // steps of the output that a later step of the lesson asks for, in the same run
  bool tells_output = false;  // what was written is what the page is about: its light, or a link, is on the output
  Values values;
  FoundConditions failed;
  AnswerFacts answers;
  std::shared_ptr<const ShownTraining> training, training_before;  // of a step that shows one, or leaves it there
  QString output;
  QString problem;
};

// What a chart step measured: kept while the lesson is open.
struct Classroom::Measured {
  ChartResult chart;
  QString note;  // where it comes from
  Values values;
  FoundConditions failed;
};

// In the middle of the first screen that `taken` does not touch, no larger than that; null: there is none.
QRect place_beside(const QList<QRect>& screens, const QRect& taken, QSize size);

// The values of a step that are known in this scope.
std::map<std::string, ExpressionValue> values_in(const LessonStep& step, const ExpressionScope& scope,
                                                 const CancelToken& cancel);
// What does not hold. `of_chart`: of the conditions that ask for its values, else of the others: a chart is there
// later.
FoundConditions failing_in(const LessonStep& step, const ExpressionScope& scope, bool of_chart,
                           const CancelToken& cancel);

// What a condition says in the learner's language.
QString claim_text(const Expectation& each, const StepWords& words);

}  // namespace headlight
