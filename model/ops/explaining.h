// Helpers for Op::explain: building explanations from terms.
#pragma once

#include "model/core/graph.h"

namespace headlight::explaining {

inline Term term(std::string label, double value, std::vector<Cell> cells) {
  return {std::move(label), value, std::move(cells)};
}
inline Term product(std::string label, const Cell& a, const Cell& b) {
  return {std::move(label), a.value() * b.value(), {a, b}};
}
inline Term itself(std::string label, const Cell& a) { return {std::move(label), a.value(), {a}}; }

// An explanation whose result is the sum of its terms; fills value and recomputed.
Explanation sum(const Node& node, Index cell, std::vector<Term> terms);
// f(Σ terms), f named by `name`.
Explanation function(const Node& node, Index cell, std::string name, double (*f)(double), std::vector<Term> terms);
// The same number as `source`.
Explanation copy(const Node& node, Index cell, const Cell& source);

}  // namespace headlight::explaining
