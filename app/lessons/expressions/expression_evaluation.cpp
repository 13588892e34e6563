// What expressions mean: kinds, the run, names and signs. Functions stand in files of their own.

#include <algorithm>
#include <cmath>

#include "app/document/session.h"
#include "app/lessons/expressions/expression_evaluator.h"
#include "model/models/variant.h"
#include "widgets/base/selection.h"

namespace headlight {

namespace expressions {

namespace {

std::size_t size_of(const ExpressionValue& value) {
  if (const auto* list = std::get_if<NumberList>(&value)) return list->values.size();
  if (const auto* places = std::get_if<Places>(&value)) return places->at.size() + places->cells.size();
  if (const auto* text = std::get_if<std::string>(&value)) return text->size();
  return 0;
}

}  // namespace

ExpressionValue Evaluator::value(const Node& node) const {
  cancel_.check();
  Value made = part(node);
  budget_.spent += Budget::kPart + static_cast<double>(size_of(made));
  if (budget_.spent > Budget::kMost) fail(node, "takes too long: each() inside of each(), or very large lists");
  return made;
}

ExpressionValue Evaluator::part(const Node& node) const {
  switch (node.kind) {
    case Node::Kind::number:
      return node.number;
    case Node::Kind::text:
      return node.text;
    case Node::Kind::truth:
      return node.text == "true";
    case Node::Kind::name:
      return named(node);
    case Node::Kind::call:
      return called(node);
    case Node::Kind::negate:
      return mapped(*node.children[0], std::negate<>());
    case Node::Kind::invert:
      return !truth(*node.children[0]);
    case Node::Kind::binary:
      return combined(node);
    case Node::Kind::comparison: {
      Value left, right;
      return first_apart(node, left, right) < 0;
    }
  }
  return false;
}

bool Evaluator::truth(const Node& node) const {
  const Value found = value(node);
  if (const bool* is = std::get_if<bool>(&found)) return *is;
  fail(node, std::string("expected something that is true or false, found ") + kind_text(found));
}

double Evaluator::number(const Node& node) const { return number_of(node, value(node)); }

Places Evaluator::places(const Node& node) const { return places_of(node, value(node)); }

void Evaluator::fail(const Node& node, const std::string& what) const { throw ExpressionError(text_, node.at, what); }

void Evaluator::absent(const Node& node, const std::string& what) const { throw NotInThisRun(text_, node.at, what); }

double Evaluator::number_of(const Node& node, const Value& found) const {
  if (const double* number = std::get_if<double>(&found)) return *number;
  if (const auto* list = std::get_if<NumberList>(&found); list && list->values.size() == 1) return list->values[0];
  if (const auto* at = std::get_if<Places>(&found); at && at->at.size() == 1) return at->at[0];
  fail(node, std::string("expected a number, found ") + kind_text(found));
}

int Evaluator::whole(const Node& node, int least, int most) const {
  const double number = this->number(node);
  if (number != std::floor(number) || number < least || number > most)
    fail(node, "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", found " +
                   number_text(number, -1));
  return static_cast<int>(number);
}

std::string Evaluator::text(const Node& node) const {
  const Value found = value(node);
  if (const auto* is = std::get_if<std::string>(&found)) return *is;
  fail(node, std::string("expected a text, found ") + kind_text(found));
}

NumberList Evaluator::list(const Node& node) const {
  const Value found = value(node);
  if (const auto* numbers = std::get_if<NumberList>(&found)) return *numbers;
  if (const double* number = std::get_if<double>(&found)) return {{1}, {*number}, false};
  fail(node, std::string("expected a list of numbers, found ") + kind_text(found));
}

Places Evaluator::places_of(const Node& node, const Value& found) const {
  if (const auto* at = std::get_if<Places>(&found)) return *at;
  fail(node, std::string("expected places, found ") + kind_text(found));
}

Places Evaluator::steps_at(const Node& node) const {
  const Value found = value(node);
  if (std::holds_alternative<double>(found)) {
    const int count = static_cast<int>(result(node).steps.size());
    return {Places::Of::output, {place_of(node, count, "step")}, {}};
  }
  Places at = places_of(node, found);
  if (at.of != Places::Of::output) fail(node, "expected steps of the output, found places of another kind");
  return at;
}

int Evaluator::one_step(const Node& node) const {
  const Places at = steps_at(node);
  if (at.at.size() != 1) fail(node, "expected one step of the output, found " + std::to_string(at.at.size()));
  return at.at[0];
}

int Evaluator::place_of(const Node& node, int count, const char* what) const {
  const int wanted = whole(node, -1'000'000, 1'000'000), at = wanted < 0 ? count + wanted : wanted;
  if (at < 0 || at >= count)
    absent(node, std::string("there is no ") + what + " " + std::to_string(wanted) + "; the run has " +
                     std::to_string(count));
  return at;
}

const Result& Evaluator::result(const Node& node) const {
  if (!scope_.run) fail(node, "this step has no model to ask");
  return *scope_.run->result();
}

const Trace& Evaluator::trace(const Node& node) const {
  const Result& here = result(node);
  if (!here.trace) fail(node, "this run kept no values");
  return *here.trace;
}

const Document& Evaluator::document(const Node& node) const {
  result(node);
  return *scope_.document;
}

OtherRuns& Evaluator::others(const Node& node) const {
  if (!scope_.others) fail(node, "other runs cannot be asked here");
  return *scope_.others;
}

Places Evaluator::all_read(const Node& node) const {
  const Result& here = result(node);
  Places all{Places::Of::source, {}, {}};
  for (std::size_t i = 0; i < here.tokens.size(); ++i)
    if (!here.tokens[i].padding && here.tokens[i].begin < here.tokens[i].end) all.at.push_back(static_cast<int>(i));
  return all;
}

ExpressionValue Evaluator::named(const Node& node) const {
  const std::string& name = node.text;
  if (name == "answer") {
    if (!scope_.answer) absent(node, "there is no answer");
    return *scope_.answer;
  }
  if (name == "written_then") return written_then(node);
  if (name == "i") {
    if (!scope_.i) fail(node, "'i' has a meaning in each() and in a chart of tokens only");
    return static_cast<double>(*scope_.i);
  }
  if (name == "x") {
    if (!scope_.x) fail(node, "'x' has a meaning in a chart of curves only");
    return *scope_.x;
  }
  const Result& here = result(node);
  if (name == "source") return here.source;
  if (name == "output") return here.output;
  if (name == "steps") return static_cast<double>(here.steps.size());
  if (name == "tokens") return static_cast<double>(all_read(node).at.size());
  if (name == "model") return as_trained(*here.model).name;
  if (name == "edits") return static_cast<double>(here.interventions.size());
  if (name == "forced") return here.target.has_value();
  if (name == "all_read") return all_read(node);
  if (name == "selected") return selected();
  Places at{name == "blanks" ? Places::Of::source : Places::Of::output, {}, {}};
  const std::size_t count = name == "blanks" ? here.tokens.size() : here.steps.size();
  for (std::size_t k = 0; k < count; ++k)
    if (name != "blanks" || here.tokens[k].padding) at.at.push_back(static_cast<int>(k));
  return at;
}

ExpressionValue Evaluator::selected() const {
  Places at;
  if (!scope_.selection) return at;
  const SelectionState& chosen = *scope_.selection;
  if (chosen.step && chosen.source_token) return Places{Places::Of::cells, {}, {{*chosen.step, *chosen.source_token}}};
  if (chosen.step) return Places{Places::Of::output, {*chosen.step}, {}};
  if (chosen.source_token) at.at.push_back(*chosen.source_token);
  return at;
}

ExpressionValue Evaluator::called(const Node& node) const { return (this->*node.function->call)(node); }

ExpressionValue Evaluator::mapped(const Node& node, const std::function<double(double)>& function) const {
  const Value found = value(node);
  const auto* list = std::get_if<NumberList>(&found);
  if (!list) return function(number_of(node, found));
  NumberList made = *list;
  for (double& each : made.values) each = function(each);
  return made;
}

ExpressionValue Evaluator::combined(const Node& node) const {
  const Node &left = *node.children[0], &right = *node.children[1];
  const std::string& sign = node.text;
  if (sign == "and") return truth(left) && truth(right);
  if (sign == "or") return truth(left) || truth(right);
  const Value a = value(left), b = value(right);
  if (sign == "+") {
    if (std::holds_alternative<std::string>(a) && std::holds_alternative<std::string>(b))
      return std::get<std::string>(a) + std::get<std::string>(b);
    if (std::holds_alternative<Places>(a) && std::holds_alternative<Places>(b))
      return united(node, std::get<Places>(a), std::get<Places>(b));
  }
  const auto apply = [&](double x, double y) {
    return sign == "+" ? x + y : sign == "-" ? x - y : sign == "*" ? x * y : x / y;
  };
  const auto *rows = std::get_if<NumberList>(&a), *others = std::get_if<NumberList>(&b);
  if (!rows && !others) return apply(number_of(left, a), number_of(right, b));
  if (rows && others && rows->values.size() != others->values.size())
    fail(node, "expected lists of the same length, found " + std::to_string(rows->values.size()) + " and " +
                   std::to_string(others->values.size()));
  NumberList made = rows ? *rows : *others;
  for (std::size_t k = 0; k < made.values.size(); ++k)
    made.values[k] =
        apply(rows ? rows->values[k] : number_of(left, a), others ? others->values[k] : number_of(right, b));
  return made;
}

// Each side is worked out once, also the one between two signs.
int Evaluator::first_apart(const Node& node, Value& left, Value& right) const {
  left = value(*node.children[0]);
  for (std::size_t k = 0; k < node.signs.size(); ++k) {
    right = value(*node.children[k + 1]);
    if (!compared(node, k, left, right)) return static_cast<int>(k);
    if (k + 1 < node.signs.size()) left = std::move(right);
  }
  return -1;
}

bool Evaluator::compared(const Node& node, std::size_t at, const Value& a, const Value& b) const {
  const std::string& sign = node.signs[at];
  const Node &left = *node.children[at], &right = *node.children[at + 1];
  if (sign == "in") return is_in(left, a, right, b);
  if (sign == "==" || sign == "!=") return equal(node, a, b) == (sign == "==");
  const double x = number_of(left, a), y = number_of(right, b);
  return sign == "<" ? x < y : sign == "<=" ? x <= y : sign == ">" ? x > y : x >= y;
}

std::string Evaluator::sides_apart(const Node& node) const {
  Value left, right;
  const int at = first_apart(node, left, right);
  return at < 0 ? std::string()
                : value_text(left) + " " + node.signs[static_cast<std::size_t>(at)] + " " + value_text(right);
}

bool Evaluator::equal(const Node& node, const Value& a, const Value& b) const {
  if (a.index() == b.index()) return a == b;
  const auto numeric = [](const Value& v) {
    return !std::holds_alternative<std::string>(v) && !std::holds_alternative<bool>(v);
  };
  if (numeric(a) && numeric(b)) return number_of(node, a) == number_of(node, b);
  fail(node, std::string("cannot compare ") + kind_text(a) + " with " + kind_text(b));
}

bool Evaluator::is_in(const Node& left, const Value& a, const Node& right, const Value& b) const {
  const Places within = places_of(right, b);
  if (const double* number = std::get_if<double>(&a))
    return std::ranges::any_of(within.at, [number](int each) { return each == *number; });
  const Places at = places_of(left, a);
  if (at.of != within.of) fail(left, "expected places of one kind on both sides of 'in'");
  if (at.empty()) fail(left, "no place is in anything");
  const auto found_in = [](const auto& all) {
    return [&all](const auto& each) { return std::ranges::find(all, each) != all.end(); };
  };
  return std::ranges::all_of(at.at, found_in(within.at)) && std::ranges::all_of(at.cells, found_in(within.cells));
}

Places Evaluator::united(const Node& node, Places a, const Places& b) const {
  if (a.empty()) return b;
  if (b.empty()) return a;
  if (a.of != b.of) fail(node, "expected places of one kind on both sides of '+'");
  for (const int each : b.at)
    if (std::ranges::find(a.at, each) == a.at.end()) a.at.push_back(each);
  for (const auto& each : b.cells)
    if (std::ranges::find(a.cells, each) == a.cells.end()) a.cells.push_back(each);
  return a;
}

ExpressionValue Evaluator::elsewhere(const ExpressionScope& scope, const Node& what) const {
  ExpressionScope there = scope;
  there.answer = scope_.answer;
  there.i = scope_.i;
  there.sliders = scope_.sliders;
  there.x = scope_.x;
  there.data_x = scope_.data_x;
  there.data_y = scope_.data_y;
  return Evaluator(text_, there, cancel_, budget_).value(what);
}

}  // namespace expressions

namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};

}  // namespace

