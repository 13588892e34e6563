// The functions of the language, a row each, and those of numbers, texts and other runs.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/lessons/expressions/expression_evaluator.h"
#include "model/experiments/share_and_cause.h"
#include "model/text/utf8.h"
#include "widgets/text/number_words.h"

namespace headlight::expressions {

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

bool has_nan(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double each) { return std::isnan(each); });
}

// 0 where one of them does not change.
double correlation_or_none(const std::vector<double>& a, const std::vector<double>& b) {
  const double found = correlation(a, b);
  return std::isnan(found) ? 0 : found;
}

}  // namespace

std::span<const FunctionRow> functions() {
  using E = Evaluator;
  static constexpr bool kNamed = true;  // its first argument is a name in "..."
  static constexpr int kMany = 8;
  static constexpr FunctionRow kRows[] = {
      {"token", 1, 1, &E::token},
      {"probability", 1, 2, &E::probability},
      {"setting", 1, 1, &E::setting, kNamed},
      {"pieces", 1, 2, &E::of_tokenizer},
      {"merges", 1, 1, &E::of_tokenizer},
      {"read", 1, 2, &E::read},
      {"written", 1, 2, &E::written},
      {"reads", 1, 2, &E::counted},
      {"writes", 1, 2, &E::counted},
      {"cells", 2, 2, &E::cells},
      {"first", 1, 1, &E::neighbour},
      {"last", 1, 1, &E::neighbour},
      {"next", 1, 1, &E::neighbour},
      {"before", 1, 1, &E::neighbour},
      {"but", 2, 2, &E::without},
      {"share", 2, 4, &E::share},
      {"row", 1, 3, &E::row},
      {"argmax", 1, 1, &E::extreme},
      {"argmin", 1, 1, &E::extreme},
      {"top", 2, 2, &E::top},
      {"each", 1, 1, &E::each_token},
      {"value", 1, kMany, &E::site_value, kNamed},
      {"gradient", 2, kMany, &E::gradient, kNamed},
      {"weights", 1, 3, &E::weights, kNamed},
      {"reach", 2, 3, &E::reach, kNamed},
      {"path", 4, 4, &E::reach, kNamed},
      {"score_part", 3, 5, &E::score_part, kNamed},
      {"site", 1, kMany, &E::target, kNamed},
      {"view", 1, 1, &E::target, kNamed},
      {"panel", 1, 1, &E::target, kNamed},
      {"part", 1, 1, &E::target, kNamed},
      {"if", 3, 3, &E::one_of_two},
      {"at", 2, 2, &E::other_step, kNamed},
      {"done_at", 2, 2, &E::other_step, kNamed},
      {"with", 3, 3, &E::with_setting, kNamed},
      {"cost", 1, 3, &E::cost, kNamed},
      {"dependent_steps", 1, 2, &E::dependent_steps, kNamed},
      {"cache_bytes", 1, 2, &E::cached_bytes},
      {"recorded", 1, 1, &E::recorded, kNamed},
      {"over_time", 1, 2, &E::over_time, kNamed},
      {"mark", 1, 1, &E::moment_of},
      {"first_at", 1, 1, &E::moment_of},
      {"read_at", 1, 1, &E::moment_of},
      {"when", 2, 2, &E::then},
      {"beside", 1, 1, &E::then},
      {"trained", 2, 2, &E::then, kNamed},
      {"sure_then", 1, 1, &E::sure_then},
      {"weight_then", 2, 3, &E::weight_then},
      {"differing", 1, 2, &E::differing},
      {"exact_match", 2, 2, &E::measured, kNamed},
      {"error_rate", 2, 2, &E::measured, kNamed},
      {"y", 2, 2, &E::charted, kNamed},
      {"slider", 1, 1, &E::slider, kNamed},
      {"slid", 3, 3, &E::slid, kNamed},
      {"data", 1, 1, &E::data, kNamed},
      {"list", 1, kMany, &E::list_of},
      {"softmax", 1, 1, &E::list_of},
      {"contains", 2, 2, &E::of_text},
      {"starts", 2, 2, &E::of_text},
      {"length", 1, 1, &E::of_text},
      {"upper", 1, 1, &E::of_text},
      {"text", 1, 1, &E::of_text},
      {"abs", 1, 1, &E::of_each},
      {"sqrt", 1, 1, &E::of_each},
      {"exp", 1, 1, &E::of_each},
      {"log", 1, 1, &E::of_each},
      {"tanh", 1, 1, &E::of_each},
      {"round", 1, 2, &E::of_each},
      {"count", 1, 1, &E::of_one},
      {"sum", 1, 1, &E::of_one},
      {"mean", 1, 1, &E::of_one},
      {"norm", 1, 1, &E::of_one},
      {"variance", 1, 1, &E::of_one},
      {"entropy", 1, 1, &E::of_one},
      {"min", 1, 2, &E::of_one},
      {"max", 1, 2, &E::of_one},
      {"dot", 2, 2, &E::of_two},
      {"distance", 2, 2, &E::of_two},
      {"correlation", 2, 2, &E::of_two},
      {"spearman", 2, 2, &E::of_two},
      {"item", 2, 2, &E::item},
  };
  return kRows;
}

