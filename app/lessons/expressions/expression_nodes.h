// The tree of an expression, for its parser and its evaluation alone.
#pragma once

#include <array>
#include <span>

#include "app/lessons/expressions/expression.h"

namespace headlight {

namespace expressions {
struct FunctionRow;
}

struct Expression::Node {
  enum class Kind { number, text, truth, name, call, negate, invert, binary, comparison };
  Kind kind = Kind::number;
  std::size_t at = 0;
  double number = 0;
  std::string text;  // a literal, a name, or the sign of a binary operation
  std::vector<std::shared_ptr<const Node>> children;
  std::vector<std::string> signs;                      // of a comparison, between its children: 0.2 < x <= 0.3
  const expressions::FunctionRow* function = nullptr;  // of a call
};
using ExpressionNode = Expression::Node;

namespace expressions {

class Evaluator;

struct FunctionRow {
  const char* name;
  int least, most;  // arguments
  ExpressionValue (Evaluator::*call)(const Expression::Node&) const;
  bool named = false;  // its first argument is a name in "..."
};
std::span<const FunctionRow> functions();

inline constexpr std::array kNames = {"source", "output", "steps",    "tokens",   "model",
                                      "edits",  "forced", "selected", "all_read", "all_written",
                                      "blanks", "answer", "i",        "x",        "written_then"};

inline constexpr std::array kParts = {"source", "output", "model", "names", "column", "picture", "caption"};

}  // namespace expressions

}  // namespace headlight