using expressions::Evaluator;
using expressions::number_text;

const char* kind_text(const ExpressionValue& value) {
  return std::visit(
      Match{[](double) { return "a number"; }, [](bool) { return "true or false"; },
            [](const std::string&) { return "a text"; }, [](const NumberList&) { return "a list of numbers"; },
            [](const Places&) { return "places"; }, [](const LinkTarget&) { return "a part of the window"; }},
      value);
}

std::string value_text(const ExpressionValue& value, int decimals) {
  return std::visit(Match{[&](double number) { return number_text(number, decimals); },
                          [](bool truth) { return std::string(truth ? "true" : "false"); },
                          [](const std::string& text) { return text; },
                          [&](const NumberList& list) {
                            std::string text;
                            for (std::size_t i = 0; i < std::min<std::size_t>(list.values.size(), 12); ++i)
                              text += (i ? ", " : "") + number_text(list.values[i], decimals);
                            return text + (list.values.size() > 12 ? ", ..." : "");
                          },
                          [](const Places& places) {
                            std::string text;
                            for (const int each : places.at) text += (text.empty() ? "" : ", ") + std::to_string(each);
                            for (const auto& [row, column] : places.cells)
                              text += (text.empty() ? "" : ", ") + std::to_string(row) + "/" + std::to_string(column);
                            return text;
                          },
                          [](const LinkTarget& target) { return target.name; }},
                    value);
}

