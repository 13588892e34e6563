// The answer of a step, as a lesson's file says it.

#include <algorithm>

#include "app/lessons/lesson_values.h"
#include "model/core/json_library.h"
#include "model/io/json_file.h"
#include "model/text/nearest.h"

namespace headlight {

void LessonValues::read_answer(const Settings& at, LessonAnswer& answer) {
  static const std::vector<std::string> kinds = {"choice", "number", "text", "tokens", "cells", "weights", "curve"};
  using Kind = LessonAnswer::Kind;
  answer.kind = static_cast<Kind>(std::ranges::find(kinds, word(at, "kind", kinds, "?")) - kinds.begin());
  if (answer.kind == Kind::choice) {
    at.allow_only({"kind", "choices", "truth"});
    list(at, "choices", 2, 8);
    answer.choices = names(at, "choices");
    for (std::size_t i = 0; i < answer.choices.size(); ++i)
      if (std::ranges::count(answer.choices, answer.choices[i]) > 1)
        at.fail("choices", "the choice '" + answer.choices[i] + "' is there twice");
    const auto known = [&](const std::string& id) {
      if (std::ranges::find(answer.choices, id) == answer.choices.end())
        at.fail("truth", "there is no choice '" + id.substr(0, 60) + "'" + did_you_mean(id, answer.choices));
    };
    if (at.at("truth").is_string()) {
      known(answer.right = at.text("truth"));
    } else {
      answer.truths = named(at, "truth", 8);
      for (const NamedExpression& each : answer.truths) known(each.name);
      if (answer.truths.empty()) at.fail("truth", "expected a condition for each choice that may be right");
    }
    return;
  }
  answer.truth = parsed(at, "truth", at.text("truth"));
  if (answer.kind == Kind::number) {
    at.allow_only({"kind", "truth", "from", "to", "step", "unit"});
    read_range(at, answer);
    answer.unit = text(at, "unit", 20);
    check_range(at, answer);
  } else if (answer.kind == Kind::text) {
    at.allow_only({"kind", "truth", "length"});
    answer.longest = static_cast<int>(at.integer("length", 1, 200, 40));
  } else if (answer.kind == Kind::tokens) {
    at.allow_only({"kind", "truth", "of", "weights"});
    answer.of_output = word(at, "of", {"source", "output"}, "source") == "output";
    answer.weights = expression(at, "weights");
    if (answer.of_output && !answer.weights.empty()) at.fail("weights", "weights are over tokens of the source");
  } else if (answer.kind == Kind::cells) {
    at.allow_only({"kind", "truth", "most"});
    answer.most = static_cast<int>(at.integer("most", 1, 40, 12));
  } else if (answer.kind == Kind::curve) {
    at.allow_only({"kind", "truth", "points"});
    answer.points =
        static_cast<int>(at.integer("points", LessonAnswer::kLeastPoints, LessonAnswer::kMostPoints, answer.points));
  } else {
    at.allow_only({"kind", "truth", "over"});
    answer.over = parsed(at, "over", at.text("over"));
  }
}

}  // namespace headlight