// --- of other runs

ExpressionValue Evaluator::one_of_two(const Node& node) const {
  return value(*node.children[truth(*node.children[0]) ? 1 : 2]);
}

ExpressionValue Evaluator::other_step(const Node& node) const {
  OtherRuns& runs = others(node);
  const std::string& step = node.children[0]->text;
  return elsewhere(node.text == "at" ? runs.at(step) : runs.done_at(step), *node.children[1]);
}

ExpressionValue Evaluator::with_setting(const Node& node) const {
  result(node);
  return elsewhere(others(node).with(scope_, node.children[0]->text, value(*node.children[1])), *node.children[2]);
}

ExpressionValue Evaluator::measured(const Node& node) const {
  OtherRuns& runs = others(node);
  const std::string& model = node.children[0]->text;
  const int examples = whole(*node.children[1], 1, 5000);
  return node.text == "exact_match" ? runs.exact_match(model, examples) : runs.error_rate(model, examples);
}

ExpressionValue Evaluator::charted(const Node& node) const {
  return others(node).chart_value(scope_.step, node.children[0]->text, number(*node.children[1]), scope_.sliders);
}

ExpressionValue Evaluator::slider(const Node& node) const {
  const std::string& name = node.children[0]->text;
  const auto found = scope_.sliders.find(name);
  if (found == scope_.sliders.end()) fail(node, "there is no slider '" + name.substr(0, 60) + "' here");
  return found->second;
}

ExpressionValue Evaluator::slid(const Node& node) const {
  ExpressionScope there = scope_;
  there.sliders[node.children[0]->text] = number(*node.children[1]);
  return Evaluator(text_, there, cancel_, budget_).value(*node.children[2]);
}

ExpressionValue Evaluator::data(const Node& node) const {
  const std::string& axis = node.children[0]->text;
  if (axis != "x" && axis != "y") fail(node, "expected \"x\" or \"y\", found '" + axis.substr(0, 60) + "'");
  if (scope_.data_x.empty()) fail(node, "there are no points here; a chart of curves has them");
  return NumberList{{static_cast<long>(scope_.data_x.size())}, axis == "x" ? scope_.data_x : scope_.data_y, false};
}

// --- of texts

