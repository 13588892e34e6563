#include "model/ops/explaining.h"

namespace headlight::explaining {

namespace {
Explanation start(const Node& node, Index cell, Explanation::Kind kind, std::vector<Term> terms) {
  Explanation explanation;
  explanation.kind = kind;
  explanation.op = node.op;
  explanation.value = static_cast<double>(node.output[cell]);
  for (const Term& t : terms) explanation.recomputed += t.value;
  explanation.terms = std::move(terms);
  return explanation;
}
}  // namespace

Explanation sum(const Node& node, Index cell, std::vector<Term> terms) {
  return start(node, cell, Explanation::Kind::sum, std::move(terms));
}

Explanation function(const Node& node, Index cell, std::string name, double (*f)(double), std::vector<Term> terms) {
  Explanation explanation = start(node, cell, Explanation::Kind::function_of_sum, std::move(terms));
  explanation.function = std::move(name);
  explanation.recomputed = f(explanation.recomputed);
  return explanation;
}

Explanation share(const Node& node, Index cell, std::vector<Term> terms) {
  Explanation explanation = start(node, cell, Explanation::Kind::share, std::move(terms));
  const double sum = explanation.recomputed;
  explanation.recomputed = sum == 0 ? 0 : explanation.terms[0].value / sum;
  return explanation;
}

Explanation copy(const Node& node, Index cell, const Cell& source) {
  return start(node, cell, Explanation::Kind::copy, {itself("=", source)});
}

}  // namespace headlight::explaining
