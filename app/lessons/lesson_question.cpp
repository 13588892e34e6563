#include "app/lessons/lesson_question.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/analysis/attention_maps.h"
#include "model/core/ascii.h"
#include "model/decode/run.h"
#include "model/trace/trace.h"

namespace headlight {

namespace {

constexpr long kMostBars = 24;

std::string call(const char* function, int place) { return std::string(function) + "(" + std::to_string(place) + ")"; }

// The chosen number by its place on every axis: ("site", 0, 2).
std::string named_number(const Result& result, const SelectionState& chosen) {
  if (*chosen.entry < 0 || *chosen.entry >= result.trace->size())
    throw UsageError("choose a number of the window first");
  const TraceEntry& entry = (*result.trace)[*chosen.entry];
  const Tensor value = result.trace->value(entry.site.text);
  Index cell = *chosen.cell;
  if (!value || cell < 0 || cell >= value.size()) throw UsageError("choose a number of the window first");
  std::vector<Index> places(static_cast<std::size_t>(value.rank()));
  for (int axis = value.rank() - 1; axis >= 0; --axis) {
    places[static_cast<std::size_t>(axis)] = cell % value.dim(axis);
    cell /= value.dim(axis);
  }
  std::string made = "(\"" + entry.site.text + "\"";
  for (const Index place : places) made += ", " + std::to_string(place);
  return made + ")";
}

void ask_number(RecordedQuestion& made, const Result& result, const SelectionState& chosen) {
  std::string truth;
  double now = 0;
  bool is_share = true;
  if (result.trace && chosen.entry && chosen.cell) {
    truth = "value" + named_number(result, chosen);
    const std::string& site = (*result.trace)[*chosen.entry].site.text;
    now = static_cast<double>(result.trace->value(site)[*chosen.cell]);
    is_share = (site.ends_with("weights") || site.ends_with("probs")) && now >= 0 && now <= 1;
  } else if (chosen.step)
    truth = call("probability", *chosen.step);
  else
    throw UsageError("choose a number of the window first, or a row: then it is asked how sure the model is there");
  if (is_share) {
    made.truth = "round(100 * " + truth + ", 0)";
    made.unit = "%";
    return;
  }
  // Wide enough to say nothing of the answer.
  const double wide = std::max(1.0, std::pow(10.0, std::ceil(std::log10(std::max(2 * std::abs(now), 0.1)))));
  made.from = -wide;
  made.to = wide;
  made.step = wide / 100;
  made.truth = truth;
}

// What the teacher sees in this row now: a condition that holds of that row and head, and of hardly any other.
std::string seen_in(const AttentionMap& map, Index head, Index row, const std::string& expression) {
  Index best = 0;
  for (Index column = 1; column < map.column_count(); ++column)
    if (map.weight(head, row, column) > map.weight(head, row, best)) best = column;
  const AttentionToken& token = map.columns[static_cast<std::size_t>(best)];
  char number[32];
  std::snprintf(number, sizeof number, "%.4f", static_cast<double>(map.weight(head, row, best)));
  std::string made = "abs(max(" + expression + ") - " + number + ") < 0.005";
  if (token.token >= 0 && !token.padding && token.tokens == 1)
    made += " and argmax(" + expression + ") in " + call("reads", token.token);
  return made;
}

// Where tokens look at tokens, a row is that of a token in the head whose square is chosen.
bool ask_about_token(RecordedQuestion& made, const Result& result, const SelectionState& chosen) {
  if (chosen.step || !chosen.entry || !chosen.cell || !result.trace) return false;
  for (const AttentionMap& map : attention_maps(result)) {
    Index head = 0, row = 0, column = 0;
    if (!map.is_self() || !map.find(*chosen.entry, *chosen.cell, &head, &row, &column)) continue;
    const int token = map.rows[static_cast<std::size_t>(row)].token;
    if (token < 0) continue;
    made.closed = call("reads", token);
    made.row =
        "row(" + made.closed + ", " + std::to_string(std::max<Index>(0, map.layer)) + ", " + std::to_string(head) + ")";
    made.spotlight = "site" + named_number(result, chosen);
    made.expect = seen_in(map, head, row, made.row);
    return true;
  }
  return false;
}

// The row as the window shows it: of one layer and head where a square of theirs is chosen, else the mean of all.
void ask_about_step(RecordedQuestion& made, const Result& result, const SelectionState& chosen) {
  const auto step = static_cast<int>(*chosen.step);
  made.closed = call("writes", step);
  made.row = call("row", step);
  if (!chosen.entry || !chosen.cell || !result.trace) return;
  for (const AttentionMap& map : attention_maps(result)) {
    Index head = 0, row = 0, column = 0;
    if (map.kind != AttentionMap::Kind::cross || !map.find(*chosen.entry, *chosen.cell, &head, &row, &column)) continue;
    if (!map.rows[static_cast<std::size_t>(row)].holds_step(step)) continue;
    if (map.heads > 1 || map.layer >= 0)
      made.row = "row(" + std::to_string(step) + ", " + std::to_string(std::max<Index>(0, map.layer)) + ", " +
                 std::to_string(head) + ")";
    made.expect = seen_in(map, head, row, made.row);
    return;
  }
}

}  // namespace

RecordedQuestion question_about(LessonAnswer::Kind kind, const Result& result, const SelectionState& chosen) {
  using Kind = LessonAnswer::Kind;
  RecordedQuestion made;
  made.kind = kind;
  if (chosen.step) ask_about_step(made, result, chosen);
  const auto row = [&](const char* why) {
    if (made.row.empty() && !ask_about_token(made, result, chosen))
      throw UsageError(std::string("choose a row of the picture first: ") + why);
    return made.row;
  };
  switch (kind) {
    case Kind::choice:
    case Kind::curve:  // asked of a training, which no picture of a run shows
      break;
    case Kind::number:
      ask_number(made, result, chosen);
      break;
    case Kind::text:
      made.truth = "output";
      made.closed = "all_written";
      break;
    case Kind::tokens:
      made.weights = row("it is asked what it looks at");
      made.truth = "top(" + made.weights + ", 0.9)";
      break;
    case Kind::cells:
      if (!chosen.step || !chosen.source_token)
        throw UsageError("choose a square of the picture first: it is what has to be found");
      made.truth = "cells(" + call("writes", *chosen.step) + ", " + call("reads", *chosen.source_token) + ")";
      break;
    case Kind::weights:
      made.truth = row("it is what has to be drawn");
      made.over = "all_read";
      if (std::ranges::count_if(result.tokens, [](const auto& token) { return !token.padding; }) > kMostBars)
        throw UsageError("a row of at most 24 tokens can be drawn; this text has more");
      break;
  }
  return made;
}

std::vector<std::string> choice_ids(std::size_t count) {
  std::vector<std::string> ids;
  for (std::size_t i = 1; i <= count; ++i) ids.push_back("c" + std::to_string(i));
  return ids;
}

StepParts filled_from(StepParts parts, const StepParts& other) {
  for (std::string StepParts::*each : {&StepParts::text, &StepParts::question, &StepParts::reveal})
    if (trimmed(parts.*each).empty()) parts.*each = other.*each;
  for (std::size_t i = parts.choices.size(); i < other.choices.size(); ++i) parts.choices.push_back(other.choices[i]);
  return parts;
}

std::string markdown_of(const StepParts& parts, const std::vector<std::string>& ids) {
  std::string made = trimmed(parts.text);
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) made += (made.empty() ? "" : "\n\n") + std::string("### ") + name + "\n\n" + text;
  };
  add("question", trimmed(parts.question));
  std::string choices;
  for (std::size_t i = 0; i < std::min(ids.size(), parts.choices.size()); ++i)
    choices += (choices.empty() ? "" : "\n") + std::string("- ") + ids[i] + ": " + parts.choices[i];
  add("choices", choices);
  add("reveal", trimmed(parts.reveal));
  if (!trimmed(parts.rest).empty()) made += (made.empty() ? "" : "\n\n") + trimmed(parts.rest);
  return made;
}

StepParts parts_of_markdown(const std::string& markdown) {
  StepParts parts;
  std::string choices, *to = &parts.text;
  bool fenced = false;
  for (const TextLine& each : lines_of(markdown)) {
    const std::string line(each.text);
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced && line.starts_with("### ")) {
      const std::string name = trimmed(line.substr(4));
      to = name == "question"  ? &parts.question
           : name == "reveal"  ? &parts.reveal
           : name == "choices" ? &choices
                               : &parts.rest;
      if (to == &parts.rest) *to += (to->empty() ? "" : "\n") + line + "\n";
      continue;
    }
    *to += line + "\n";
  }
  for (std::string* each : {&parts.text, &parts.question, &parts.reveal, &parts.rest}) *each = trimmed(*each);
  for (const TextLine& each : lines_of(choices)) {
    const std::string line = trimmed(each.text);
    if (const std::size_t colon = line.find(':'); line.starts_with("- ") && colon != std::string::npos)
      parts.choices.push_back(trimmed(line.substr(colon + 1)));
  }
  return parts;
}

}  // namespace headlight
