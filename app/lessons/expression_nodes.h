// The tree of an expression, for its parser and its evaluation alone.
#pragma once

#include <array>

#include "app/lessons/expression.h"

namespace headlight {

struct Expression::Node {
  enum class Kind { number, text, truth, name, call, negate, invert, binary };
  Kind kind = Kind::number;
  std::size_t at = 0;
  double number = 0;
  std::string text;  // a literal, a name, or the sign of a binary operation
  std::vector<std::shared_ptr<const Node>> children;
};

namespace expressions {

struct FunctionRow {
  const char* name;
  int least, most;  // arguments
};

inline constexpr int kMany = 8;
inline constexpr std::array kFunctions = {
    FunctionRow{"token", 1, 1},        FunctionRow{"probability", 1, 2}, FunctionRow{"setting", 1, 1},
    FunctionRow{"read", 1, 2},         FunctionRow{"written", 1, 2},     FunctionRow{"reads", 1, 2},
    FunctionRow{"writes", 1, 2},       FunctionRow{"cells", 2, 2},       FunctionRow{"first", 1, 1},
    FunctionRow{"last", 1, 1},         FunctionRow{"next", 1, 1},        FunctionRow{"before", 1, 1},
    FunctionRow{"but", 2, 2},          FunctionRow{"count", 1, 1},       FunctionRow{"share", 2, 4},
    FunctionRow{"row", 1, 3},          FunctionRow{"argmax", 1, 1},      FunctionRow{"argmin", 1, 1},
    FunctionRow{"top", 2, 2},          FunctionRow{"entropy", 1, 1},     FunctionRow{"value", 1, kMany},
    FunctionRow{"gradient", 2, kMany}, FunctionRow{"weights", 1, 3},     FunctionRow{"sum", 1, 1},
    FunctionRow{"mean", 1, 1},         FunctionRow{"min", 1, 2},         FunctionRow{"max", 1, 2},
    FunctionRow{"abs", 1, 1},          FunctionRow{"sqrt", 1, 1},        FunctionRow{"exp", 1, 1},
    FunctionRow{"log", 1, 1},          FunctionRow{"tanh", 1, 1},        FunctionRow{"round", 1, 2},
    FunctionRow{"norm", 1, 1},         FunctionRow{"variance", 1, 1},    FunctionRow{"dot", 2, 2},
    FunctionRow{"distance", 2, 2},     FunctionRow{"correlation", 2, 2}, FunctionRow{"spearman", 2, 2},
    FunctionRow{"item", 2, 2},         FunctionRow{"if", 3, 3},          FunctionRow{"contains", 2, 2},
    FunctionRow{"starts", 2, 2},       FunctionRow{"length", 1, 1},      FunctionRow{"upper", 1, 1},
    FunctionRow{"text", 1, 1},         FunctionRow{"each", 1, 1},        FunctionRow{"at", 2, 2},
    FunctionRow{"done_at", 2, 2},      FunctionRow{"with", 3, 3},        FunctionRow{"y", 2, 2},
    FunctionRow{"exact_match", 2, 2},  FunctionRow{"error_rate", 2, 2},  FunctionRow{"site", 1, kMany},
    FunctionRow{"view", 1, 1},         FunctionRow{"panel", 1, 1},       FunctionRow{"part", 1, 1},
    FunctionRow{"slider", 1, 1},       FunctionRow{"list", 1, kMany},    FunctionRow{"softmax", 1, 1}};

inline constexpr std::array kNames = {"source",   "output",   "steps",       "tokens", "model",  "edits", "forced",
                                      "selected", "all_read", "all_written", "blanks", "answer", "i"};

inline constexpr std::array kParts = {"source", "output", "model", "names", "column", "picture", "caption"};

}  // namespace expressions

}  // namespace headlight
