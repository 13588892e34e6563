// A question that is recorded: what is asked about is what is chosen in the window.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "widgets/base/selection.h"

namespace headlight {

struct Result;

struct RecordedQuestion {
  LessonAnswer::Kind kind = LessonAnswer::Kind::choice;
  int choices = 0, right = 0;  // of a choice
  std::string truth;           // an expression, of all others
  std::string weights, over;   // of tokens, of a drawn row
  double from = 0, to = 100, step = 1;
  std::string unit;       // of a number
  std::string closed;     // rows of the picture that wait for the answer; empty: none
  std::string row;        // the chosen row of weights; empty: none
  std::string spotlight;  // what lights up at the reveal; empty: nothing
  std::string expect;     // what is seen in that row: --check notices an answer key of another row or head
};

// Throws UsageError that says what has to be chosen first.
RecordedQuestion question_about(LessonAnswer::Kind kind, const Result& result, const SelectionState& chosen);

// The words of a step, as a person types them.
struct StepParts {
  std::string text, question, reveal;
  std::vector<std::string> choices;  // of a choice, in their order
  int right = -1;                    // the choice that was marked with a star; -1: none
  std::string rest;                  // hints, claims and what else stands in the file
};
// `ids`: of the choices.
std::string markdown_of(const StepParts& parts, const std::vector<std::string>& ids);
StepParts parts_of_markdown(const std::string& markdown);
// What is not translated yet stands there in the other language.
StepParts filled_from(StepParts parts, const StepParts& other);
// "c1", "c2", ...
std::vector<std::string> choice_ids(std::size_t count);

}  // namespace headlight