ExpressionValue Expression::evaluate(const ExpressionScope& scope, const CancelToken& cancel) const {
  Evaluator::Budget budget;
  return Evaluator(text_, scope, cancel, budget).value(*root_);
}
bool Expression::holds(const ExpressionScope& scope, const CancelToken& cancel) const {
  Evaluator::Budget budget;
  return Evaluator(text_, scope, cancel, budget).truth(*root_);
}
double Expression::number(const ExpressionScope& scope, const CancelToken& cancel) const {
  Evaluator::Budget budget;
  return Evaluator(text_, scope, cancel, budget).number(*root_);
}
Places Expression::places(const ExpressionScope& scope, const CancelToken& cancel) const {
  Evaluator::Budget budget;
  return Evaluator(text_, scope, cancel, budget).places(*root_);
}

std::string Expression::sides(const ExpressionScope& scope, const CancelToken& cancel) const {
  Evaluator::Budget budget;
  const Evaluator evaluator(text_, scope, cancel, budget);
  // Of several that must hold, the first that does not.
  const Node* node = root_.get();
  while (node->kind == Node::Kind::binary && node->text == "and")
    node = (evaluator.truth(*node->children[0]) ? node->children[1] : node->children[0]).get();
  return node->kind == Node::Kind::comparison ? evaluator.sides_apart(*node) : std::string();
}

}  // namespace headlight
