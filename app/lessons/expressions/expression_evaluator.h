// Evaluates the tree of an expression. For the files of the language alone: its functions are members, and the table
// of expression_functions.cpp says which name calls which.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/lessons/expressions/expression_nodes.h"
#include "app/lessons/expressions/shown_training.h"
#include "model/analysis/cost/cost.h"
#include "model/core/tensor.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/number_words.h"

namespace headlight::expressions {

class Evaluator {
 public:
  using Node = Expression::Node;
  using Value = ExpressionValue;

  // What an expression may cost: numbers, letters and places that its parts give, and each of its parts as many as 16.
  // Enough for all weights of a long run; an `each` in an `each` in an `each` is told that it is too much.
  struct Budget {
    static constexpr double kMost = 3e7, kPart = 16;
    double spent = 0;
  };
  Evaluator(const std::string& text, const ExpressionScope& scope, const CancelToken& cancel, Budget& budget)
      : text_(text), scope_(scope), cancel_(cancel), budget_(budget) {}

  Value value(const Node& node) const;
  bool truth(const Node& node) const;
  double number(const Node& node) const;
  Places places(const Node& node) const;
  // The first two sides of a comparison that do not fit, with the sign between them; empty: all fit.
  std::string sides_apart(const Node& node) const;

 private:
  friend std::span<const FunctionRow> functions();

  [[noreturn]] void fail(const Node& node, const std::string& what) const;
  [[noreturn]] void absent(const Node& node, const std::string& what) const;  // from this run only

  // Kinds.
  double number_of(const Node& node, const Value& found) const;
  int whole(const Node& node, int least, int most) const;
  std::string text(const Node& node) const;
  NumberList list(const Node& node) const;
  Places places_of(const Node& node, const Value& found) const;
  Places steps_at(const Node& node) const;  // of the output, also as the number of one
  int one_step(const Node& node) const;
  int place_of(const Node& node, int count, const char* what) const;

  // The run.
  const Result& result(const Node& node) const;
  const Trace& trace(const Node& node) const;
  const Document& document(const Node& node) const;
  OtherRuns& others(const Node& node) const;
  Places all_read(const Node& node) const;
  Value elsewhere(const ExpressionScope& scope, const Node& what) const;

  // Names and signs.
  Value named(const Node& node) const;
  Value selected() const;
  Value called(const Node& node) const;
  Value combined(const Node& node) const;
  Value part(const Node& node) const;  // of any kind, before it is paid for
  bool compared(const Node& node, std::size_t sign, const Value& a, const Value& b) const;
  // The place of the first sign that does not hold, with its sides; -1: all do.
  int first_apart(const Node& node, Value& left, Value& right) const;
  // A function of a number, or of each of a list.
  Value mapped(const Node& node, const std::function<double(double)>& function) const;
  bool equal(const Node& node, const Value& a, const Value& b) const;
  bool is_in(const Node& left, const Value& a, const Node& right, const Value& b) const;
  Places united(const Node& node, Places a, const Places& b) const;

  // Functions: of places (expression_places.cpp) ...
  Value read(const Node& node) const;
  Value written(const Node& node) const;
  Value counted(const Node& node) const;
  Value neighbour(const Node& node) const;
  Value cells(const Node& node) const;
  Value without(const Node& node) const;
  Value each_token(const Node& node) const;
  NumberList ordered_list(const Node& node) const;
  Value extreme(const Node& node) const;
  Value top(const Node& node) const;
  // ... of attention ...
  struct Chosen;
  Chosen chosen(const Node& node, std::size_t from) const;
  std::vector<const AttentionMap*> maps_of(const Node& node, const Places& from, const Chosen& which) const;
  Places row_places(const Node& node) const;
  int each_weight(const Node& node, const Places& from, std::size_t layer_and_head,
                  const std::function<void(const AttentionToken&, double)>& take) const;
  Value share(const Node& node) const;
  Value row(const Node& node) const;
  // ... of any value, of parameters and settings (expression_sites.cpp) ...
  struct Found;
  Found found(const Node& node, std::size_t& argument, std::size_t end) const;
  std::vector<Index> indices(const Node& node, Index count) const;
  Value site_value(const Node& node) const;
  Value gradient(const Node& node) const;
  Value weights(const Node& node) const;
  Value target(const Node& node) const;
  Value token(const Node& node) const;
  Value probability(const Node& node) const;
  Value setting(const Node& node) const;
  // ... of what a run costs (expression_costs.cpp) ...
  RunLengths lengths(const Node& node, std::size_t argument) const;
  Value cost(const Node& node) const;
  Value dependent_steps(const Node& node) const;
  Value cached_bytes(const Node& node) const;
  // ... of what can reach what, and of parts of scores (expression_influence.cpp) ...
  const LivingMap& living(const Node& node) const;
  std::size_t one_of(const Node& node, const std::vector<std::string>& names) const;
  Value reach(const Node& node) const;
  Value score_part(const Node& node) const;
  Value of_tokenizer(const Node& node) const;
  // ... of recorded trainings (expression_trainings.cpp) ...
  const ShownTraining& training(const Node& node) const;
  const ProbeRun& probed(const Node& node) const;
  int word_of_probe(const Node& node, const std::vector<std::string>& words, const char* what) const;
  Value recorded(const Node& node) const;
  Value over_time(const Node& node) const;
  Value moment_of(const Node& node) const;
  Value then(const Node& node) const;
  Value sure_then(const Node& node) const;
  Value weight_then(const Node& node) const;
  Value differing(const Node& node) const;
  Value written_then(const Node& node) const;
  // ... and of numbers, texts and other runs (expression_functions.cpp).
  Value one_of_two(const Node& node) const;
  Value other_step(const Node& node) const;
  Value with_setting(const Node& node) const;
  Value measured(const Node& node) const;
  Value charted(const Node& node) const;
  Value slider(const Node& node) const;
  Value slid(const Node& node) const;
  Value data(const Node& node) const;
  Value of_text(const Node& node) const;
  Value list_of(const Node& node) const;
  Value of_each(const Node& node) const;
  Value of_one(const Node& node) const;
  Value of_two(const Node& node) const;
  Value item(const Node& node) const;

  const std::string& text_;
  const ExpressionScope& scope_;
  const CancelToken& cancel_;
  Budget& budget_;
};

// "0.83", "12.5", "97"; -1: as many decimals as it needs.
std::string number_text(double number, int decimals);

}  // namespace headlight::expressions
