// The small language of lessons: conditions and values over a run (docs/lessons.md).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/core/cancel.h"
#include "model/core/errors.h"

namespace headlight {

class AnalysedRun;
struct Document;
struct Recording;
struct SelectionState;
struct ShownTraining;

// "EXPRESSION, character 7: there is no function 'writen'; did you mean 'written'?"
struct ExpressionError : FormatError {
  ExpressionError(const std::string& expression, std::size_t place, const std::string& what);
  std::size_t at;  // byte, from 0
};
// What is asked for is not in this run: a name that this text lacks, an answer that was not given.
struct NotInThisRun : ExpressionError {
  using ExpressionError::ExpressionError;
};

// Tokens of the source (in reading order), steps of the output, or squares [step, token].
struct Places {
  enum class Of { source, output, cells };
  Of of = Of::source;
  std::vector<int> at;                     // no place stands twice
  std::vector<std::pair<int, int>> cells;  // step, token
  bool operator==(const Places&) const = default;
  bool empty() const { return at.empty() && cells.empty(); }
};

// A value of a run, or a row of weights over the tokens of the source.
struct NumberList {
  std::vector<long> shape;
  std::vector<double> values;
  bool over_source = false;  // one for each of Result::tokens
  bool operator==(const NumberList&) const = default;
};

// What a spotlight falls on and a link opens, where it is no place.
struct LinkTarget {
  enum class Kind { site, view, panel, part };
  Kind kind = Kind::part;
  std::string name;  // of a site: with its indices
  long cell = -1;    // of a site
  bool operator==(const LinkTarget&) const = default;
};

using ExpressionValue = std::variant<double, bool, std::string, NumberList, Places, LinkTarget>;
// As a sentence says it: "0.83", "1983-08-23", "the tokens 0, 1, 2".
std::string value_text(const ExpressionValue& value, int decimals = -1);
// "a number", "places": for messages.
const char* kind_text(const ExpressionValue& value);

class OtherRuns;

// What the names of an expression mean.
struct ExpressionScope {
  std::shared_ptr<const AnalysedRun> run;           // null: a step without a model
  std::shared_ptr<const Document> document;         // of that run
  std::shared_ptr<const SelectionState> selection;  // null: nothing is chosen
  std::shared_ptr<const ShownTraining> training;    // shown_training.h; null: none is shown
  std::optional<ExpressionValue> answer;
  std::optional<int> i;                   // the token that a chart asks about
  std::map<std::string, double> sliders;  // of a chart that has them
  std::optional<double> x;                // the place that a curve asks about
  std::vector<double> data_x, data_y;     // the points of its chart
  int step = -1;                          // of the lesson
  OtherRuns* others = nullptr;
};

// What an expression can ask beyond its own run. Throws Error.
class OtherRuns {
 public:
  virtual ~OtherRuns() = default;
  virtual ExpressionScope at(const std::string& step) = 0;
  virtual ExpressionScope done_at(const std::string& step) = 0;
  // The document with one setting more: "edits", "source", "target", "seed" or a key of the model's configuration.
  virtual ExpressionScope with(const ExpressionScope& scope, const std::string& key, const ExpressionValue& value) = 0;
  // With these sliders moved.
  virtual double chart_value(int step, const std::string& series, double x,
                             const std::map<std::string, double>& sliders) = 0;
  virtual double exact_match(const std::string& model, int examples) = 0;
  virtual double error_rate(const std::string& model, int examples) = 0;
  virtual std::shared_ptr<const Recording> recording(const std::string& name) = 0;
};

// Immutable; copies share it.
class Expression {
 public:
  static constexpr std::size_t kLongest = 600;

  Expression() = default;
  // Throws ExpressionError for what is no expression: an unknown name, a wrong number of arguments, a sign too much.
  explicit Expression(const std::string& text);

  bool empty() const { return !root_; }
  const std::string& text() const { return text_; }
  // Throws ExpressionError for kinds that do not fit, NotInThisRun, and what the other runs throw.
  ExpressionValue evaluate(const ExpressionScope& scope, const CancelToken& cancel = {}) const;
  bool holds(const ExpressionScope& scope, const CancelToken& cancel = {}) const;
  double number(const ExpressionScope& scope, const CancelToken& cancel = {}) const;
  Places places(const ExpressionScope& scope, const CancelToken& cancel = {}) const;
  // Both sides of a comparison with their values: "share(...) is 0.43, expected >= 0.8"; empty where it is none.
  std::string sides(const ExpressionScope& scope, const CancelToken& cancel = {}) const;
  // Whether it names this somewhere: `answer`.
  bool uses(const std::string& name) const;
  // The texts that calls of this function name first: the steps of at().
  std::vector<std::string> named_in(const std::string& function) const;

  struct Node;

 private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace headlight