ExpressionValue Evaluator::of_text(const Node& node) const {
  const std::string& name = node.text;
  if (name == "text") return number_text(number(*node.children[0]), -1);
  const std::string found = text(*node.children[0]);
  if (name == "contains") return found.find(text(*node.children[1])) != std::string::npos;
  if (name == "starts") return found.starts_with(text(*node.children[1]));
  if (name == "length") {
    double count = 0;
    for (std::size_t k = 0; k < found.size(); ++count) k += std::max<std::size_t>(code_point_length(found, k), 1);
    return count;
  }
  std::string upper = found;
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

// --- of numbers

ExpressionValue Evaluator::list_of(const Node& node) const {
  NumberList made;
  if (node.text == "list") {
    for (const auto& each : node.children) made.values.push_back(number(*each));
  } else {
    made = list(*node.children[0]);
    if (made.values.empty()) fail(node, "the list is empty");
    const double largest = std::ranges::max(made.values);
    double sum = 0;
    for (double& each : made.values) sum += each = std::exp(each - largest);
    for (double& each : made.values) each /= sum;
  }
  made.shape = {static_cast<long>(made.values.size())};
  made.over_source = false;
  return made;
}

ExpressionValue Evaluator::of_each(const Node& node) const {
  const std::string& name = node.text;
  double scale = 1;
  if (name == "round") scale = std::pow(10.0, node.children.size() > 1 ? whole(*node.children[1], 0, 12) : 0);
  return mapped(*node.children[0], [&](double x) {
    if (name == "abs") return std::abs(x);
    if (name == "sqrt") return std::sqrt(x);
    if (name == "exp") return std::exp(x);
    if (name == "log") return std::log(x);
    if (name == "tanh") return std::tanh(x);
    return std::round(x * scale) / scale;
  });
}

ExpressionValue Evaluator::of_one(const Node& node) const {
  const std::string& name = node.text;
  const Node& first = *node.children[0];
  if (node.children.size() == 2) {
    const double a = number(first), b = number(*node.children[1]);
    if (has_nan({a, b})) return kNotANumber;
    return name == "min" ? std::min(a, b) : std::max(a, b);
  }
  if (name == "count") {
    const Value found = value(first);
    if (const auto* at = std::get_if<Places>(&found)) return static_cast<double>(at->at.size() + at->cells.size());
  }
  const std::vector<double> a = list(first).values;
  if (name == "count") return static_cast<double>(a.size());
  if (a.empty()) fail(node, "the list is empty");
  const double n = static_cast<double>(a.size()), sum = std::accumulate(a.begin(), a.end(), 0.0);
  double squares = 0, entropy = 0, variance = 0;
  for (const double x : a) {
    squares += x * x;
    variance += (x - sum / n) * (x - sum / n) / n;
    if (!(x <= 0)) entropy -= x * std::log2(x);  // of what is no number it is none
  }
  if (has_nan(a)) return kNotANumber;  // of one, all is none; nothing is left out without a word
  if (name == "sum") return sum;
  if (name == "mean") return sum / n;
  if (name == "min") return std::ranges::min(a);
  if (name == "max") return std::ranges::max(a);
  if (name == "norm") return std::sqrt(squares);
  return name == "variance" ? variance : entropy;
}

ExpressionValue Evaluator::item(const Node& node) const {
  const std::vector<double> a = list(*node.children[0]).values;
  if (a.empty()) fail(node, "the list is empty");
  return a[static_cast<std::size_t>(place_of(*node.children[1], static_cast<int>(a.size()), "number"))];
}

ExpressionValue Evaluator::of_two(const Node& node) const {
  const std::vector<double> a = list(*node.children[0]).values, b = list(*node.children[1]).values;
  if (a.empty()) fail(node, "the list is empty");
  if (a.size() != b.size())
    fail(node,
         "expected lists of the same length, found " + std::to_string(a.size()) + " and " + std::to_string(b.size()));
  if (has_nan(a) || has_nan(b)) return kNotANumber;
  if (node.text == "correlation") return correlation_or_none(a, b);
  if (node.text == "spearman") return correlation_or_none(ranks(a), ranks(b));
  double dot = 0, distance = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    dot += a[k] * b[k];
    distance = std::max(distance, std::abs(a[k] - b[k]));
  }
  return node.text == "dot" ? dot : distance;
}

std::string number_text(double number, int decimals) {
  if (decimals < 0 && std::isfinite(number)) {
    // As many as it needs: 0.83, 12.5, 97.
    const double size = std::abs(number);
    if (number == std::round(number) && size < 1e6)
      decimals = 0;
    else if (size < 0.01)
      return short_number(number, 2).toStdString();
    else
      decimals = size >= 99.5 ? 0 : size >= 10 ? 1 : 2;
  }
  return plain_number(number, decimals).toStdString();
}

}  // namespace headlight::expressions
