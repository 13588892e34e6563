// Helpers for Op::explain: building explanations from terms.
#pragma once

#include <cmath>

#include "model/core/graph.h"

namespace headlight::explaining {

inline Term term(std::string label, double value, std::vector<Cell> cells) {
  return {std::move(label), value, std::move(cells)};
}
inline Term product(std::string label, const Cell& a, const Cell& b) {
  return {std::move(label), a.value() * b.value(), {a, b}};
}
inline Term itself(std::string label, const Cell& a) { return {std::move(label), a.value(), {a}}; }

// f(j), j = 0 .. count − 1.
template <class F>
std::vector<Term> terms(Index count, F f) {
  std::vector<Term> all;
  all.reserve(static_cast<std::size_t>(count) + 2);  // a bias may follow, and what else is added
  for (Index j = 0; j < count; ++j) all.push_back(f(j));
  return all;
}

// σ and tanh of one number.
inline double logistic(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }
inline double tangent(double x) { return std::tanh(x); }

// An explanation whose result is the sum of its terms; fills value and recomputed.
Explanation sum(const Node& node, Index cell, std::vector<Term> terms);
// f(Σ terms), f named by `name`.
Explanation function(const Node& node, Index cell, std::string name, double (*f)(double), std::vector<Term> terms);
// The first term over the sum of all.
Explanation share(const Node& node, Index cell, std::vector<Term> terms);
// A softmax: f(own) over the sum of all f(j), j = 0 .. count − 1. Its own term comes first, then its rivals in order.
template <class F>
Explanation softmax(const Node& node, Index cell, Index own, Index count, F f) {
  const auto own_first = [&](Index j) { return f(j == 0 ? own : j <= own ? j - 1 : j); };
  return share(node, cell, terms(count, own_first));
}
// The same number as `source`.
Explanation copy(const Node& node, Index cell, const Cell& source);

}  // namespace headlight::explaining
